import { RETRY_AFTER_SECONDS } from '@formwire/contract'

/** Minimum wait after a 429, so that `Retry-After: 0` or a date in the past does not cause a busy loop. */
const MIN_WAIT_MS = 1000

/** Maximum time that a 429 blocks other calls of the key or pauses a poll, in milliseconds. */
export const MAX_HOLD_MS = 3_600_000

interface HeaderSource {
  get(name: string): string | null
}

/**
 * Returns the `Retry-After` of a response in milliseconds (ERR-05), from seconds or an HTTP-date, without an upper limit. A date is
 * relative to the `Date` of the response, so that a wrong local clock does not matter. `undefined` if the header is missing or invalid.
 */
export function readRetryAfterMs(headers: HeaderSource, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  // Date.parse accepts other texts as well, such as "-5".
  if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined
  // The asctime format has no comma and no zone. It is in GMT, but Date.parse would read it as local time.
  const until = Date.parse(value.includes(',') ? value : `${value} GMT`)
  if (Number.isNaN(until)) return undefined
  const sentAt = Date.parse(headers.get('date') ?? '')
  return Math.max(0, until - (Number.isNaN(sentAt) ? now : sentAt))
}

/** Returns the milliseconds to wait after a 429: `Retry-After`, at least 1 s, or the documented 60 s without the header. */
export function rateLimitWaitMs(headers: HeaderSource, now: number): number {
  return Math.max(MIN_WAIT_MS, readRetryAfterMs(headers, now) ?? RETRY_AFTER_SECONDS * 1000)
}
