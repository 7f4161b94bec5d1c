import { describe, expect, it } from 'vitest'
import {
  Formwire,
  isPaginationError,
  isResponseTooLargeError,
  isUsageError,
  type PollState,
  type Transport,
  type WalkedResponse,
  type WalkOptions,
} from '../../src/index.ts'
import { fakeTransport, respond } from '../support/fake-transport.ts'
import { formats, ModelService } from '../support/model-service.ts'
import { SECOND, START } from '../support/poll.ts'

const at = (second: number) => START + BigInt(second) * SECOND
const timeOf = (second: number) => formats.milliseconds(at(second))

/** A form with a response per second, of which 1 is the oldest. */
function form(seconds: readonly number[]) {
  const model = new ModelService()
  model.fill(seconds.map(at))
  const formwire = new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false })
  const walk = async (options: WalkOptions): Promise<WalkedResponse[]> => {
    const all: WalkedResponse[] = []
    for await (const one of formwire.responses.walk('abc', options)) all.push(one)
    return all
  }
  const ids = async (options: WalkOptions) => (await walk(options)).map(({ response }) => response.id)
  return { model, formwire, walk, ids }
}

describe('walking the responses of a form', () => {
  it.each<[string, Omit<WalkOptions, 'order'>, number[]]>([
    ['everything', {}, [1, 2, 3, 4, 5, 6]],
    ['from a time on', { from: timeOf(2) }, [3, 4, 5, 6]],
    ['up to a time', { until: new Date(Number(at(2) / 1_000_000n)) }, [1, 2, 3, 4]],
    ['between two times', { from: timeOf(1), until: timeOf(2) }, [2, 3, 4]],
    ['after a position', { from: { version: 1, since: timeOf(2), ids: [3] } }, [4, 5, 6]],
    ['up to a position', { until: { version: 1, since: timeOf(1), ids: [2] } }, [1, 2]],
    ['nothing', { from: timeOf(5) }, []],
  ])('[RESP-01] yields %s, oldest first, in pages of any size', async (_name, options, expected) => {
    for (const perPage of [1, 2, 100])
      expect(await form([0, 1, 2, 2, 3, 4]).ids({ order: 'oldest', perPage, ...options })).toEqual(expected)
  })

  it.each<[string, Omit<WalkOptions, 'order'>, number[]]>([
    ['everything', {}, [6, 5, 4, 3, 2, 1]],
    ['from a time back', { from: timeOf(2) }, [4, 3, 2, 1]],
    ['back to a time', { until: timeOf(2) }, [6, 5, 4, 3]],
    ['between two times', { from: timeOf(2), until: timeOf(1) }, [4, 3, 2]],
    ['before a position', { from: { version: 1, since: timeOf(2), ids: [4] } }, [3, 2, 1]],
    ['nothing', { from: '1970-01-01' }, []],
  ])('[RESP-01] yields %s, newest first, in pages of any size', async (_name, options, expected) => {
    for (const perPage of [1, 2, 100])
      expect(await form([0, 1, 2, 2, 3, 4]).ids({ order: 'newest', perPage, ...options })).toEqual(expected)
  })

  it.each(['oldest', 'newest'] as const)(
    '[POLL-02] continues, %s first, from the position of any response, as JSON',
    async (order) => {
      const { walk, ids } = form([0, 1, 1, 1, 2, 3, 3])
      const all = await walk({ order, perPage: 2 })
      for (const [index, { position }] of all.entries()) {
        const from = JSON.parse(JSON.stringify(position)) as PollState
        expect(await ids({ order, perPage: 2, from })).toEqual(
          all.slice(index + 1).map(({ response }) => response.id),
        )
      }
      const [since, tied] = order === 'oldest' ? [timeOf(1), [2, 3]] : [timeOf(2), [5]]
      expect(all[2]?.position).toEqual({ version: 1, since, ids: tied })
    },
  )

  it.each([
    [0, { requests: 1, firstAt: undefined }],
    [100, { requests: 1, firstAt: 1 }],
    [1_000, { requests: 10, firstAt: 10 }],
    [2_500, { requests: 30, firstAt: 2 }],
    // Five percent more requests than pages.
    [50_000, { requests: 524, firstAt: 2 }],
  ])(
    'reads %i responses, oldest first, with few requests, and the first ones of many after two',
    async (count, expected) => {
      const { model, formwire } = form(Array.from({ length: count }, (_, second) => second))
      let firstAt: number | undefined
      let pages = 0
      const walk = formwire.responses.walk('abc', {
        order: 'oldest',
        onPage: ({ meta }) => (pages += Number(meta.total > 0)),
      })
      for await (const _ of walk) firstAt ??= model.requests
      expect({ requests: model.requests, firstAt }).toEqual(expected)
      expect(pages).toBe(count > 0 ? model.requests : 0)
    },
  )

  it('finds a position deep in a long list in a few requests', async () => {
    const { model, ids } = form(Array.from({ length: 5_000 }, (_, second) => second))
    const from = { version: 1 as const, since: timeOf(9), ids: [10] }
    expect(await ids({ order: 'newest', from, perPage: 10 })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(model.requests).toBeLessThanOrEqual(12)
  })

  it.each(['oldest', 'newest'] as const)(
    'halves pages that are larger than maxResponseBytes, %s first, down to one response',
    async (order) => {
      const { model, ids } = form(Array.from({ length: 60 }, (_, second) => second))
      model.fits = (rows) => rows.length === 1 || !rows.some(({ id }) => id === 1 || id === 30 || id === 60)
      const given = await ids({ order, perPage: 16 })
      const expected = Array.from({ length: 60 }, (_, index) => index + 1)
      expect(given).toEqual(order === 'oldest' ? expected : expected.reverse())
      model.fits = (rows) => !rows.some(({ id }) => id === 1)
      await expect(ids({ order })).rejects.toSatisfy(isResponseTooLargeError)
    },
  )

  it('reads pages of the size that fits from round to round of a poll, and tries larger ones after eight full ones', async () => {
    const { model, formwire } = form(Array.from({ length: 20 }, (_, second) => second))
    const controller = new AbortController()
    const given: number[] = []
    let largest = 0
    model.fits = (rows) => {
      largest = Math.max(largest, rows.length)
      return rows.length <= 3
    }
    for await (const { id } of formwire.responses.poll('abc', { intervalMs: 1, signal: controller.signal })) {
      given.push(id)
      if (id === 20) {
        largest = 0
        model.fill(Array.from({ length: 8 }, (_, second) => at(30 + second)))
      }
      if (id === 28) controller.abort()
    }
    expect(given).toEqual(Array.from({ length: 28 }, (_, index) => index + 1))
    expect(largest).toBeLessThanOrEqual(6)
  })

  it('[RESP-02] yields drafts in both orders, one that is saved again meanwhile too, without a position', async () => {
    const { model, walk } = form(Array.from({ length: 150 }, (_, second) => second))
    model.beforeAnswer = (request) => {
      if (request === 2) model.touch(149, at(200))
    }
    const drafts = await walk({ order: 'newest', status: 'in_progress', until: timeOf(0) })
    expect(drafts).toHaveLength(150)
    expect(drafts.at(-1)).toEqual({ response: expect.objectContaining({ id: 1 }), position: undefined })
    const reverse = await walk({ order: 'oldest', status: 'in_progress', from: timeOf(148) })
    expect(reverse.map(({ response }) => response.id)).toEqual([149, 150, 1])
  })

  it('[RESP-01] throws if a page is not newest first', async () => {
    const rows = [5, 7].map((id) => ({ id, submitted_at: timeOf(id) }))
    const transport = fakeTransport({ body: { data: rows, meta: { page: 1, per_page: 100, total: 2 } } })
    const { responses } = new Formwire({ apiKey: 'svc_k', transport, rateLimit: false })
    for (const order of ['oldest', 'newest'] as const)
      await expect(responses.walk('abc', { order }).next()).rejects.toSatisfy(isPaginationError)
  })

  it.each([
    ['oldest', 40],
    ['newest', 25],
    ['newest', 40],
  ] as const)(
    '[RESP-01] throws at the end, %s first, if responses of second %i are on a later page than they should be',
    async (order, late) => {
      const rows = [30, 29, 20, 19, late, late - 1].map((second, id) => ({
        id,
        submitted_at: timeOf(second),
      }))
      const transport: Transport = async ({ url }) => {
        const query = new URL(url).searchParams
        const since = Date.parse(query.get('since') ?? '1970-01-01')
        const listed = rows.filter(({ submitted_at }) => Date.parse(submitted_at) >= since)
        const page = Number(query.get('page'))
        const meta = { page, per_page: 2, total: listed.length }
        return respond({ body: { data: listed.slice(page * 2 - 2, page * 2), meta } })
      }
      const { responses } = new Formwire({ apiKey: 'svc_k', transport, rateLimit: false })
      const given: number[] = []
      const walked = (async () => {
        for await (const { response } of responses.walk('abc', { order, perPage: 2 })) given.push(response.id)
      })()
      await expect(walked).rejects.toMatchObject({
        name: 'PaginationError',
        message: '/forms/abc/responses is not newest first: 2 more on later pages.',
      })
      expect(new Set(given)).toEqual(new Set([0, 1, 2, 3]))
    },
  )

  it.each<[string, object]>([
    ['no order', {}],
    ['another order', { order: 'random' }],
    ['another status', { order: 'oldest', status: 'lost' }],
    ['a page of 101', { order: 'oldest', perPage: 101 }],
    ['no instant', { order: 'oldest', from: 'yesterday' }],
    ['an invalid Date', { order: 'oldest', until: new Date(Number.NaN) }],
    ['no position', { order: 'newest', from: { version: 1, since: timeOf(1), ids: ['a'] } }],
    ['a newer end of drafts', { order: 'newest', status: 'in_progress', from: timeOf(1) }],
    [
      'a position of drafts',
      { order: 'oldest', status: 'in_progress', from: { version: 1, since: timeOf(1), ids: [1] } },
    ],
    ['an unknown name', { order: 'oldest', since: timeOf(1) }],
  ])('rejects %s at the call', (_name, options) => {
    const { formwire } = form([])
    expect(() => formwire.responses.walk('abc', options as WalkOptions)).toThrow(
      expect.toSatisfy(isUsageError),
    )
  })

  it('ends where the total is larger than the list', async () => {
    const { model } = form(Array.from({ length: 12 }, (_, second) => second))
    const transport: Transport = async (request) => {
      const { meta, data } = JSON.parse((await model.transport(request)).body as string)
      return respond({ body: { data, meta: { ...meta, total: meta.total + 1 } } })
    }
    const formwire = new Formwire({ apiKey: 'svc_k', transport, rateLimit: false })
    const ids: number[] = []
    for await (const { response } of formwire.responses.walk('abc', { order: 'oldest', perPage: 1 }))
      ids.push(response.id)
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })
})
