import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseInstant } from '../../src/domain/instant.ts'
import { parseQuery, readId, readPage } from '../../src/http/parameters.ts'
import { Router, route } from '../../src/http/router.ts'
import { handlers } from '../../src/http/transports/msw.ts'
import { SocketRequest } from '../../src/http/transports/socket-request.ts'
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'
import { FORM, KEYS, NOW, SEED } from '../conformance/seed.ts'

const open: { close(): unknown }[] = []
afterEach(() => Promise.all(open.splice(0).map((one) => one.close())))

async function start(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const server = createReferenceServer({ seed: SEED, clock: 'manual', now: NOW, ...options })
  open.push(server)
  await server.ready
  return server
}
const authorization = `Bearer ${KEYS.write}`

describe('reading a request', () => {
  it('returns the first value of each parameter, and skips empty pairs', () => {
    expect([...parseQuery('&a=1&&b=x+y%2B&a=2&c&=d&')]).toEqual([
      ['a', '1'],
      ['b', 'x y+'],
      ['c', ''],
      ['', 'd'],
    ])
  })

  it.each([
    ['2026-03-01', 1_772_323_200_000],
    ['2026-03-01 12:30', 1_772_368_200_000],
    ['2026-03-01T12:30:15.25+01:30', 1_772_362_815_250],
    ['2026-03-01T12:30:15.25-0130', 1_772_373_615_250],
    // Rounded up: a whole millisecond at or after it.
    ['2026-03-01T00:00:00.0000001Z', 1_772_323_200_001],
    ['2026-03-01T00:00:00.0010000Z', 1_772_323_200_001],
    ['2026-03-01T23:59:59Z', 1_772_409_599_000],
    ['2026-03-01T00:00+23:59', 1_772_236_860_000],
    ['0001-01-01', -62_135_596_800_000],
    ['2026-03-01T24:00Z', undefined],
    ['2026-03-01T23:60Z', undefined],
    ['2026-03-01T23:59:60Z', undefined],
    ['2026-03-01T00:00+24:00', undefined],
    ['2026-03-01T00:00+00:60', undefined],
    ['2026-02-29', undefined],
    ['2026-13-01', undefined],
    ['2026-00-10', undefined],
    ['2026-03-00', undefined],
  ])('[RESP-02] reads the instant %s as %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant)
  })

  it('[ENV-06] limits pages and ids to their ranges', () => {
    expect(readPage(new Map([['per_page', '100']]))).toEqual({ page: 1, perPage: 100, from: 0 })
    expect(readPage(new Map([['page', '9007199254740991']])).page).toBe(9_007_199_254_740_991)
    expect(() => readPage(new Map([['page', '9007199254740992']]))).toThrow(
      'page must be an integer of at least 1, got "9007199254740992".',
    )
    expect(() => readPage(new Map([['per_page', '101']]))).toThrow(
      'per_page must be an integer from 1 to 100, got "101".',
    )
    expect([readId('1234567890123456'), readId('12345678901234567'), readId('0'), readId('01')]).toEqual([
      1_234_567_890_123_456,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('matches a parameter with a non-empty segment', () => {
    const router = new Router([route('GET', '/a/:id', () => ({ status: 200, headers: {}, body: null }))])
    expect(router.match('GET', '/a/b')).toMatchObject({ params: { id: 'b' } })
    expect(router.match('HEAD', '/a/%2F')).toMatchObject({ params: { id: '/' } })
    for (const [method, path] of [
      ['GET', '/a/'],
      ['GET', '/a'],
      ['GET', '/b/c'],
      ['GET', '/a/b/'],
      ['POST', '/a/b'],
    ] as const)
      expect([method, path, router.match(method, path)]).toEqual([method, path, undefined])
  })

  it('[RATE-02] returns the IPv4 address of an IPv4 peer of a dual-stack socket', () => {
    const addressOf = (remoteAddress: string | undefined) =>
      new SocketRequest({ url: '/', headers: {}, socket: { remoteAddress } } as never, {} as never).address
    expect(['::ffff:10.0.0.1', '10.0.0.1', '::1', undefined].map(addressOf)).toEqual([
      '10.0.0.1',
      '10.0.0.1',
      '::1',
      '0.0.0.0',
    ])
  })

  it('ignores the fragment of a URL', async () => {
    const server = await start()
    await server.fetch('http://formwire.test/api/v1/me?a=1#b?c=2', { headers: { authorization } })
    await server.fetch('http://formwire.test/api/v1/me#a?b=1', { headers: { authorization } })
    await server.fetch('http://formwire.test?a=/api/v1/me', { headers: { authorization } })
    expect(server.app.requests.list().map(({ path, query }) => [path, query])).toEqual([
      ['/api/v1/me', ''],
      ['/api/v1/me', 'a=1'],
    ])
  })

  it('[ERR-01] accepts a body of exactly 1 MiB, and not one byte more, over every transport', async () => {
    const server = await start()
    const { url } = await server.listen({ port: 0 })
    const bodyOf = (bytes: number): string => {
      const text = '{"title":"New","pad":""}'
      return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`)
    }
    const patch = async (send: typeof fetch, root: string, bytes: number, chunked: boolean) => {
      const body = bodyOf(bytes)
      const response = await send(`${root}/api/v1/forms/${FORM}`, {
        method: 'PATCH',
        headers: {
          authorization,
          'content-type': 'application/json; profile=x',
          'content-encoding': 'identity',
        },
        body: chunked ? new Blob([body]).stream() : body,
        ...(chunked && { duplex: 'half' }),
      } as RequestInit)
      return response.status
    }
    const inProcess = ((input: string, init: RequestInit) =>
      server.fetch(new Request(input, init))) as typeof fetch
    for (const [send, root] of [
      [fetch, url],
      [inProcess, 'http://formwire.test'],
    ] as const)
      for (const chunked of [false, true])
        expect([
          root,
          chunked,
          await patch(send, root, 1_048_576, chunked),
          await patch(send, root, 1_048_577, chunked),
        ]).toEqual([root, chunked, 200, 400])
  })

  it('serves requests below a base URL with a path', async () => {
    const server = await start()
    const mock = setupServer(...handlers(server, { baseUrl: 'https://forms.example.com/base/' }))
    mock.listen({ onUnhandledRequest: 'error' })
    open.push(mock)
    const response = await fetch('https://forms.example.com/base/api/v1/me?a=1', {
      headers: { authorization },
    })
    expect(response.status).toBe(200)
    expect(server.app.requests.list()[0]).toMatchObject({ path: '/api/v1/me', query: 'a=1' })
    server.app.faults.add({ reset: true })
    await expect(fetch('https://forms.example.com/base/api/v1/me')).rejects.toThrow('Failed to fetch')
    // Not below the base URL, so it is nobody's. msw prints that.
    const print = vi.spyOn(console, 'error').mockReturnValue()
    for (const url of ['https://forms.example.com/basement/api/v1/me', 'https://other.example.com/base/'])
      await expect(fetch(url)).rejects.toThrow('Cannot bypass a request')
    expect(print).toHaveBeenCalledTimes(2)
    print.mockRestore()
    expect(server.app.requests.list()).toHaveLength(2)
  })
})

describe('a page past the end', () => {
  it('[ENV-06] starts where the list ends, and is never page 1', async () => {
    const server = await start({ unspecified: { pagePastEnd: '422' } })
    const status = async (path: string, query: string) =>
      (
        await server.fetch(`http://formwire.test/api/v1/forms/${path}?${query}`, {
          headers: { authorization },
        })
      ).status
    const three = `${FORM}/responses`
    expect([
      await status(three, 'per_page=3&page=2'),
      await status(three, 'per_page=2&page=2'),
      await status(three, 'per_page=1&page=3'),
      await status(three, 'per_page=1&page=4'),
      await status('formclosed01/responses', 'page=1'),
    ]).toEqual([422, 200, 200, 422, 200])
  })
})

describe('authenticating a key', () => {
  it('[AUTH-10] rejects a key whose user is not a member of its workspace, as in an edited snapshot', async () => {
    const server = await start()
    const me = async () =>
      (await server.fetch('http://formwire.test/api/v1/me', { headers: { authorization } })).status
    expect(await me()).toBe(200)
    const snapshot = structuredClone(server.app.snapshot.take())
    const people = snapshot.state.people as { memberships: readonly { userId: number }[] }
    people.memberships = people.memberships.filter(({ userId }) => userId !== 1)
    server.app.snapshot.restore(snapshot)
    expect(await me()).toBe(401)
  })

  it('[AUTH-01] rejects a key followed by more characters', async () => {
    const server = await start()
    const status = async (header: string) =>
      (await server.fetch('http://formwire.test/api/v1/me', { headers: { authorization: header } })).status
    const headers = [
      `Bearer ${KEYS.write} x`,
      `Bearer ${KEYS.write}\tx`,
      `Bearer${KEYS.write}`,
      `Bearer  ${KEYS.write}  `,
    ]
    expect(await Promise.all(headers.map(status))).toEqual([401, 401, 401, 200])
  })
})

describe('finishing a response', () => {
  it('[ENV-04] sends the length of the body after fields were added', async () => {
    const server = await start({ unspecified: { extraFields: 'true' } })
    const { url } = await server.listen({ port: 0 })
    for (const path of ['/me', `/forms/${FORM}/responses/1`, `/forms/${FORM}/responses`]) {
      const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization } })
      const text = await response.text()
      expect([path, response.headers.get('content-length')]).toEqual([path, String(Buffer.byteLength(text))])
      expect(JSON.parse(text)).toHaveProperty('x_added_later')
    }
  })

  it('varies by Accept-Encoding when compressed', async () => {
    const server = await start({ unspecified: { compression: 'gzip' } })
    const encoded = async (accepted: string) => {
      const { headers } = await server.fetch('http://formwire.test/api/v1/me', {
        headers: { authorization, 'accept-encoding': accepted },
      })
      return [headers.get('content-encoding'), headers.get('vary')]
    }
    expect([await encoded('gzip'), await encoded('br')]).toEqual([
      ['gzip', 'Accept-Encoding'],
      [null, null],
    ])
  })
})
