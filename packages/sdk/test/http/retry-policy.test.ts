import { describe, expect, it } from 'vitest'
import { type Method, type RetryFacts, retryDelayMs } from '../../src/http/retry-policy.ts'

const limits = { maxRetries: 3, deadline: 1_000_000, random: () => 0.5 }
const response = (status: number, retryAfterMs?: number): RetryFacts => ({
  kind: 'response',
  status,
  retryAfterMs,
})
const refused: RetryFacts = { kind: 'connection', maybeSent: false, permanent: false }
const reset: RetryFacts = { kind: 'connection', maybeSent: true, permanent: false }
const certificate: RetryFacts = { kind: 'connection', maybeSent: false, permanent: true }
const timeout: RetryFacts = { kind: 'timeout' }

/** Method, what happened, attempt → milliseconds to wait, or stop. Jitter is in the middle of its range. */
const table: [Method, string, RetryFacts, number, number | 'stop'][] = [
  ['GET', '500', response(500), 1, 250],
  ['GET', '500 the second time', response(500), 2, 500],
  ['GET', '500 the third time', response(500), 3, 1000],
  ['GET', '500 after the last retry', response(500), 4, 'stop'],
  ['GET', '502', response(502), 1, 250],
  ['GET', '503 with Retry-After', response(503, 7000), 1, 7000],
  ['GET', 'a reset', reset, 1, 250],
  ['GET', 'a refused connection', refused, 1, 250],
  ['GET', 'a wrong certificate', certificate, 1, 'stop'],
  ['GET', 'a timeout', timeout, 1, 250],
  ['GET', '400', response(400), 1, 'stop'],
  ['GET', '401', response(401), 1, 'stop'],
  ['GET', '404', response(404), 1, 'stop'],
  ['GET', '422', response(422), 1, 'stop'],
  ['GET', 'a redirect', response(302), 1, 'stop'],
  ['GET', '429', response(429, 60_000), 1, 60_125],
  ['PATCH', '500', response(500), 1, 250],
  ['PATCH', 'a reset', reset, 1, 250],
  ['PATCH', 'a timeout', timeout, 1, 250],
  ['PATCH', '429', response(429, 60_000), 1, 60_125],
  ['PUT', '503', response(503), 1, 250],
  ['PUT', 'a reset', reset, 1, 250],
  ['PUT', 'a timeout', timeout, 1, 250],
  ['PUT', '429', response(429, 60_000), 1, 60_125],
  ['DELETE', '503', response(503), 1, 250],
  ['DELETE', 'a reset', reset, 1, 250],
  ['DELETE', 'a timeout', timeout, 1, 250],
  ['DELETE', '429', response(429, 60_000), 1, 60_125],
  ['POST', '500', response(500), 1, 'stop'],
  ['POST', '503 with Retry-After', response(503, 7000), 1, 'stop'],
  ['POST', 'a reset', reset, 1, 'stop'],
  ['POST', 'a timeout', timeout, 1, 'stop'],
  ['POST', 'a refused connection', refused, 1, 250],
  ['POST', '429', response(429, 60_000), 1, 60_125],
]

describe('the retry policy', () => {
  it.each(table)('%s after %s', (method, _name, facts, attempt, expected) => {
    const delayMs = retryDelayMs(method, facts, attempt, 0, limits)
    expect(delayMs).toBe(expected === 'stop' ? undefined : expected)
  })

  it('draws backoff from the whole range, whose upper end doubles up to 20 s', () => {
    const wait = (attempt: number, random: number) =>
      retryDelayMs('GET', reset, attempt, 0, { maxRetries: 99, deadline: 1e9, random: () => random })
    expect(wait(1, 0)).toBe(0)
    expect(wait(1, 0.999)).toBe(499.5)
    expect(wait(30, 0.5)).toBe(10_000)
  })

  it('[ERR-05] never waits less than Retry-After, whatever the jitter, even if it is an hour', () => {
    const delayMs = retryDelayMs('GET', response(429, 3_600_000), 1, 0, {
      ...limits,
      deadline: 1e9,
      random: () => 0,
    })
    expect(delayMs).toBe(3_600_000)
  })

  it('stops immediately if the wait would exceed the deadline', () => {
    expect(retryDelayMs('GET', response(429, 60_000), 1, 950_000, limits)).toBeUndefined()
    expect(retryDelayMs('GET', response(429, 40_000), 1, 950_000, limits)).toBe(40_125)
  })
})
