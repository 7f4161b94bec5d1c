import { describe, expect, it } from 'vitest'
import { Formwire, PaginationError, type Transport } from '../../src/index.ts'
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

  it('skips an item of an earlier page when rows are inserted before it', async () => {
    const model = filled(6)
    model.beforeAnswer = (request) => {
      if (request === 2) model.insert(1_000_000_000n)
    }
    expect(await ids(client(model.transport).responses.list('abc', { per_page: 3 }))).toEqual([
      6, 5, 4, 3, 2, 1,
    ])
  })

  it('goes back when total shrinks, so that nothing is skipped', async () => {
    const model = filled(6)
    model.beforeAnswer = (request) => {
      if (request === 2) model.remove(0)
    }
    expect(await ids(client(model.transport).responses.list('abc', { per_page: 3 }))).toEqual([
      6, 5, 4, 3, 2, 1,
    ])
  })

  it('[ENV-06] starts over after a page past the end is rejected, since the list may have shrunk and grown again', async () => {
    const model = filled(4)
    model.pastEnd = '422'
    let now = 1_000_000_000n
    const insert = (): void => {
      now += 1n
      model.insert(now)
    }
    const remove = (): unknown => model.remove(0)
    const changes = [[insert], [insert, insert], [remove, remove], [remove], [insert], [remove]]
    model.beforeAnswer = (request) => {
      for (const change of changes[request - 2] ?? []) change()
    }
    expect(await ids(client(model.transport).responses.list('abc', { per_page: 2 }))).toContain(1)
  })

  it('[ENV-06] continues however often a list is emptied and refilled between two requests', async () => {
    const model = filled(2)
    model.pastEnd = '422'
    let now = 1_000_000_000n
    model.beforeAnswer = (request) => {
      if (request === 1 || request > 13) return
      // Empty when page 2 is asked for, as long as before when page 1 is.
      while (model.rows.length > 0) model.remove(0)
      for (let rows = 0; request % 2 === 1 && rows < 2; rows += 1) {
        now += 1n
        model.insert(now)
      }
    }
    const given = await ids(client(model.transport).responses.list('abc', { per_page: 1 }))
    expect(given).toEqual(expect.arrayContaining(model.rows.map(({ id }) => id)))
    expect(model.rows.length).toBe(2)
  })

  it('[ENV-06] throws if the service rejects a page that an unchanged list should have, at any position', async () => {
    const model = filled(8)
    const asked: (string | null)[] = []
    const transport: Transport = async (request) => {
      const page = new URL(request.url).searchParams.get('page') ?? '1'
      asked.push(page)
      if (Number(page) < 3) return model.transport(request)
      return {
        status: 422,
        headers: new Headers({ 'content-type': 'application/json' }),
        body: '{"error":{"code":"validation_failed","message":"no such page","details":{"field":"page"}}}',
      }
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
