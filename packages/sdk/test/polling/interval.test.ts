import { describe, expect, it } from 'vitest'
import { RateLimitError } from '../../src/index.ts'
import { outageWaitMs } from '../../src/polling/interval.ts'

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
})
