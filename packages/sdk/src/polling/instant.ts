/** A point in time at full precision: never rounded, never compared as text. */
export interface Instant {
  /** Whole seconds since the Unix epoch. */
  seconds: number
  /** Decimal digits of the second, without trailing zeros. Empty for a whole second. */
  fraction: string
}

const FORMAT =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2})?)?)?$/

/** Parses an ISO 8601 date or date-time, as UTC if it has no zone (RESP-02). Returns `undefined` if it is invalid. */
export function parseInstant(text: string): Instant | undefined {
  const parts = FORMAT.exec(text)
  if (!parts) return undefined
  const [, date, time = '00:00', second = '0', fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] =
    parts
  const minute = Date.parse(`${date}T${time}Z`) / 1000
  if (Number.isNaN(minute)) return undefined
  const offset = Number(zoneHours) * 3600 + Number(zoneMinutes) * 60
  // Date.parse rejects :60, a leap second, so seconds are added.
  const seconds = minute + Number(second) + (sign === '-' ? offset : -offset)
  return { seconds, fraction: withoutTrailingZeros(fraction) }
}

/** A loop, because the pattern `0+$` takes quadratic time for a long fraction. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** Returns a negative number if `a` is earlier than `b`, a positive one if it is later, 0 for the same instant. */
export function compareInstants(a: Instant, b: Instant): number {
  // Decimal fractions without trailing zeros sort like text: "05" < "1" < "12".
  return a.seconds - b.seconds || (a.fraction < b.fraction ? -1 : Number(a.fraction > b.fraction))
}

/** Returns the instant `milliseconds` earlier, not before 1970, rounded down to a millisecond, as ISO 8601. */
export function earlierBy(instant: Instant, milliseconds: number): string {
  const at = instant.seconds * 1000 + Number(instant.fraction.padEnd(3, '0').slice(0, 3))
  return new Date(Math.max(0, Math.floor(at - milliseconds))).toISOString()
}
