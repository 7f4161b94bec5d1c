import type { Unspecified } from '../unspecified.ts'

/** First and last instant that ISO 8601 writes with a year of four digits, in milliseconds since the epoch. */
export const FIRST_INSTANT = -62_167_219_200_000
export const LAST_INSTANT = 253_402_300_799_999

const SPELLING =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?)?$/

const MINUTE_MS = 60_000

/**
 * Parses `YYYY-MM-DD[(T| )HH:MM[:SS[.f…]][Z|±HH[:]MM]]`, in UTC when it has no zone (RESP-02). Returns the first whole
 * millisecond at or after it, so that comparing whole milliseconds with `>=` is exact at any precision. Returns
 * `undefined` for anything else, such as 30 February.
 */
export function parseInstant(text: string): number | undefined {
  const match = SPELLING.exec(text)
  if (!match) return undefined
  // Parts that are missing are NaN.
  const [, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.map(Number)
  const fraction = match[7] ?? ''
  if (match[4] !== undefined && (hour > 23 || minute > 59 || (match[6] !== undefined && second > 59)))
    return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  // A day that the month does not have is in another month.
  if (date.getUTCMonth() !== month - 1) return undefined
  date.setUTCHours(hour || 0, minute || 0, second || 0)
  const offset = offsetOf(match[9], match[10], match[11])
  if (offset === undefined) return undefined
  return date.getTime() - offset + milliseconds(fraction)
}

/** Rounds up, so that an instant just before the fraction is not at or after it. */
function milliseconds(fraction: string): number {
  const whole = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return /[1-9]/.test(fraction.slice(3)) ? whole + 1 : whole
}

function offsetOf(sign: string | undefined, hours = '0', minutes = '0'): number | undefined {
  if (sign === undefined) return 0
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  const span = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  return sign === '-' ? -span : span
}

/**
 * Returns an instant in ISO 8601 UTC, in the format of the server's `timestamps` option (ENV-05). Whole seconds are
 * truncated, so that a `since` copied from a response still includes that response.
 */
export function formatTimestamp(instant: number, style: Unspecified['timestamps']): string {
  const text = new Date(instant).toISOString()
  switch (style) {
    case 'milliseconds':
      return text
    case 'seconds':
      return `${text.slice(0, 19)}Z`
    case 'microseconds':
      return `${text.slice(0, 23)}000Z`
    case 'offset':
      return `${text.slice(0, 23)}+00:00`
  }
}
