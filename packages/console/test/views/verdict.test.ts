import type { AttemptError, DeliveryAttempt } from '@formwire/contract/control'
import { describe, expect, it } from 'vitest'
import { firstWords, verdictOf } from '../../src/views/delivery/verdict.ts'

/** Attempts that ended like this; the last one got a response body. */
const attempts = (errors: readonly (AttemptError | null)[], body: string | null = null) =>
  errors.map(
    (error) => ({ error, http_status: 200, duration_ms: 71, receiver_answer: body }) as DeliveryAttempt,
  )

type Delivery = Parameters<typeof verdictOf>[0]

/** The verdict as the page shows it. */
function sentence(delivery: Partial<Delivery>): string {
  const known: Delivery = { status: 'failed', attempts: [], next_attempt_at: null, note: null, ...delivery }
  const { outcome, quote, next } = verdictOf(known, Date.parse('2026-11-21T12:00:00Z'))
  return `${outcome}${quote === undefined ? '' : `: ${quote}`}${outcome && '. '}${next}`
}

const PENDING = { status: 'pending', next_attempt_at: '2026-11-21T12:22:00.000Z' } as const
const IN_FLIGHT = { ...PENDING, next_attempt_at: '2026-11-21T12:00:00.000Z' } as const
const PAUSED = { note: 'The endpoint is paused. Resume it and replay this delivery.' }
const DELETED = { note: 'The response was deleted before this delivery reached its receiver.' }
const CANCELLED = { note: 'The delivery was cancelled. Replay it to send it again.' }

const VERDICTS: readonly (readonly [what: string, delivery: Partial<Delivery>, verdict: string])[] = [
  [
    'pending, with the words of the receiver',
    { ...PENDING, attempts: attempts(['http_503', 'http_503', 'http_503'], 'deploy in progress') },
    '503 three times: deploy in progress. Next try in 22 min.',
  ],
  [
    'pending, with different causes',
    { ...PENDING, attempts: attempts(['refused', 'refused', 'timeout']) },
    'Connection refused twice, then timed out. Next try in 22 min.',
  ],
  ['pending without an attempt', PENDING, 'First try in 22 min.'],
  ['in flight', IN_FLIGHT, 'The first attempt is in flight.'],
  [
    'in flight again',
    { ...IN_FLIGHT, attempts: attempts(['dns']) },
    'Host not found. Attempt 2 is in flight.',
  ],
  [
    'delivered at once',
    { status: 'delivered', attempts: attempts([null], 'ok') },
    'Delivered at the first attempt: 200 in 71 ms. ',
  ],
  [
    'delivered later',
    { status: 'delivered', attempts: attempts(['http_503', 'http_503', null]) },
    'Delivered at attempt 3: 200 in 71 ms, after 503 twice. ',
  ],
  [
    'failed',
    { attempts: attempts(['tls', 'tls', 'tls', 'tls', 'tls', 'tls']) },
    'TLS handshake failed six times. No attempts left.',
  ],
  [
    'failed, with an endpoint that was paused',
    { ...PAUSED, attempts: attempts(['reset', 'reset', 'reset']) },
    'Connection closed early three times. Stopped after 3 of 6 attempts. The endpoint is paused. Resume it and replay this delivery.',
  ],
  [
    'failed, with a response that was deleted',
    { ...DELETED, attempts: attempts(['protocol']) },
    'Invalid HTTP. Stopped after 1 of 6 attempts. The response was deleted before this delivery reached its receiver.',
  ],
  [
    'cancelled',
    { ...CANCELLED, attempts: attempts(['http_500'], 'x'.repeat(81)) },
    `500: ${'x'.repeat(79)}…. Stopped after 1 of 6 attempts. The delivery was cancelled. Replay it to send it again.`,
  ],
  ['never sent', CANCELLED, 'Not sent. The delivery was cancelled. Replay it to send it again.'],
]

describe('the verdict of a delivery', () => {
  it.each(VERDICTS)('that is %s', (_, delivery, verdict) => {
    expect(sentence(delivery)).toBe(verdict)
  })

  it.each([
    ['\r\n  deploy in progress\nretry later', 'deploy in progress'],
    ['{"error":{"code":7,"message":"database is down"}}', 'database is down'],
    ['{"error":"cut off", "trace":"at li', 'cut off'],
    ['<!DOCTYPE html><html><head><title>502 Bad Gateway</title>', '502 Bad Gateway'],
    ['', ''],
  ])('quotes of the response body %j only %j', (body, words) => {
    expect(firstWords(body)).toBe(words)
  })
})
