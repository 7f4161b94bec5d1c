import { memoryCheckpoint } from '@formwire/sdk'
import { createReceiver, signWebhook } from '@formwire/webhook-verify'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { beforeEach, describe, expect, it } from 'vitest'
import { isSupported } from '../../src/engine/boss.ts'
import {
  createInbox,
  type FailedAttempt,
  type InboxOptions,
  type InboxQueue,
  postgresQueue,
  type ResponseKey,
  StoreError,
  SyncUsageError,
  type TakenResponse,
} from '../../src/inbox/index.ts'
import { eventOf, passingClock, type Service, startService } from '../support/service.ts'

const unavailable = (): StoreError =>
  new StoreError('Cannot use the PostgreSQL database: down.', 'unavailable')

/** What the queue in memory did. */
interface Memory {
  queue: InboxQueue
  /** Responses that no worker has taken. */
  waiting: TakenResponse[]
  /** Calls, in order. */
  calls: string[]
  /** How many of the next calls of a method fail. */
  failing: Partial<Record<'add' | 'take' | 'complete' | 'fail' | 'renew', number>>
}

/** A queue in memory, without retries. */
function memoryQueue(): Memory {
  const known = new Map<string, boolean>()
  const keyOf = (key: ResponseKey): string => `${key.workspace_id}/${key.form_id}/${key.response_id}`
  const call = (name: keyof Memory['failing'], what: string): void => {
    const left = memory.failing[name] ?? 0
    memory.failing[name] = left - 1
    if (left > 0) throw unavailable()
    memory.calls.push(`${name} ${what}`)
  }
  const memory: Memory = {
    waiting: [],
    calls: [],
    failing: {},
    queue: {
      exists: async () => true,
      keepMs: 86_400_000,
      leaseMs: 15_000,
      async add(key, response, source) {
        call('add', `${keyOf(key)} ${source}`)
        const isNew = !known.has(keyOf(key))
        known.set(keyOf(key), known.get(keyOf(key)) === true || source === 'webhook')
        const id = String(response.id)
        const [attempt, isLast] = [1, true]
        if (isNew)
          memory.waiting.push({
            response,
            source,
            attempt,
            isLast,
            renew: async () => call('renew', id),
            complete: async () => call('complete', id),
            fail: async (error) => call('fail', `${id} ${(error as Error).message}`),
          })
        return isNew
      },
      wasDelivered: async (key) => known.get(keyOf(key)) === true,
      async take(count) {
        call('take', String(count))
        return memory.waiting.splice(0, count)
      },
      list: async () => [],
      get: async () => undefined,
      retry: async () => 0,
      drop: async () => 0,
      close: async () => undefined,
    },
  }
  return memory
}

