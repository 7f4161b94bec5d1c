import { RETRY_AFTER_SECONDS } from '@formwire/contract'

/** Shortest wait after a 429: `Retry-After: 0` or a date just gone must not become a busy loop. */
const MIN_WAIT_MS = 1000

interface HeaderSource {
  get(name: string): string | null
}

/**
 * Milliseconds that an answer asks to wait (ERR-05): `Retry-After` in seconds or as an HTTP-date, never clamped down.
 * A date is measured from the answer's own `Date`, so that a wrong clock here does not matter. `undefined` without the header
 * or when it is unreadable.
 */
export function readRetryAfterMs(headers: HeaderSource, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  // Other texts that Date.parse takes, such as "-5", are no HTTP-date.
  if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined
  // The one HTTP-date without a comma, asctime, names no zone and is in GMT as well; Date.parse would take it for local time.
  const until = Date.parse(value.includes(',') ? value : `${value} GMT`)
  if (Number.isNaN(until)) return undefined
  const sentAt = Date.parse(headers.get('date') ?? '')
  return Math.max(0, until - (Number.isNaN(sentAt) ? now : sentAt))
}

/** Milliseconds to wait after a 429: what it asks for, at least a second, and the documented 60 s when it asks for nothing. */
export function rateLimitWaitMs(headers: HeaderSource, now: number): number {
  return Math.max(MIN_WAIT_MS, readRetryAfterMs(headers, now) ?? RETRY_AFTER_SECONDS * 1000)
}
