/** A point in time at the full precision it was written with: never rounded, never compared as text. */
export interface Instant {
  /** Whole seconds since the Unix epoch. */
  seconds: number
  /** Digits after the decimal point without trailing zeros; empty for a whole second. */
  fraction: string
}

const FORMAT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?)?$/

/** Reads an ISO 8601 date or date-time; without a zone it is UTC (RESP-02). `undefined` when it is neither. */
export function parseInstant(text: string): Instant | undefined {
  const parts = FORMAT.exec(text)
  if (!parts) return undefined
  const [
    ,
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    ,
    sign,
    zoneHour,
    zoneMinute = '0',
  ] = parts
  const milliseconds = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  if (Number.isNaN(milliseconds)) return undefined
  const offset =
    sign === undefined ? 0 : (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -60 : 60)
  return { seconds: milliseconds / 1000 - offset, fraction: fraction.replace(/0+$/, '') }
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
