import type { AttemptError, DeliveryAttempt } from '@formwire/contract/control'
import { describe, expect, it } from 'vitest'
import { firstWords, verdictOf } from '../../src/views/delivery/verdict.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

/** Attempts that ended like this, the last one with a response body. */
const attempts = (errors: readonly (AttemptError | null)[], body: string | null = null): DeliveryAttempt[] =>
  errors.map((error, index) => ({
    number: index + 1,
    started_at: '2026-11-21T11:00:00.000Z',
    duration_ms: 71,
    http_status: error === null ? 200 : error.startsWith('http_') ? Number(error.slice(5)) : null,
    error,
    signature: 'sha256=0',
    timestamp: 0,
    receiver_answer: index === errors.length - 1 ? body : null,
  }))

/** The verdict as the page shows it. */
function sentence(delivery: Partial<Parameters<typeof verdictOf>[0]>): string {
  const { outcome, quote, next } = verdictOf(
    { status: 'failed', attempts: [], next_attempt_at: null, note: null, ...delivery },
    NOW,
  )
  return [outcome && `${outcome}${quote === undefined ? '' : `: ${quote}`}.`, next].filter(Boolean).join(' ')
}

describe('the verdict of a delivery', () => {
  it('names why a pending delivery failed so far, in the words of its receiver, and when the next try is', () => {
    const pending = { status: 'pending', next_attempt_at: '2026-11-21T12:22:00.000Z' } as const
    expect(
      sentence({
        ...pending,
        attempts: attempts(['http_503', 'http_503', 'http_503'], 'deploy in progress'),
      }),
    ).toBe('503 three times: deploy in progress. Next try in 22 min.')
    expect(sentence({ ...pending, attempts: attempts(['http_500']) })).toBe('500. Next try in 22 min.')
    expect(sentence({ ...pending, attempts: attempts(['refused', 'refused', 'timeout']) })).toBe(
      'Connection refused twice, then timed out. Next try in 22 min.',
    )
    expect(sentence(pending)).toBe('First try in 22 min.')
  })

  it('says that an attempt is in flight', () => {
    const due = { status: 'pending', next_attempt_at: '2026-11-21T12:00:00.000Z' } as const
    expect(sentence(due)).toBe('The first attempt is in flight.')
    expect(sentence({ ...due, attempts: attempts(['dns']) })).toBe('Host not found. Attempt 2 is in flight.')
  })

  it('tells a delivery that arrived at once from one that was retried', () => {
    expect(sentence({ status: 'delivered', attempts: attempts([null], 'ok') })).toBe(
      'Delivered at the first attempt: 200 in 71 ms.',
    )
    expect(sentence({ status: 'delivered', attempts: attempts(['http_503', 'http_503', null]) })).toBe(
      'Delivered at attempt 3: 200 in 71 ms, after 503 twice.',
    )
  })

  it('says that no attempts are left', () => {
    expect(sentence({ attempts: attempts(Array(6).fill('tls')) })).toBe(
      'TLS handshake failed six times. No attempts left.',
    )
  })

  it('gives the reason why a delivery was stopped before its last attempt', () => {
    const paused = 'The endpoint is paused. Resume it and replay this delivery.'
    expect(sentence({ note: paused, attempts: attempts(['reset', 'reset', 'reset']) })).toBe(
      'Connection closed early three times. Stopped after 3 of 6 attempts. The endpoint is paused. Resume it and replay this delivery.',
    )
    expect(sentence({ note: paused })).toBe(
      'Not sent. The endpoint is paused. Resume it and replay this delivery.',
    )
    const cancelled = 'The delivery was cancelled. Replay it to send it again.'
    expect(sentence({ note: cancelled, attempts: attempts(['http_500'], 'disk full') })).toBe(
      '500: disk full. Stopped after 1 of 6 attempts. The delivery was cancelled. Replay it to send it again.',
    )
    const deleted = 'The response was deleted before this delivery reached its receiver.'
    expect(sentence({ note: deleted, attempts: attempts(['protocol']) })).toBe(
      'Invalid HTTP. Stopped after 1 of 6 attempts. The response was deleted before this delivery reached its receiver.',
    )
  })
})

describe('the first words of a response body', () => {
  it.each([
    ['deploy in progress\nretry later', 'deploy in progress'],
    ['\r\n  busy  \r\n', 'busy'],
    ['{"error":{"code":7,"message":"database is down"}}', 'database is down'],
    ['{"error":"cut off", "trace":"at li', 'cut off'],
    ['<!DOCTYPE html><html><head><title>502 Bad Gateway</title>', '502 Bad Gateway'],
    ['', ''],
  ])('of %j are %j', (body, words) => {
    expect(firstWords(body)).toBe(words)
  })

  it('are cut in a verdict', () => {
    expect(sentence({ status: 'pending', attempts: attempts(['http_500'], 'x'.repeat(81)) })).toBe(
      `500: ${'x'.repeat(79)}….`,
    )
  })
})