describe('an inbox with a queue', () => {
  let service: Service
  let form: string
  let memory: Memory
  let stop: AbortController
  beforeEach(async () => {
    service = await startService()
    form = service.form()
    memory = memoryQueue()
    stop = new AbortController()
  })

  const now = () => service.server.clock.now()
  const options = (more: Partial<InboxOptions> = {}): InboxOptions => ({
    formwire: service.client(),
    forms: 'all',
    queue: memory.queue,
    checkpoint: memoryCheckpoint(),
    handle: () => undefined,
    signal: stop.signal,
    clock: passingClock(service),
    random: () => 1,
    ...more,
  })
  const inboxOf = (more: Partial<InboxOptions> = {}) => createInbox(options(more))

  it('[DLV-10] acknowledges a delivery once it is stored, and stores what the poll finds, without handling anything', async () => {
    service.add(form, 2)
    const handled: number[] = []
    const inbox = inboxOf({ handle: ({ id }) => handled.push(id) })
    const secret = 'whsec_test'
    const receive = createReceiver({ secret, on: inbox.handlers, onError: () => undefined })
    const payload = { ...eventOf(form, 2) }
    const delivery = () => signWebhook({ secret, event: 'response.submitted', payload })
    memory.failing.add = 1
    expect(await receive(delivery())).toMatchObject({ status: 500 })
    expect(await receive(delivery())).toMatchObject({ status: 200 })
    expect(await inbox.once()).toMatchObject({ handled: 1, skipped: 1 })
    expect(memory.calls).toEqual([`add 1/${form}/2 webhook`, `add 1/${form}/1 poll`, `add 1/${form}/2 poll`])
    expect(memory.waiting.map(({ response: { id, complete } }) => [id, complete])).toEqual([
      [2, false],
      [1, true],
    ])
    expect(handled).toEqual([])
  })

  it('asks for the workspace once, and again after a failure', async () => {
    const paths: string[] = []
    service.before = ({ url }) => {
      paths.push(new URL(url).pathname)
      if (paths.length === 1) throw new TypeError('fetch failed')
    }
    const deliver = inboxOf({ formwire: service.client({ maxRetries: 0 }) }).handlers['response.submitted']
    await expect(deliver(eventOf(form, 1))).rejects.toThrow()
    await deliver(eventOf(form, 1))
    await deliver(eventOf(form, 2))
    expect(paths).toEqual(['/api/v1/me', '/api/v1/me'])
  })

  it('lists responses without a stored delivery with reconcile()', async () => {
    const [first, second] = service.add(form, 2) as [number, number]
    const inbox = inboxOf()
    await inbox.once()
    await inbox.handlers['response.submitted'](eventOf(form, first))
    const found = await inbox.reconcile({ since: new Date(0) })
    expect(found).toMatchObject({ checked: 2, delivered: 1, pending: [] })
    expect(found.lost.map(({ id }) => id)).toEqual([second])
  })

  describe('work()', () => {
    /** Stops the worker once this many responses were handled. */
    const stopAfter = (count: number, handled: number[]) => (id: number) => {
      handled.push(id)
      if (handled.length === count) stop.abort()
    }

    it('handles at most as many responses at the same time as it may', async () => {
      service.add(form, 7)
      const handled: number[] = []
      const note = stopAfter(7, handled)
      let running = 0
      let most = 0
      const inbox = inboxOf({
        async handle({ id }) {
          running += 1
          most = Math.max(most, running)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
          note(id)
        },
      })
      await inbox.once()
      expect(await inbox.work({ concurrency: 3 })).toEqual({ handled: 7, failed: 0 })
      expect([most, handled.sort()]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]])
      expect(memory.calls.filter((call) => call.startsWith('complete'))).toHaveLength(7)
    })

    it('takes one response after the other without a wait, unlike work() of pg-boss', async () => {
      service.add(form, 7)
      const handled: number[] = []
      const waits: number[] = []
      const inbox = inboxOf({
        handle: ({ id }) => stopAfter(7, handled)(id),
        clock: {
          now,
          setTimer(callback, ms) {
            waits.push(ms)
            return passingClock(service).setTimer(callback, ms)
          },
        },
      })
      await inbox.once()
      await inbox.work({ pollMs: 500 })
      expect(handled).toEqual([1, 2, 3, 4, 5, 6, 7])
      expect(waits).not.toContain(500)
    })

    it('ends what it has begun when it is stopped, and takes nothing more', async () => {
      service.add(form, 3)
      const handled: number[] = []
      const inbox = inboxOf({
        async handle({ id }) {
          stop.abort()
          await new Promise((resolve) => setImmediate(resolve))
          handled.push(id)
        },
      })
      await inbox.once()
      await inbox.work()
      expect(handled).toEqual([1])
      expect(memory.calls.at(-1)).toBe('complete 1')
      expect(memory.waiting).toHaveLength(2)
    })

    it('reports a handler that fails, and gives the response back with the error', async () => {
      service.add(form, 1)
      const failures: FailedAttempt[] = []
      const handle = () => {
        throw new Error('mail server down')
      }
      const inbox = inboxOf({ handle })
      await inbox.once()
      const summary = await inbox.work({
        onFailed: (failure) => {
          failures.push(failure)
          stop.abort()
        },
      })
      expect(summary).toEqual({ handled: 0, failed: 1 })
      expect(failures).toMatchObject([{ response: { id: 1 }, attempt: 1, isLast: true }])
      expect(memory.calls.at(-1)).toBe('fail 1 mail server down')
    })

    it('ends with what a callback throws, after it has given the response back', async () => {
      service.add(form, 1)
      const inbox = inboxOf({ handle: () => Promise.reject(new Error('mail server down')) })
      await inbox.once()
      const onFailed = () => {
        throw new Error('the log is full')
      }
      await expect(inbox.work({ onFailed })).rejects.toThrow('the log is full')
      expect(memory.calls).toContain('fail 1 mail server down')
    })

    it('renews a response three times per lease for as long as the handler runs', async () => {
      service.add(form, 1)
      const inbox = inboxOf({
        async handle() {
          const end = now() + 20_000
          while (now() < end) await new Promise((resolve) => setImmediate(resolve))
          stop.abort()
        },
      })
      await inbox.once()
      await inbox.work()
      expect(memory.calls.filter((call) => call === 'renew 1').length).toBeGreaterThanOrEqual(4)
      const { length } = memory.calls
      await service.server.clock.advance(60_000)
      expect(memory.calls).toHaveLength(length)
    })

    it('goes on through an outage of the database, with growing pauses, and repeats no work', async () => {
      service.add(form, 2)
      const handled: number[] = []
      const pauses: unknown[] = []
      const inbox = inboxOf({
        handle: ({ id }) => stopAfter(2, handled)(id),
        onPause: ({ formId, attempt, waitMs }) => void pauses.push([formId, attempt, waitMs]),
      })
      await inbox.once()
      memory.failing = { take: 2, complete: 2 }
      await inbox.work()
      expect(handled).toEqual([1, 2])
      expect(memory.calls.filter((call) => call.startsWith('complete'))).toEqual(['complete 1', 'complete 2'])
      expect(pauses).toEqual([
        [undefined, 1, 1000],
        [undefined, 2, 2000],
        [undefined, 1, 200],
        [undefined, 2, 400],
      ])
    })

    it('ends with the error of a queue that cannot be used', async () => {
      memory.queue.take = () => Promise.reject(new StoreError('Too old.', 'unsupported_node'))
      await expect(inboxOf().work()).rejects.toMatchObject({ code: 'unsupported_node' })
    })

    it('requires a queue', async () => {
      const inbox = inboxOf({ queue: undefined, dedupe: createMemoryDedupe() })
      await expect(inbox.work()).rejects.toThrow(SyncUsageError)
    })
  })
})

it.skipIf(isSupported(process.versions.node))(
  'postgresQueue() rejects on an older Node with a typed error before it connects',
  async () => {
    const queue = postgresQueue({ connectionString: 'postgres://127.0.0.1:1/none' })
    await expect(queue.list('dead')).rejects.toMatchObject({ name: 'StoreError', code: 'unsupported_node' })
    await queue.close()
    await expect(queue.list('dead')).rejects.toMatchObject({ code: 'closed' })
  },
)
