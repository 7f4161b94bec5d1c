import { describe, expect, it } from 'vitest'
import {
  CheckpointError,
  type CheckpointStore,
  type Lease,
  LeaseLostError,
  type Pause,
  type PollOptions,
  type PollState,
} from '../../src/index.ts'
import { loggerOf, systemError } from '../support/fake-transport.ts'
import { settled } from '../support/manual-clock.ts'
import { setUp as client, filled, idsOf, SECOND, START } from '../support/poll.ts'
import { errorOf } from '../support/raw-server.ts'

const FORM = 'abcdefghijkl'

type Operation = 'acquire' | 'load' | 'save' | 'release'

/** A store with a lease. `before` runs before each operation and may throw or hang. */
class Store implements CheckpointStore {
  readonly states = new Map<string, PollState>()
  readonly calls: Operation[] = []
  held = false
  /** Saves without a lease. */
  unfenced = 0
  before: (operation: Operation, call: number) => Promise<void> | void = () => {}
  lost = new AbortController()

  async #run(operation: Operation): Promise<void> {
    this.calls.push(operation)
    await this.before(operation, this.calls.filter((call) => call === operation).length)
  }

  async load(key: string): Promise<PollState | undefined> {
    await this.#run('load')
    return structuredClone(this.states.get(key))
  }

  async save(): Promise<void> {
    this.unfenced += 1
  }

  async acquire(): Promise<Lease> {
    await this.#run('acquire')
    this.held = true
    const { signal } = this.lost
    return {
      lost: signal,
      save: async (key, state) => {
        await this.#run('save')
        if (signal.aborted) throw signal.reason
        this.states.set(key, structuredClone(state))
      },
      release: async () => {
        await this.#run('release')
        this.held = false
      },
    }
  }
}

function setUp(count = 3) {
  const model = filled(count)
  const store = new Store()
  const warnings: unknown[] = []
  const pauses: Pause[] = []
  const stop = new AbortController()
  const logger = loggerOf({ warn: (_message, fields) => void warnings.push(fields) })
  const { clock, poll } = client(model, { logger })
  const given: number[] = []
  const follow = (options: PollOptions = {}): Promise<number[]> => {
    const onPause = (pause: Pause) => void pauses.push(pause)
    return idsOf(poll({ checkpoint: store, signal: stop.signal, onPause, ...options }), given)
  }
  return { clock, poll, follow, given, model, pauses, stop, store, warnings }
}

const hang = (): Promise<never> => new Promise(() => {})

