import { describe, expect, it } from 'vitest'
import {
  CheckpointError,
  type CheckpointStore,
  memoryCheckpoint,
  NotFoundError,
  type Pause,
  type Transport,
  UnauthorizedError,
  UsageError,
} from '../../src/index.ts'
import { respond, systemError } from '../support/fake-transport.ts'
import { settled } from '../support/manual-clock.ts'
import { formats } from '../support/model-service.ts'
import { filled, idsOf, openStore, SECOND, START, setUp } from '../support/poll.ts'

describe('poll', () => {
  it('[POLL-01] yields the backlog oldest first, each response once', async () => {
    expect(await setUp(filled(230)).once()).toEqual(Array.from({ length: 230 }, (_, index) => index + 1))
  })

  it('[POLL-01] sends the newest instant in the spelling of the service, and skips repeated responses', async () => {
    const model = filled(3)
    model.format = formats.elsewhere
    const urls: string[] = []
    const transport: Transport = (request) => {
      urls.push(new URL(request.url).search)
      return model.transport(request)
    }
    const checkpoint = memoryCheckpoint()
    const { once } = setUp(model, { transport })
    expect(await once({ checkpoint })).toEqual([1, 2, 3])
    model.insert(START + 2n * SECOND)
    model.insert(START + 3n * SECOND)
    expect(await once({ checkpoint })).toEqual([4, 5])
    expect(urls).toEqual([
      '?page=1&per_page=100',
      '?since=2026-09-21T15%3A13%3A22.000000000%2B01%3A00&page=1&per_page=100',
    ])
  })

  it('begins at the checkpoint, or at since if there is none', async () => {
    const model = filled(5)
    const { once } = setUp(model)
    const since = new Date(Number(START / 1_000_000n) + 3000)
    expect(await once({ since })).toEqual([4, 5])
    expect(await once({ since: since.toISOString() })).toEqual([4, 5])
    const checkpoint = memoryCheckpoint()
    expect(await once({ since, checkpoint })).toEqual([4, 5])
    expect(await once({ checkpoint, since: '2001-01-01' })).toEqual([])
    const empty = { load: () => null, save: () => {} }
    expect(await once({ since, checkpoint: empty })).toEqual([4, 5])
  })

  it('moves the checkpoint past a response only when the next one is requested', async () => {
    const store = openStore()
    const poll = setUp(filled(3)).poll({ checkpoint: store, once: true })
    expect((await poll.next()).value).toMatchObject({ id: 1 })
    expect(store.states.size).toBe(0)
    expect((await poll.next()).value).toMatchObject({ id: 2 })
    expect(store.states.get('abcdefghijkl')).toEqual({
      version: 1,
      since: '2026-09-21T14:13:20.000Z',
      ids: [1],
    })
    // Leaving the loop with 2 in hand: its handling is not known to have ended.
    await poll.return()
    expect(store.states.get('abcdefghijkl')?.ids).toEqual([1])
  })

  it('saves less often with saveEvery, and saves the rest when the loop is left', async () => {
    const store = openStore()
    for await (const { id } of setUp(filled(10)).poll({ checkpoint: store, once: true, saveEvery: 4 })) {
      if (id === 5) expect(store.states.get('abcdefghijkl')?.ids).toEqual([4])
      if (id === 7) break
    }
    expect(store.states.get('abcdefghijkl')?.ids).toEqual([6])
    expect(store.saves).toBe(2)
  })

  it('[POLL-02] yields ties that fill more than a page and more than a block, also across restarts', async () => {
    const model = filled(400, 0n)
    const store = openStore()
    const { poll, once } = setUp(model)
    const given: number[] = []
    for await (const { id } of poll({ checkpoint: store, once: true, per_page: 3 })) {
      if (given.length === 150) break
      given.push(id)
    }
    given.push(...(await once({ checkpoint: store, per_page: 3 })))
    model.insert(START)
    given.push(...(await once({ checkpoint: store, per_page: 3 })))
    expect(new Set(given).size).toBe(401)
    expect(given.length).toBe(401)
  })

  it('waits between polls: the interval after new responses, increasing when idle, with jitter', async () => {
    const model = filled(1)
    const { clock, poll } = setUp(model)
    const controller = new AbortController()
    const ids: number[] = []
    const run = idsOf(poll({ intervalMs: 1000, maxIntervalMs: 2000, signal: controller.signal }), ids)
    const requestsAfter = async (ms: number): Promise<number> => {
      await clock.advance(ms)
      return model.requests
    }
    expect(await requestsAfter(0)).toBe(1)
    expect(await requestsAfter(999)).toBe(1)
    expect(await requestsAfter(1)).toBe(2)
    expect(await requestsAfter(1000)).toBe(3)
    expect(await requestsAfter(1499)).toBe(3)
    expect(await requestsAfter(1)).toBe(4)
    expect(await requestsAfter(2000)).toBe(5)
    expect(await requestsAfter(2000)).toBe(6)
    model.insert(START + 9n * SECOND)
    expect(await requestsAfter(2000)).toBe(7)
    expect(ids).toEqual([1, 2])
    expect(await requestsAfter(1000)).toBe(8)
    controller.abort()
    await run
    expect(clock.pending).toBe(0)
  })

  it('ends without an error when its signal aborts: during a wait, a request or the work of the consumer', async () => {
    const waiting = setUp(filled(1))
    const controller = new AbortController()
    const run = idsOf(waiting.poll({ signal: controller.signal }))
    await settled()
    controller.abort()
    await run
    expect(waiting.clock.pending).toBe(0)

    const asking = setUp(filled(1), { transport: () => new Promise(() => {}) })
    const second = new AbortController()
    const next = asking.poll({ signal: second.signal }).next()
    await settled()
    second.abort()
    expect(await next).toEqual({ done: true, value: undefined })

    const store = openStore()
    const third = new AbortController()
    const ids: number[] = []
    for await (const { id } of setUp(filled(5)).poll({ signal: third.signal, checkpoint: store })) {
      ids.push(id)
      if (id === 2) third.abort()
    }
    expect(ids).toEqual([1, 2])
    expect(store.states.get('abcdefghijkl')?.ids).toEqual([2])

    const before = setUp(filled(5)).poll({ signal: AbortSignal.abort() })
    expect(await before.next()).toEqual({ done: true, value: undefined })
  })

  it.each([
    ['the form is deleted', 404, 'not_found', NotFoundError],
    ['the key is revoked', 401, 'unauthorized', UnauthorizedError],
  ])('throws a typed error when %s', async (_name, status, code, Class) => {
    const model = filled(1)
    const transport: Transport = async (request) =>
      model.requests === 0
        ? model.transport(request)
        : respond({ status, body: { error: { code, message: 'No.' } } })
    const { clock, ...client } = setUp(model, { transport })
    const poll = client.poll()
    expect((await poll.next()).value).toMatchObject({ id: 1 })
    await expect(clock.runUntil(poll.next())).rejects.toThrow(Class)
  })

  it.each([
    ['the network is lost', () => Promise.reject(systemError('ECONNRESET', 'read'))],
    [
      'the service is down',
      async () => respond({ status: 503, body: '<html>', headers: { 'content-type': 'text/html' } }),
    ],
    ['the response is truncated', async () => respond({ body: '{"data":[' })],
    [
      'a proxy sends pages',
      async () => respond({ status: 404, body: '<html>', headers: { 'content-type': 'text/html' } }),
    ],
  ])('[POLL-02] pauses while %s, and resumes automatically', async (_name, fail) => {
    const model = filled(2)
    let failures = 12
    const transport: Transport = (request) => {
      failures -= 1
      return failures >= 0 ? fail() : model.transport(request)
    }
    const { clock, ...client } = setUp(model, { transport })
    const pauses: Pause[] = []
    const poll = client.poll({ onPause: (pause) => pauses.push(pause) })
    expect((await clock.runUntil(poll.next())).value).toMatchObject({ id: 1 })
    expect(pauses.length).toBeGreaterThanOrEqual(3)
    expect(pauses[0]).toMatchObject({ attempt: 1, waitMs: 750 })
    expect(pauses[2]).toMatchObject({ attempt: 3, waitMs: 3000 })
    await poll.return()
  })

  it('[ERR-05] waits for the Retry-After of a 429 within an outage, and then continues with the backoff', async () => {
    const model = filled(1)
    const steps = [
      { status: 503, body: 'down' },
      { status: 503, body: 'down' },
      {
        status: 429,
        headers: { 'retry-after': '7' },
        body: { error: { code: 'rate_limited', message: 'Slow.' } },
      },
      { status: 503, body: 'down' },
    ]
    const transport: Transport = async (request) => {
      const next = steps.shift()
      return next ? respond(next) : model.transport(request)
    }
    const { clock, ...client } = setUp(model, { transport, maxRetries: 0 })
    const pauses: Pause[] = []
    const began = clock.now()
    const poll = client.poll({ onPause: (pause) => pauses.push(pause) })
    expect((await clock.runUntil(poll.next())).value).toMatchObject({ id: 1 })
    expect(pauses.map(({ error, attempt, waitMs }) => [error.name, attempt, waitMs])).toEqual([
      ['ServerError', 1, 750],
      ['ServerError', 2, 1500],
      ['RateLimitError', 3, 7000],
      ['ServerError', 4, 6000],
    ])
    expect(clock.now() - began).toBe(15_250)
    await poll.return()
  })

  it('throws during an outage instead of waiting, with once', async () => {
    const transport: Transport = () => Promise.reject(systemError('ECONNREFUSED', 'connect'))
    await expect(setUp(filled(1), { transport }).once()).rejects.toThrow(/could not connect/)
  })

  it('yields late rows once with lookbackMs, and not at all without it', async () => {
    for (const lookbackMs of [0, 10_000]) {
      const model = filled(20)
      const checkpoint = memoryCheckpoint()
      const { once } = setUp(model)
      expect(await once({ checkpoint, lookbackMs })).toHaveLength(20)
      // The window is part of a short list.
      expect(model.requests).toBe(1)
      const late = model.insert(START + 15n * SECOND + 1n)
      const tooLate = model.insert(START + 3n * SECOND)
      const fresh = model.insert(START + 20n * SECOND)
      expect(await once({ checkpoint, lookbackMs })).toEqual(lookbackMs ? [late, fresh] : [fresh])
      expect(await once({ checkpoint, lookbackMs })).toEqual([])
      expect(tooLate).toBe(22)
    }
  })

  it('continues if onPause or onGap throws', async () => {
    const model = filled(3)
    let down = true
    const { clock, poll } = setUp(model, {
      maxRetries: 0,
      transport: (request) => {
        if (!down) return model.transport(request)
        down = false
        return Promise.reject(systemError('ECONNREFUSED', 'connect'))
      },
    })
    const given: number[] = []
    const broken = () => {
      throw new Error('broken')
    }
    await clock.runUntil(
      (async () => {
        for await (const { id } of poll({ onPause: broken, onGap: broken })) {
          given.push(id)
          if (given.length === 3) break
        }
      })(),
    )
    expect(given).toEqual([1, 2, 3])
  })

  it('rejects invalid options at the call', () => {
    const { poll } = setUp(filled(1))
    for (const options of [
      { since: 'yesterday' },
      { since: new Date(Number.NaN) },
      { intervalMs: 0 },
      { lookbackMs: -1 },
      { saveEvery: 0 },
    ]) {
      expect(() => poll(options), JSON.stringify(options)).toThrow(UsageError)
    }
  })

  it('throws if a response has no valid submitted_at', async () => {
    const transport: Transport = async () =>
      respond({
        body: { data: [{ id: 5, submitted_at: 'soon' }], meta: { page: 1, per_page: 100, total: 1 } },
      })
    await expect(setUp(filled(1), { transport }).once()).rejects.toThrow(
      /Response 5 has no valid submitted_at/,
    )
  })

  it('throws the permanent errors of the store', async () => {
    const checkpoint: CheckpointStore = {
      load: () => undefined,
      save: () => {
        throw new CheckpointError('disk full')
      },
    }
    await expect(setUp(filled(2)).once({ checkpoint })).rejects.toThrow('disk full')
  })
})
