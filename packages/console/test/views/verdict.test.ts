import type { DeliveryAttempt } from '@formwire/contract/control'
import { describe, expect, it } from 'vitest'
import { firstWords, noteText, outcomeText } from '../../src/views/delivery/outcome.ts'
import { verdictOf } from '../../src/views/delivery/verdict.ts'
import { delivery } from '../delivery.ts'

// Status, time of the next attempt, errors of the attempts, body of the last response, note, verdict.
const VERDICTS = `
pending   | 12:22 | http_503 http_503 http_503 | deploy in progress | | 503 three times: deploy in progress. Next try in 22 min.
pending   | 12:22 | refused refused timeout | | | Connection refused twice, then the receiver did not respond within the deadline. Next try in 22 min.
pending   | 12:22 | | | | First try in 22 min.
pending   | 12:00 | | | | The first attempt is in flight.
pending   | 12:00 | dns | | | The host name could not be resolved. Attempt 2 is in flight.
delivered | | none | ok | | Delivered at the first attempt: 200 in 71 ms.
delivered | | http_503 http_503 none | ok | | Delivered at attempt 3: 200 in 71 ms, after 503 twice.
failed    | | tls tls tls tls tls tls | | | The TLS handshake failed six times. No attempts left.
failed    | | reset reset reset | | The endpoint is paused. | The connection was closed before the response was complete three times. Stopped after 3 of 6 attempts. The endpoint was paused.
failed    | | protocol | | The response was deleted. | The response was not valid HTTP, or began with an unrequested 100 Continue. Stopped after 1 of 6 attempts. The response was deleted.
failed    | | http_500 | <b>disk full</b> | The delivery was cancelled. | 500: disk full. Stopped after 1 of 6 attempts. The delivery was cancelled.
failed    | | | | The endpoint is paused. | Not sent. The endpoint was paused.
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))

describe('the verdict of a delivery', () => {
  it.each(VERDICTS)(
    '%s, due %s, attempts %s with %j, note %j: %s',
    (status, due, errors, body, note, verdict) => {
      const attempts = (errors?.match(/\w+/g) ?? []).map((error) => ({
        error: error === 'none' ? null : error,
        http_status: 200,
        duration_ms: 71,
        receiver_answer: body,
      })) as DeliveryAttempt[]
      const { outcome, quote, next } = verdictOf(
        {
          status: status as 'pending',
          attempts,
          next_attempt_at: due ? `2026-11-21T${due}:00.000Z` : null,
          note: noteText(note || null, true),
        },
        Date.parse('2026-11-21T12:00:00Z'),
      )
      const sentence = `${outcome}${quote && `: ${quote}`}.`
      expect([outcome && sentence, next].filter(Boolean).join(' ')).toBe(verdict)
    },
  )

  it('says in the past that the endpoint was paused, and to resume or replay it only while that helps', () => {
    const note = 'The endpoint is paused. Resume it and replay this delivery.'
    expect(noteText(note, true)).toBe('The endpoint was paused. Resume it and replay this delivery.')
    expect(noteText(note, false)).toBe('The endpoint was paused.')
    // It was replayed.
    expect(noteText(note, true, true)).toBe('The endpoint was paused.')
    const cancelled = 'The delivery was cancelled. Replay it to send it again.'
    expect(noteText(cancelled, false, true)).toBe('The delivery was cancelled.')
    const failed = { status: 'failed', attempts: 1, error: 'refused', note } as const
    expect(outcomeText(delivery('a', failed))).toBe('nothing is listening · endpoint was paused')
  })

  it.each([
    ['\r\n  deploy in progress\nretry later', 'deploy in progress'],
    ['{"error":{"code":7,"message":"database is down"}}', 'database is down'],
    ['{"error":"cut off", "trace":"at li', 'cut off'],
    ['<!DOCTYPE html><html><head><title>502 Bad Gateway</title>', '502 Bad Gateway'],
    ['x'.repeat(81), `${'x'.repeat(80)}…`],
    ['', ''],
  ])('quotes of the response body %j only %j', (body, words) => {
    expect(firstWords(body)).toBe(words)
  })
})
