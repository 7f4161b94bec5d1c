import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { BudgetUnavailableError, isBudgetUnavailableError } from '../../src/budget/shared-budget.ts'
import type { BudgetStore } from '../../src/http/rate-budget.ts'
import {
  AbortError,
  ConnectionError,
  Formwire,
  type FormwireOptions,
  RateLimitError,
  TimeoutError,
} from '../../src/index.ts'
import { fakeTransport, ME, respond } from '../support/fake-transport.ts'
import { ManualClock, settled } from '../support/manual-clock.ts'

export const START = Date.UTC(2026, 10, 21)

/** Counts a command in flight. */
type Counted = <Reply>(command: Promise<Reply>) => Promise<Reply>

/** A server whose stores are tested. Its slots are those of one test. */
export interface BudgetUnderTest {
  /** Opens a store as another process would. */
  store(counted: Counted, now: () => number): BudgetStore
  /** Arguments with which `send-worker.ts` opens a store. */
  worker: readonly string[]
}

/** The cases that every shared budget must pass. */
export function describeSharedBudget(opened: () => BudgetUnderTest): void {
  let commands = 0
  const counted: Counted = async (command) => {
    commands += 1
    try {
      return await command
    } finally {
      commands -= 1
    }
  }
  const storeAt = (clock: ManualClock): BudgetStore => opened().store(counted, () => clock.now())

  const workers: ChildProcess[] = []
  afterAll(() => {
    for (const worker of workers) worker.kill('SIGKILL')
  })

  /** Moves the clock by a second whenever nothing else happens, in the server neither, until the promise settles. */
  async function runUntil<Value>(clock: ManualClock, promise: Promise<Value>): Promise<Value> {
    let isOver = false
    const end = (): void => {
      isOver = true
    }
    promise.then(end, end)
    for (;;) {
      for (let quiet = 0; quiet < 5; quiet += 1) {
        await settled()
        if (commands > 0) quiet = -1
      }
      if (isOver) return await promise
      await clock.advance(1000)
    }
  }

  /** A client as in a process of its own: its store shares nothing with another but the server. */
  function processOf(clock: ManualClock, perMinute: number, more: Partial<FormwireOptions> = {}) {
    const sentAt: number[] = []
    const formwire = new Formwire({
      apiKey: 'svc_shared',
      clock,
      rateLimit: { perMinute, store: storeAt(clock) },
      transport: async () => {
        sentAt.push(clock.now() - START)
        return respond({ body: { data: {} } })
      },
      ...more,
    })
    return { formwire, sentAt }
  }

  it('[RATE-01] never exceeds the budget with two processes in any minute', {
    timeout: 120_000,
  }, async () => {
    const perMinute = 12
    const each = 30
    const program = await bundled(new URL('send-worker.ts', import.meta.url))
    const children = [1, 2].map(() => {
      const child = fork(program, [...opened().worker, START, perMinute, each].map(String), { execArgv: [] })
      workers.push(child)
      return child
    })
    await Promise.all(children.map((child) => once(child, 'message')))
    /** Requests of both in each second. */
    const sent: number[] = []
    const totals = [0, 0]
    const advance = async (child: ChildProcess, ms: number): Promise<number> => {
      const reply = once(child, 'message')
      child.send(ms)
      return Number((await reply)[0])
    }
    // The first 12 at once, then 12 a minute: the last of 60 requests is sent after four minutes. A second passes only when both
    // processes wait for the clock.
    for (let second = 0; second <= 300 && (totals[0] ?? 0) + (totals[1] ?? 0) < 2 * each; second += 1) {
      const counts = await Promise.all(children.map((child) => advance(child, second === 0 ? 0 : 1000)))
      counts.forEach((count, index) => {
        totals[index] = (totals[index] ?? 0) + count
      })
      sent.push(counts.reduce((sum, count) => sum + count, 0))
    }
    const inMinuteFrom = (second: number): number =>
      sent.slice(second, second + 60).reduce((sum, count) => sum + count, 0)
    expect(Math.max(...sent.map((_, second) => inMinuteFrom(second)))).toBe(perMinute)
    // 60 requests at 12 a minute, and nothing is lost between the processes.
    expect(totals).toEqual([each, each])
  })

  it('[RATE-01] frees a slot one minute after the response', async () => {
    const clock = new ManualClock(START)
    const one = processOf(clock, 2)
    const other = processOf(clock, 2)
    await runUntil(clock, Promise.all([one.formwire.me(), other.formwire.me(), one.formwire.me()]))
    expect([...one.sentAt, ...other.sentAt].sort((a, b) => a - b)).toEqual([0, 0, 60_000])
  })

  it('[RATE-01] holds every process after a 429 in one', async () => {
    const clock = new ManualClock(START)
    const limited = processOf(clock, 10, {
      maxRetries: 0,
      transport: async () => respond({ status: 429, headers: { 'retry-after': '30' }, body: {} }),
    })
    await expect(runUntil(clock, Promise.resolve(limited.formwire.me()))).rejects.toThrow(RateLimitError)
    const other = processOf(clock, 10)
    await runUntil(clock, Promise.resolve(other.formwire.me()))
    expect(other.sentAt).toEqual([30_000])
  })

  it('returns the slots of a process that died when its requests would have timed out', async () => {
    const clock = new ManualClock(START)
    const hanging = storeAt(clock).budget(1, clock)
    expect(await hanging.start(claim({ timeoutMs: 5000 }))).toBe(true)
    const alive = storeAt(clock).budget(1, clock)
    const started = alive.start(claim({})).then((granted) => [granted, clock.now() - START])
    expect(await runUntil(clock, started)).toEqual([true, 65_000])
  })

  it('starts writes before reads, and reads before polling', async () => {
    const clock = new ManualClock(START)
    const budget = storeAt(clock).budget(1, clock)
    expect(await budget.start(claim({}))).toBe(true)
    budget.end()
    const order: number[] = []
    const waiting = ([2, 1, 0] as const).map((priority) =>
      budget.start(claim({ priority })).then(() => {
        order.push(priority)
        budget.end()
      }),
    )
    await runUntil(clock, Promise.all(waiting))
    expect(order).toEqual([0, 1, 2])
  })

  it('throws a TimeoutError if no slot is free within totalTimeoutMs, and an AbortError at once', async () => {
    const clock = new ManualClock(START)
    const { formwire, sentAt } = processOf(clock, 1)
    await runUntil(clock, Promise.resolve(formwire.me()))
    const late = Promise.resolve(formwire.me({ totalTimeoutMs: 10_000 }))
    await expect(runUntil(clock, late)).rejects.toThrow(TimeoutError)
    const stop = new AbortController()
    const aborted = Promise.resolve(formwire.me({ signal: stop.signal }))
    stop.abort()
    await expect(aborted).rejects.toThrow(AbortError)
    expect(sentAt).toEqual([0])
    expect(formwire.budget.remaining).toBe(0)
  })
}

