import { describe, expect, it } from 'vitest'
import { Formwire, PaginationError, ResponseTooLargeError, type Transport } from '../../src/index.ts'
import { fakeTransport, respond } from '../support/fake-transport.ts'
import { ModelService } from '../support/model-service.ts'

const client = (transport: Transport) => new Formwire({ apiKey: 'svc_k', transport, rateLimit: false })

async function ids(list: AsyncIterable<{ id: number | string }>): Promise<(number | string)[]> {
  const all: (number | string)[] = []
  for await (const { id } of list) all.push(id)
  return all
}

function filled(count: number): ModelService {
  const model = new ModelService()
  model.fill(Array.from({ length: count }, (_, index) => BigInt(index) * 1_000_000n))
  return model
}

describe('pages', () => {
  it('returns one page with data, meta and the next page when awaited', async () => {
    const model = filled(5)
    const page = await client(model.transport).responses.list('abc', { per_page: 2 })
    expect(page.data.map(({ id }) => id)).toEqual([5, 4])
    expect(page.meta).toEqual({ page: 1, per_page: 2, total: 5 })
    expect([...page].map(({ id }) => id)).toEqual([5, 4])
    expect(page.hasNextPage()).toBe(true)
    const last = await (await page.nextPage()).nextPage()
    expect(last.data.map(({ id }) => id)).toEqual([1])
    expect(last.hasNextPage()).toBe(false)
    await expect(last.nextPage()).rejects.toThrow(PaginationError)
    expect(model.requests).toBe(3)
  })

  it('yields every item from the requested page on when iterated', async () => {
    const model = filled(7)
    const { responses } = client(model.transport)
    expect(await ids(responses.list('abc', { per_page: 3 }))).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect(model.requests).toBe(3)
    expect(await ids(responses.list('abc', { per_page: 3, page: 2 }))).toEqual([4, 3, 2, 1])
  })

  it('requests no page past the end if total is reached', async () => {
    const model = filled(6)
    model.pastEnd = '422'
    expect(await ids(client(model.transport).responses.list('abc', { per_page: 3 }))).toHaveLength(6)
    expect(model.requests).toBe(2)
  })

  it('sends nothing after the loop is left', async () => {
    const model = filled(9)
    for await (const { id } of client(model.transport).responses.list('abc', { per_page: 3 }))
      if (id === 8) break
    expect(model.requests).toBe(1)
  })

  it.each([
    ['forms', 200],
    ['drafts', 150],
  ])('[FORM-01] yields all %s of two pages when one moves to the front meanwhile', async (list, total) => {
    const model = filled(total)
    model.beforeAnswer = (request) => {
      if (request === 2) model.touch(total - 1, 1_000_000_000n)
    }
    const { forms, responses } = client(model.transport)
    const rows =
      list === 'forms'
        ? forms.list({ per_page: 100 })
        : responses.list('abc', { status: 'in_progress', per_page: 100 })
    const given = await ids(rows)
    expect(given).toHaveLength(total)
    expect(new Set(given).size).toBe(total)
    expect(given.at(-1)).toBe(1)
    expect(model.requests).toBe(3)
  })

  it('[FORM-01] reads each page of forms that do not move once', async () => {
    const model = filled(250)
    expect(await ids(client(model.transport).forms.list({ per_page: 100 }))).toHaveLength(250)
    expect(model.requests).toBe(3)
  })

  it('[FORM-01] throws if forms move faster than the list can be read', async () => {
    const model = filled(4)
    let now = 1_000_000_000n
    const transport: Transport = (request) => {
      now += 1n
      if (/[?&]page=2\b/.test(request.url)) {
        model.touch(model.rows.length - 1, now)
        model.insert(now)
      }
      return model.transport(request)
    }
    await expect(ids(client(transport).forms.list({ per_page: 2 }))).rejects.toThrow(/move faster/)
    expect(model.requests).toBeLessThan(100)
  })

  it('[FORM-01] reads a list whose total is never reached twice, not for ever', async () => {
    const rows = [[{ id: 1 }, { id: 2 }], [{ id: 3 }]]
    const transport = fakeTransport(({ url }) => {
      const page = Number(new URL(url).searchParams.get('page') ?? 1)
      return { body: { data: rows[page - 1], meta: { page, per_page: 2, total: 9 } } }
    })
    expect(await ids(client(transport).forms.list({ per_page: 2 }))).toEqual([1, 2, 3])
    expect(transport.requests).toHaveLength(4)
  })

  it('halves pages that are larger than maxResponseBytes, from the first or from a later one on, and doubles them again', async () => {
    for (const long of [[40], [1], [20, 21]]) {
      const model = filled(40)
      model.fits = (rows) => rows.length === 1 || !rows.some(({ id }) => long.includes(id))
      const given = await ids(client(model.transport).responses.list('abc', { per_page: 8 }))
      expect(given).toEqual(Array.from({ length: 40 }, (_, index) => 40 - index))
      expect(model.requests).toBeLessThan(40)
    }
    const model = filled(4)
    model.fits = (rows) => !rows.some(({ id }) => id === 2)
    const list = client(model.transport).responses.list('abc')
    await expect(ids(list)).rejects.toThrow(ResponseTooLargeError)
  })

  it('[ENV-06] throws if the service rejects a page that an unchanged list should have, at any position', async () => {
    const model = filled(8)
    const asked: (string | null)[] = []
    const error = { code: 'validation_failed', message: 'no such page', details: { field: 'page' } }
    const transport: Transport = async (request) => {
      const page = new URL(request.url).searchParams.get('page') ?? '1'
      asked.push(page)
      return Number(page) < 3 ? model.transport(request) : respond({ status: 422, body: { error } })
    }
    await expect(ids(client(transport).responses.list('abc', { per_page: 2 }))).rejects.toThrow(
      'no such page',
    )
    expect(asked).toEqual(['1', '2', '3', '1', '2', '3', '1', '2', '3', '1', '2', '3'])
  })

  it('detects an API that ignores page, whether or not meta shows it', async () => {
    const rows = [{ id: 1 }, { id: 2 }]
    const admits = fakeTransport({ body: { data: rows, meta: { page: 1, per_page: 2, total: 8 } } })
    await expect(ids(client(admits).responses.list('abc', { per_page: 2 }))).rejects.toThrow(/ignores "page"/)
    const denies: Transport = async ({ url }) => {
      const page = Number(new URL(url).searchParams.get('page') ?? 1)
      return respond({ body: { data: rows, meta: { page, per_page: 2, total: 4 } } })
    }
    await expect(ids(client(denies).responses.list('abc', { per_page: 2 }))).rejects.toThrow(PaginationError)
  })

  it('detects a list that never ends', async () => {
    let next = 0
    const endless: Transport = async ({ url }) => {
      const page = Number(new URL(url).searchParams.get('page') ?? 1)
      next += 1
      return respond({ body: { data: [{ id: next }], meta: { page, per_page: 1, total: 0 } } })
    }
    await expect(ids(client(endless).responses.list('abc', { per_page: 1 }))).rejects.toThrow(/never ends/)
  })

  it('uses the per_page of the response, not the requested one', async () => {
    const model = filled(7)
    const capped: Transport = (request) =>
      model.transport({ ...request, url: request.url.replace('per_page=100', 'per_page=2') })
    expect(await ids(client(capped).responses.list('abc', { per_page: 100 }))).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  it('accepts the endpoints of a form with and without meta', async () => {
    const endpoints = [{ id: 1, url: 'https://x.example', active: true, created_at: '2026-11-21T00:00:00Z' }]
    for (const meta of [undefined, { page: 1, per_page: 25, total: 1 }]) {
      const { webhooks } = client(fakeTransport({ body: { data: endpoints, meta } }))
      expect(await ids(webhooks.list('abc'))).toEqual([1])
      expect((await webhooks.list('abc')).hasNextPage()).toBe(false)
    }
  })

  it('[ENV-04] keeps unknown fields in items, lists and meta', async () => {
    const body = {
      data: [{ id: 1, new_field: { a: 1 } }],
      meta: { page: 1, per_page: 25, total: 1, cursor: 'x' },
      links: {},
    }
    const page = await client(fakeTransport({ body })).responses.list('abc')
    expect(page.data[0]).toEqual({ id: 1, new_field: { a: 1 } })
    expect(page.meta).toEqual({ page: 1, per_page: 25, total: 1, cursor: 'x' })
  })

  it('returns the HTTP response of a page and of an object', async () => {
    const transport = fakeTransport({
      headers: { 'x-request-id': 'req_1' },
      body: { data: [], meta: { page: 1, per_page: 25, total: 0 } },
    })
    const { data, response } = await client(transport).forms.list().withResponse()
    expect(data.data).toEqual([])
    expect(response).toMatchObject({ status: 200, requestId: 'req_1', attempts: 1 })
    expect(response.headers.get('content-type')).toBe('application/json')
  })
})
