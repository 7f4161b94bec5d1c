import { describe, expect, it } from 'vitest'
import { decideRetry, type Method, type RetryFacts } from '../../src/http/retry-policy.ts'

const limits = { maxRetries: 3, deadline: 1_000_000, random: () => 0.5 }
const answer = (status: number, retryAfterMs?: number): RetryFacts => ({
  kind: 'answer',
  status,
  retryAfterMs,
})
const refused: RetryFacts = { kind: 'connection', maybeSent: false, permanent: false }
const reset: RetryFacts = { kind: 'connection', maybeSent: true, permanent: false }
const certificate: RetryFacts = { kind: 'connection', maybeSent: false, permanent: true }
const timeout: RetryFacts = { kind: 'timeout' }

/** Method, what happened, attempt → milliseconds to wait, or stop. Jitter is in the middle of its range. */
const table: [Method, string, RetryFacts, number, number | 'stop'][] = [
  ['GET', '500', answer(500), 1, 250],
  ['GET', '500 the second time', answer(500), 2, 500],
  ['GET', '500 the third time', answer(500), 3, 1000],
  ['GET', '500 after the last retry', answer(500), 4, 'stop'],
  ['GET', '502', answer(502), 1, 250],
  ['GET', '503 with Retry-After', answer(503, 7000), 1, 7000],
  ['GET', 'a reset', reset, 1, 250],
  ['GET', 'a refused connection', refused, 1, 250],
  ['GET', 'a wrong certificate', certificate, 1, 'stop'],
  ['GET', 'a timeout', timeout, 1, 250],
  ['GET', '400', answer(400), 1, 'stop'],
  ['GET', '401', answer(401), 1, 'stop'],
  ['GET', '404', answer(404), 1, 'stop'],
  ['GET', '422', answer(422), 1, 'stop'],
  ['GET', 'a redirect', answer(302), 1, 'stop'],
  ['GET', '429', answer(429, 60_000), 1, 60_125],
  ['PATCH', '500', answer(500), 1, 250],
  ['PATCH', 'a reset', reset, 1, 250],
  ['PATCH', 'a timeout', timeout, 1, 250],
  ['PATCH', '429', answer(429, 60_000), 1, 60_125],
  ['DELETE', '503', answer(503), 1, 250],
  ['DELETE', 'a reset', reset, 1, 250],
  ['DELETE', 'a timeout', timeout, 1, 250],
  ['POST', '500', answer(500), 1, 'stop'],
  ['POST', '503 with Retry-After', answer(503, 7000), 1, 'stop'],
  ['POST', 'a reset', reset, 1, 'stop'],
  ['POST', 'a timeout', timeout, 1, 'stop'],
  ['POST', 'a refused connection', refused, 1, 250],
  ['POST', '429', answer(429, 60_000), 1, 60_125],
]

describe('the retry policy', () => {
  it.each(table)('%s after %s', (method, _name, facts, attempt, expected) => {
    const decision = decideRetry(method, facts, attempt, 0, limits)
    expect(decision).toEqual(expected === 'stop' ? { action: 'stop' } : { action: 'wait', waitMs: expected })
  })

  it('draws backoff from the whole range up to its doubling end, which is capped at 20 s', () => {
    const wait = (attempt: number, random: number) =>
      decideRetry('GET', reset, attempt, 0, { maxRetries: 99, deadline: 1e9, random: () => random })
    expect(wait(1, 0)).toEqual({ action: 'wait', waitMs: 0 })
    expect(wait(1, 0.999)).toEqual({ action: 'wait', waitMs: 499.5 })
    expect(wait(30, 0.5)).toEqual({ action: 'wait', waitMs: 10_000 })
  })

  it('[ERR-05] never waits less than Retry-After, whatever the jitter, nor clamps an hour down', () => {
    const decision = decideRetry('GET', answer(429, 3_600_000), 1, 0, {
      ...limits,
      deadline: 1e9,
      random: () => 0,
    })
    expect(decision).toEqual({ action: 'wait', waitMs: 3_600_000 })
  })

  it('stops at once when the wait would reach past the deadline', () => {
    expect(decideRetry('GET', answer(429, 60_000), 1, 950_000, limits)).toEqual({ action: 'stop' })
    expect(decideRetry('GET', answer(429, 40_000), 1, 950_000, limits)).toEqual({
      action: 'wait',
      waitMs: 40_125,
    })
  })
})