/** The cases of a shared budget whose store cannot be used. */
export function itSendsNothing(cases: [what: string, store: BudgetStore][]): void {
  it.each(cases)(
    'sends nothing, and throws a BudgetUnavailableError after ten seconds, if it %s',
    async (_, store) => {
      const clock = new ManualClock(START)
      const transport = fakeTransport(ME)
      const rateLimit = { perMinute: 5, store }
      const formwire = new Formwire({ apiKey: 'svc_secret', clock, rateLimit, transport })
      const error = await clock.failureOf(formwire.me())
      expect(error).toBeInstanceOf(BudgetUnavailableError)
      expect(error).toBeInstanceOf(ConnectionError)
      expect(isBudgetUnavailableError(error)).toBe(true)
      expect(JSON.stringify(error)).not.toContain('svc_secret')
      expect(clock.now() - START).toBeGreaterThanOrEqual(10_000)
      expect(clock.now() - START).toBeLessThan(20_000)
      expect(transport.requests).toEqual([])
    },
  )
}

/** One request. */
export function claim(more: { priority?: 0 | 1 | 2; timeoutMs?: number }) {
  return {
    priority: 1,
    perMinute: 1,
    deadline: Number.POSITIVE_INFINITY,
    signal: undefined,
    ...more,
  } as const
}
