import { createReferenceServer } from '@formwire/reference-server'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { checkedByCompiler } from '../../../test/support/checked-by-compiler.ts'
import { quickClock } from '../../../test/support/quick-clock.ts'
import {
  type ApiPromise,
  DecodeError,
  Formwire,
  NotFoundError,
  OutcomeUnknownError,
  Page,
  UsageError,
} from '../src/index.ts'
import { fakeTransport, type Step, systemError } from './support/fake-transport.ts'

function client(...script: Step[]) {
  const transport = fakeTransport(...script)
  const formwire = new Formwire({
    apiKey: 'svc_k',
    baseUrl: 'http://formwire.test',
    transport,
    clock: quickClock(),
    random: () => 0,
  })
  return { formwire, transport }
}

const lost = systemError('ECONNRESET', 'read')

describe('request()', () => {
  it('sends method, path, query and body, and returns the data', async () => {
    const { formwire, transport } = client({ status: 201, body: { data: { id: 7, name: 'urgent' } } })
    const tag = await formwire.request<{ id: number; name: string }>(
      {
        method: 'POST',
        path: '/forms/abc/tags',
        query: { since: new Date(0), notify: true, page: 2, none: undefined },
        body: { name: 'urgent' },
      },
      { headers: { 'x-trace': '1' } },
    )
    expect(tag).toEqual({ id: 7, name: 'urgent' })
    expect(transport.requests).toHaveLength(1)
    const [sent] = transport.requests
    expect(sent).toMatchObject({
      method: 'POST',
      url: 'http://formwire.test/api/v1/forms/abc/tags?since=1970-01-01T00%3A00%3A00.000Z&notify=true&page=2',
      body: '{"name":"urgent"}',
    })
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer svc_k',
      'content-type': 'application/json',
      'x-trace': '1',
    })
  })

  it('returns the same as the methods of the client', async () => {
    const server = createReferenceServer({ seed: 'demo' })
    await server.ready
    const formwire = new Formwire({ apiKey: server.writeKey, fetch: server.fetch })
    expect(await formwire.request({ path: '/me' })).toEqual(await formwire.me())
    const page = await formwire.request<Page<{ id: string }>>({ path: '/forms', query: { per_page: 1 } })
    const { data, meta } = await formwire.forms.list({ per_page: 1 })
    expect(page).toBeInstanceOf(Page)
    expect([page.data, page.meta]).toEqual([data, meta])
    expect((await page.nextPage()).meta.page).toBe(2)
    const { response } = await formwire.request({ path: '/me' }).withResponse()
    expect([response.status, response.attempts]).toEqual([200, 1])
    await server.close()
  })

  it('returns a list without meta as one page, any other data as it is, and undefined for an empty body', async () => {
    const list = client({ body: { data: [{ id: 1 }, { id: 2 }] } })
    const page = await list.formwire.request<Page<{ id: number }>>({ path: '/tags' })
    expect(page.meta).toEqual({ page: 1, per_page: 2, total: 2 })
    expect(await client({ body: { data: 5 } }).formwire.request({ path: '/count' })).toBe(5)
    const empty = client({ status: 204 })
    expect(await empty.formwire.request({ method: 'PUT', path: '/tags/1', body: [] })).toBeUndefined()
    await expect(client({ body: [1] }).formwire.request({ path: '/tags' })).rejects.toThrow(DecodeError)
  })

  it('does not retry a POST that the service may have processed', async () => {
    const { formwire, transport } = client(lost)
    const error = await formwire.request({ method: 'POST', path: '/tags' }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(OutcomeUnknownError)
    expect((error as Error).message).toBe(
      'POST /tags lost its response (ConnectionError). Check whether it took effect before you repeat it.',
    )
    expect(transport.requests).toHaveLength(1)
  })

  it('counts a 404 for a retried DELETE as success, but not for the first', async () => {
    const gone = { status: 404, body: { error: { code: 'not_found', message: 'Not found.' } } }
    const retried = client(lost, gone)
    expect(await retried.formwire.request({ method: 'DELETE', path: '/tags/1' })).toBeUndefined()
    const first = client(gone).formwire.request({ method: 'DELETE', path: '/tags/1' })
    await expect(first).rejects.toThrow(NotFoundError)
  })

  it('is not validated, since the schemas do not cover it', async () => {
    const transport = fakeTransport({ body: { data: { any: 1 } } })
    const formwire = new Formwire({ apiKey: 'svc_k', transport, validate: 'throw' })
    expect(await formwire.request({ path: '/tags' })).toEqual({ any: 1 })
  })

  it.each([
    '',
    'forms',
    '//evil.example/x',
    'https://evil.example/x',
    '/..',
    '/forms/../../admin',
    '/forms/%2e%2E/admin',
    '/forms/.%2e/x',
    '/forms/./x',
    '/forms//x',
    '/forms/',
    '/forms\\..\\x',
    '/forms?page=2',
    '/forms#x',
    '/forms x',
    '/forms\r\nx',
    '/\u00e9',
    '/api/v1/forms',
    undefined,
    5,
  ])('rejects the path %j', (path) => {
    const { formwire, transport } = client({ body: { data: {} } })
    expect(() => formwire.request({ path: path as string })).toThrow(UsageError)
    expect(() => formwire.request({ path: path as string })).toThrow('"path" must be a path below /api/v1')
    expect(transport.requests).toEqual([])
  })

  it('rejects unknown names, methods, bodies and query values', async () => {
    const { formwire, transport } = client({ body: { data: {} } })
    const wrong: [object, string][] = [
      [{ path: '/x', agnt: {} }, 'request(): unknown name "agnt"'],
      [{ path: '/x', method: 'get' }, '"method" must be one of GET, POST, PUT, PATCH, DELETE, got "get".'],
      [{ path: '/x', body: {} }, '"body" must be an object or an array, and a GET has none.'],
      [{ path: '/x', method: 'PUT', body: 'text' }, '"body" must be an object or an array'],
      [{ path: '/x', query: { a: null } }, '"a" must be a text, a number, a boolean or a Date, got null.'],
      [{ path: '/x', query: { a: [1] } }, '"a" must be a text, a number, a boolean or a Date, got object.'],
      [{ path: '/x', query: 'a=1' }, '"query" must be an object'],
    ]
    for (const [request, message] of wrong) {
      expect(() => formwire.request(request as { path: string })).toThrow(message)
    }
    await expect(formwire.request({ path: '/x' }, { retries: 1 } as object)).rejects.toThrow(
      'unknown name "retries"',
    )
    expect(transport.requests).toEqual([])
  })

  it('has unknown data unless a type is given', () => {
    checkedByCompiler()
    type Result = ReturnType<Formwire['request']>
    expectTypeOf<Result>().toEqualTypeOf<ApiPromise<unknown>>()
  })
})