describe('a poll whose checkpoint store fails', () => {
  it.each(['acquire', 'load', 'save'] as const)(
    '[POLL-02] waits for the end of an outage at %s with the usual backoff, and yields each response once',
    async (failing) => {
      const { clock, follow, given, pauses, stop, store, warnings } = setUp()
      const reset = new Error('read ECONNRESET')
      store.before = (operation, call) => {
        if (operation === failing && call <= 3) throw reset
      }
      const run = follow()
      await clock.advance(20_000)
      expect(given).toEqual([1, 2, 3])
      expect(pauses.map(({ attempt, waitMs }) => [attempt, waitMs])).toEqual([
        [1, 750],
        [2, 1500],
        [3, 3000],
      ])
      for (const { error } of pauses) {
        expect(error).toBeInstanceOf(CheckpointError)
        expect(error).toMatchObject({ reason: 'unavailable', cause: reset })
      }
      expect(warnings).toMatchObject([
        { path: '/forms/abcdefghijkl/responses', waitMs: 750, error: { name: 'CheckpointError' } },
        { waitMs: 1500 },
        { waitMs: 3000 },
      ])
      expect(store.states.get(FORM)?.ids).toEqual([3])
      stop.abort()
      await run
      expect(store.held).toBe(false)
      expect(clock.pending).toBe(0)
    },
  )

  it.each(['acquire', 'load', 'save'] as const)(
    'ends immediately on abort while %s hangs',
    async (hanging) => {
      const { clock, follow, stop, store } = setUp()
      store.before = (operation, call) => (operation === hanging && call === 1 ? hang() : undefined)
      const run = follow()
      await clock.advance(60_000)
      const before = clock.now()
      stop.abort()
      await run
      expect(clock.now()).toBe(before)
      expect(clock.pending).toBe(0)
      expect(store.held).toBe(false)
    },
  )

  it.each(['save', 'release'] as const)(
    'ends one second after an abort if the last %s hangs',
    async (hanging) => {
      const { clock, follow, stop, store } = setUp()
      store.before = (operation) => (operation === hanging ? hang() : undefined)
      let over = false
      const run = follow().then(() => {
        over = true
      })
      await clock.advance(0)
      stop.abort()
      await clock.advance(999)
      expect(over).toBe(false)
      await clock.advance(1)
      expect(over).toBe(true)
      await run
    },
  )

  it('ends without an error on abort during an outage of the store', async () => {
    const { clock, follow, given, pauses, stop, store } = setUp()
    store.before = (operation) => {
      if (operation === 'save') throw new Error('connect ECONNREFUSED')
    }
    const run = follow()
    await clock.advance(1000)
    expect(pauses.length).toBeGreaterThan(0)
    stop.abort()
    await run
    expect(given).toEqual([1])
  })

  it('releases a lease that is granted after the abort', async () => {
    const { clock, follow, stop, store } = setUp()
    let grant = (): void => {}
    store.before = (operation) =>
      operation === 'acquire' ? new Promise<void>((resolve) => (grant = resolve)) : undefined
    const run = follow()
    await clock.advance(0)
    stop.abort()
    await run
    grant()
    await settled()
    expect([store.held, store.calls]).toEqual([false, ['acquire', 'release']])
  })

  it('rejects with a CheckpointError that has the cause of the outage, with once', async () => {
    const { follow, pauses, store } = setUp()
    const reset = new Error('read ECONNRESET')
    store.before = (operation) => {
      if (operation === 'load') throw reset
    }
    const error = await errorOf(follow({ once: true }))
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).toMatchObject({ message: 'The checkpoint store failed; see "cause".', cause: reset })
    expect(pauses).toEqual([])
    expect(store.held).toBe(false)
  })

  it.each([
    ['a mistake in the code of the store', new TypeError('x is not a function')],
    ['damaged data', new SyntaxError('Unexpected token')],
  ])('ends on %s', async (_name, thrown) => {
    const { clock, follow, pauses, store } = setUp()
    store.before = (operation) => {
      if (operation === 'load') throw thrown
    }
    const error = await clock.runUntil(errorOf(follow()))
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).toMatchObject({ cause: thrown })
    expect(error).not.toHaveProperty('reason')
    expect(pauses).toEqual([])
  })

  it('pauses for a failed fetch of a store behind HTTP, which is a TypeError with a cause', async () => {
    const { clock, follow, given, pauses, stop, store } = setUp()
    store.before = (operation, call) => {
      if (operation === 'load' && call === 1) throw systemError('ECONNREFUSED', 'connect')
    }
    const run = follow()
    await clock.advance(5000)
    expect([given, pauses.length]).toEqual([[1, 2, 3], 1])
    stop.abort()
    await run
  })

  it('rejects if the loop is left and the last state cannot be saved', async () => {
    const { poll, store } = setUp()
    store.before = (operation) => {
      if (operation === 'save') throw new Error('connect ECONNREFUSED')
    }
    const leave = async (): Promise<void> => {
      for await (const { id } of poll({ checkpoint: store, saveEvery: 9 })) {
        if (id === 2) break
      }
    }
    await expect(leave()).rejects.toThrow(CheckpointError)
    expect(store.held).toBe(false)
  })

  it('[POLL-02] saves nothing after it lost its lease, even if it is stopped while it waits', async () => {
    const { clock, follow, given, stop, store } = setUp()
    store.before = (operation, call) => {
      if (operation === 'save') throw new LeaseLostError('overtaken')
      return operation === 'acquire' && call > 1 ? hang() : undefined
    }
    const run = follow()
    await clock.advance(1000)
    expect(given).toEqual([1])
    stop.abort()
    await run
    expect([store.states.size, store.unfenced]).toEqual([0, 0])
  })

  it('[POLL-02] sends no request after it lost its lease while idle', async () => {
    const { clock, follow, model, stop, store } = setUp(1)
    store.before = (operation, call) => (operation === 'acquire' && call > 1 ? hang() : undefined)
    const run = follow()
    await clock.advance(1000)
    const asked = model.requests
    store.lost.abort(new LeaseLostError('overtaken'))
    await clock.advance(120_000)
    expect([model.requests, store.calls.filter((call) => call === 'acquire').length]).toEqual([asked, 2])
    stop.abort()
    await run
  })

  it('[POLL-02] yields nothing twice after the store loses its data, and saves its position again', async () => {
    const { clock, follow, given, model, stop, store } = setUp()
    const run = follow()
    await clock.advance(1000)
    expect(given).toEqual([1, 2, 3])
    // Restarted empty: neither the state nor the lease is there any more.
    store.states.clear()
    const { lost } = store
    store.lost = new AbortController()
    lost.abort(new LeaseLostError('gone'))
    await clock.advance(20_000)
    expect(given).toEqual([1, 2, 3])
    expect(store.states.get(FORM)?.ids).toEqual([3])
    model.insert(START + 9n * SECOND)
    await clock.advance(20_000)
    expect(given).toEqual([1, 2, 3, 4])
    stop.abort()
    await run
  })

  it('[POLL-02] prefers the position of the poller that ran meanwhile to its own position', async () => {
    const { clock, follow, given, model, stop, store } = setUp()
    const run = follow()
    await clock.advance(1000)
    model.insert(START + 9n * SECOND)
    store.states.set(FORM, { version: 1, since: '2026-09-21T14:13:29.000Z', ids: [4] })
    const { lost } = store
    store.lost = new AbortController()
    lost.abort(new LeaseLostError('overtaken'))
    await clock.advance(20_000)
    expect(given).toEqual([1, 2, 3])
    stop.abort()
    await run
  })
})
