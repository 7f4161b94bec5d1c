import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateBudget, sharedBudget } from '../../src/http/rate-budget.ts'
import { Formwire } from '../../src/index.ts'
import { fakeTransport, ME } from '../support/fake-transport.ts'
import { ManualClock, settled } from '../support/manual-clock.ts'

const claim = { priority: 1, perMinute: 2, deadline: Number.POSITIVE_INFINITY, signal: undefined } as const

function fresh() {
  const clock = new ManualClock()
  return { clock, budget: new RateBudget(clock) }
}

/** A function that takes a slot of a budget, and notes its name once it has it. */
const queueOf = (budget: RateBudget, order: unknown[]) => (name: unknown, priority: 0 | 1 | 2) =>
  budget.start({ ...claim, perMinute: 1, priority }).then(() => {
    order.push(name)
    budget.end()
  })

describe('the rate budget', () => {
  it('[RATE-01] frees a slot one minute after the response, not after the request', async () => {
    const { clock, budget } = fresh()
    expect(budget.tryStart(claim)).toBe(true)
    expect(budget.tryStart(claim)).toBe(true)
    expect(budget.tryStart(claim)).toBe(false)
    await clock.advance(10_000)
    budget.end()
    budget.end()
    await clock.advance(59_999)
    expect(budget.remaining(2)).toBe(0)
    await clock.advance(1)
    expect(budget.remaining(2)).toBe(2)
  })

  it('starts writes before reads and reads before polling, however long they have waited', async () => {
    const { clock, budget } = fresh()
    budget.tryStart({ ...claim, perMinute: 1 })
    budget.end()
    const order: string[] = []
    const queue = queueOf(budget, order)
    const all = Promise.all([queue('poll', 2), queue('read', 1), queue('write', 0), queue('write 2', 0)])
    await clock.runUntil(all)
    expect(order).toEqual(['write', 'write 2', 'read', 'poll'])
  })

  it('[ERR-05] resolves to false without a wait if a 429 blocks the key until the deadline', async () => {
    const { clock, budget } = fresh()
    budget.hold(1000)
    expect(await budget.start({ ...claim, deadline: clock.now() + 1000 })).toBe(false)
    expect(clock.pending).toBe(0)
  })

  it('keeps the others queued if the timer of a deadline fires after its request has started', async () => {
    let now = 0
    const timers: { at: number; callback: () => void }[] = []
    // Cannot cancel a timer.
    const clock = {
      now: () => now,
      setTimer: (callback: () => void, ms: number) => {
        timers.push({ at: now + ms, callback })
        return () => {}
      },
    }
    const budget = new RateBudget(clock)
    const granted: string[] = []
    budget.hold(1000)
    const one = { ...claim, perMinute: 1 }
    const first = budget.start({ ...one, deadline: 5000 }).then((ok) => granted.push(`first: ${ok}`))
    const second = budget.start(one).then((ok) => granted.push(`second: ${ok}`))
    const advance = (to: number): void => {
      now = to
      for (const { callback } of timers.filter(({ at }) => at <= to)) callback()
    }
    advance(1000)
    await first
    advance(5000)
    budget.end()
    advance(65_000)
    await second
    expect(granted).toEqual(['first: true', 'second: true'])
  })

  it('is idle from the millisecond on at which a hold ends', async () => {
    const { clock, budget } = fresh()
    budget.hold(1000)
    await clock.advance(999)
    expect(budget.idle).toBe(false)
    await clock.advance(1)
    expect(budget.idle).toBe(true)
  })

  it('starts no request before queued requests of the same or a higher priority, even if a slot is free', async () => {
    const { clock, budget } = fresh()
    budget.tryStart(claim)
    const queued = budget.start({ ...claim, perMinute: 1 })
    expect(budget.tryStart({ ...claim, perMinute: 5, priority: 1 })).toBe(false)
    expect(budget.tryStart({ ...claim, perMinute: 5, priority: 2 })).toBe(false)
    expect(budget.tryStart({ ...claim, perMinute: 5, priority: 0 })).toBe(true)
    budget.end()
    budget.end()
    await clock.advance(60_000)
    expect(await queued).toBe(true)
  })

  it('drops idle budgets beyond a thousand, but none that counts, blocks or queues requests', async () => {
    // Its timers never fire: a queue may outlast its hold by the moment in which the timer is due.
    let now = 0
    const clock = { now: () => now, setTimer: () => () => {} }
    const budget = (id: number) => sharedBudget(id, clock, undefined)
    const [idle, counted, inFlight, held, queued] = [0, 1, 2, 3, 4].map(budget) as [
      RateBudget,
      RateBudget,
      RateBudget,
      RateBudget,
      RateBudget,
    ]
    inFlight.tryStart(claim)
    held.hold(120_000)
    queued.hold(61_000)
    const controller = new AbortController()
    const waiting = queued.start({ ...claim, signal: controller.signal })
    now = 61_000
    counted.tryStart(claim)
    counted.end()
    for (let id = 5; id < 1000; id += 1) budget(id)
    expect(budget(0)).toBe(idle)
    budget(1000)
    expect(budget(1)).toBe(counted)
    expect(budget(2)).toBe(inFlight)
    expect(budget(3)).toBe(held)
    expect(budget(4)).toBe(queued)
    expect(budget(0)).not.toBe(idle)
    controller.abort()
    expect(await waiting).toBe(false)
  })

  it('leaves the queue on abort and at the deadline, and leaves no timer or listener', async () => {
    const { clock, budget } = fresh()
    budget.tryStart({ ...claim, perMinute: 1 })
    budget.end()
    const controller = new AbortController()
    const aborted = budget.start({ ...claim, perMinute: 1, signal: controller.signal })
    const late = budget.start({ ...claim, perMinute: 1, deadline: clock.now() + 5000 })
    controller.abort()
    expect(await aborted).toBe(false)
    await clock.advance(5000)
    expect(await late).toBe(false)
    expect(budget.nextAt(1) - clock.now()).toBe(55_000)
    expect(clock.pending).toBe(0)
  })

  it('[RATE-01] never exceeds the limit in any sliding minute of the service', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.record({ after: fc.nat(40_000), toService: fc.nat(3000), back: fc.nat(3000) }), {
          maxLength: 25,
        }),
        async (perMinute, requests) => {
          const clock = new ManualClock()
          const budget = new RateBudget(clock)
          const arrivals: number[] = []
          const one = async ({ after, toService, back }: (typeof requests)[number]): Promise<void> => {
            await timer(clock, after)
            await budget.start({ ...claim, perMinute })
            await timer(clock, toService)
            arrivals.push(clock.now())
            await timer(clock, back)
            budget.end()
          }
          await clock.runUntil(Promise.all(requests.map(one)))
          expect(arrivals).toHaveLength(requests.length)
          for (const end of arrivals) {
            const inWindow = arrivals.filter((at) => at > end - 60_000 && at <= end)
            expect(inWindow.length).toBeLessThanOrEqual(perMinute)
          }
        },
      ),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 100) },
    )
  })

  it('is shared by all clients of a key, but not with another key or service', async () => {
    const clock = new ManualClock()
    const transport = fakeTransport(ME)
    const client = (apiKey: string, baseUrl = 'https://one.example') =>
      new Formwire({ apiKey, baseUrl, transport, clock, rateLimit: { perMinute: 5 } })
    await client('svc_a').me()
    await client('svc_a').me()
    expect(client('svc_a').budget.remaining).toBe(3)
    expect(client('svc_b').budget.remaining).toBe(5)
    expect(client('svc_a', 'https://two.example').budget.remaining).toBe(5)
    expect(client('svc_a').budget.perMinute).toBe(5)
  })

  it('is separate for each in-process server, although they share a URL and may share a key', async () => {
    const one = async () => Response.json(ME.body)
    const two = async () => Response.json(ME.body)
    const client = (fetch: typeof one) => new Formwire({ apiKey: 'svc_a', fetch })
    await client(one).me()
    expect(client(one).budget.remaining).toBe(119)
    expect(client(two).budget.remaining).toBe(120)
  })

  it('sends at most perMinute requests per minute, and all of them with rateLimit: false', async () => {
    const clock = new ManualClock()
    const transport = fakeTransport(ME)
    const options = { apiKey: 'svc_limit', baseUrl: 'https://one.example', transport, clock }
    const limited = new Formwire({ ...options, rateLimit: { perMinute: 3 } })
    const calls = Promise.all(Array.from({ length: 7 }, () => limited.me()))
    await settled()
    expect(transport.requests).toHaveLength(3)
    await clock.advance(60_000)
    expect(transport.requests).toHaveLength(6)
    await clock.advance(60_000)
    await calls
    const free = new Formwire({ ...options, rateLimit: false })
    await Promise.all(Array.from({ length: 200 }, () => free.me()))
    expect(transport.requests).toHaveLength(207)
    expect(free.budget.remaining).toBe(Number.POSITIVE_INFINITY)
  })

  it('[ERR-05] blocks every request of the key in the process after a 429, including those of other clients', async () => {
    const clock = new ManualClock()
    const limited = {
      status: 429,
      headers: { 'retry-after': '60' },
      body: { error: { code: 'rate_limited', message: 'slow' } },
    }
    const transport = fakeTransport(limited, ME)
    const options = { apiKey: 'svc_hold', baseUrl: 'https://one.example', transport, clock, random: () => 0 }
    const first = new Formwire(options).me()
    await settled()
    const second = new Formwire({ ...options, rateLimit: false }).me()
    await clock.advance(59_999)
    expect(transport.requests).toHaveLength(1)
    expect(new Formwire(options).budget.remaining).toBe(0)
    expect(new Formwire(options).budget.heldForMs).toBeGreaterThan(0)
    await clock.advance(2)
    await Promise.all([first, second])
    expect(transport.requests).toHaveLength(3)
  })
})

function timer(clock: ManualClock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(resolve, ms)
  })
}
