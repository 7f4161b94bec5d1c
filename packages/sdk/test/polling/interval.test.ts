import { describe, expect, it } from 'vitest'
import { RateLimitError } from '../../src/index.ts'
import { nextInterval, outageWaitMs } from '../../src/polling/interval.ts'

function rateLimit(retryAfterMs: number): RateLimitError {
  const facts = { method: 'GET', path: '/forms', attempts: 1, status: 429, code: 'rate_limited' }
  return new RateLimitError({ ...facts, reason: 'No.', headers: new Headers(), envelope: true, retryAfterMs })
}

describe('outageWaitMs', () => {
  it('[ERR-05] returns the wait of a 429, at most one hour', () => {
    expect(outageWaitMs(rateLimit(1000), 1, Math.random)).toBe(1000)
    expect(outageWaitMs(rateLimit(3_600_000), 1, Math.random)).toBe(3_600_000)
    expect(outageWaitMs(rateLimit(1e23), 1, Math.random)).toBe(3_600_000)
  })

  it('doubles from 1 s up to 60 s, between half and all of it', () => {
    const wait = (attempt: number, random: number) => outageWaitMs(new Error('down'), attempt, () => random)
    expect([1, 2, 3, 6, 7, 50].map((attempt) => wait(attempt, 0))).toEqual([
      500, 1000, 2000, 16_000, 30_000, 30_000,
    ])
    expect(wait(1, 1)).toBe(1000)
    expect(wait(7, 1)).toBe(60_000)
  })
})

describe('nextInterval', () => {
  const limits = { intervalMs: 1000, maxIntervalMs: 4000 }
  const next = (interval: number, found: boolean, remaining: number, random = 0.5, perMinute = 120) =>
    nextInterval(interval, found, limits, remaining, { perMinute, random: () => random })

  it('grows by half after each idle poll up to maxIntervalMs, and starts over after a response', () => {
    expect(next(1000, false, 120)).toEqual({ interval: 1500, waitMs: 1000 })
    expect(next(3000, false, 120)).toEqual({ interval: 4000, waitMs: 3000 })
    expect(next(4000, true, 120)).toEqual({ interval: 1000, waitMs: 1000 })
  })

  it('varies each wait by ten percent', () => {
    expect(next(1000, false, 120, 0).waitMs).toBe(900)
    expect(next(1000, false, 120, 1).waitMs).toBe(1100)
  })

  it('waits maxIntervalMs while less than a tenth of the rate budget remains', () => {
    expect(next(1000, true, 12).waitMs).toBe(1000)
    expect(next(1000, true, 11).waitMs).toBe(4000)
    expect(next(1000, true, 0, 0.5, Number.POSITIVE_INFINITY).waitMs).toBe(1000)
  })
})
