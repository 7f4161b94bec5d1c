/** A point in time at the full precision it was written with: never rounded, never compared as text. */
export interface Instant {
  /** Whole seconds since the Unix epoch. */
  seconds: number
  /** Digits after the decimal point without trailing zeros; empty for a whole second. */
  fraction: string
}

const FORMAT =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2})?)?)?$/

/** Reads an ISO 8601 date or date-time; without a zone it is UTC (RESP-02). `undefined` when it is neither. */
export function parseInstant(text: string): Instant | undefined {
  const parts = FORMAT.exec(text)
  if (!parts) return undefined
  const [, date, time = '00:00', second = '0', fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] =
    parts
  const minute = Date.parse(`${date}T${time}Z`) / 1000
  if (Number.isNaN(minute)) return undefined
  const offset = Number(zoneHours) * 3600 + Number(zoneMinutes) * 60
  // Seconds are added, not parsed: a leap second is :60.
  const seconds = minute + Number(second) + (sign === '-' ? offset : -offset)
  return { seconds, fraction: fraction.replace(/0+$/, '') }
}

/** Below 0 when `a` is earlier, above 0 when it is later, 0 for the same instant however it is written. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.seconds !== b.seconds) return a.seconds - b.seconds
  // Decimal fractions without trailing zeros order as text does: "05" < "1" < "12".
  return a.fraction < b.fraction ? -1 : a.fraction > b.fraction ? 1 : 0
}

/** The instant `milliseconds` earlier, 1970 at the earliest, rounded down to a millisecond, as ISO 8601 text. */
export function earlierBy(instant: Instant, milliseconds: number): string {
  const at = instant.seconds * 1000 + Number(instant.fraction.padEnd(3, '0').slice(0, 3))
  return new Date(Math.max(0, Math.floor(at - milliseconds))).toISOString()
}
