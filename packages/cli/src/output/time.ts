/** Returns the time of day of a timestamp of the API, which is in UTC: `12:00:00Z`. */
export function utcTime(timestamp: string): string {
  return `${timestamp.slice(11, 19)}Z`
}

/** Returns the time of day of a timestamp of the API if it is of today, otherwise its date: `12:00:00Z`, `21 Nov`. */
export function timeOrDate(timestamp: string, now: number): string {
  const isToday = timestamp.startsWith(new Date(now).toISOString().slice(0, 10))
  return isToday ? utcTime(timestamp) : new Date(timestamp).toUTCString().slice(5, 11)
}

type Unit = readonly [limitMs: number, unitMs: number, name: string]
const YEARS: Unit = [Number.POSITIVE_INFINITY, 365 * 86_400_000, 'year']
const UNITS: readonly Unit[] = [
  [3_600_000, 60_000, 'minute'],
  [86_400_000, 3_600_000, 'hour'],
  [30 * 86_400_000, 86_400_000, 'day'],
  [365 * 86_400_000, 30 * 86_400_000, 'month'],
]

/** A `Date` header is exact to a second. */
const wholeSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000

/**
 * Returns `timestamp` relative to `now`, to the second: `just now`, `5 minutes ago`, `in 2 hours`. An invalid date is returned
 * unchanged.
 */
export function relativeTime(timestamp: string, now: number): string {
  const at = wholeSeconds(Date.parse(timestamp))
  const from = wholeSeconds(now)
  if (Number.isNaN(at)) return timestamp
  const distance = Math.abs(from - at)
  if (distance < 60_000) return at > from + 1000 ? `in ${distance / 1000} s` : 'just now'
  const [, unitMs, name] = UNITS.find(([limitMs]) => distance < limitMs) ?? YEARS
  const count = Math.floor(distance / unitMs)
  const span = `${count} ${name}${count === 1 ? '' : 's'}`
  return at > from ? `in ${span}` : `${span} ago`
}

/** Formats a length of time: `850 ms`, `4 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function spanText(ms: number): string {
  if (ms > 0 && ms < 1000) return `${Math.round(ms)} ms`
  if (ms <= 0) return '0 s'
  const seconds = Math.round(ms / 1000)
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .slice(0, 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

/** Returns the time until `timestamp` in its largest unit: `in 5 min`; `due` from then on. */
export function dueText(timestamp: string, now: number): string {
  const seconds = Math.ceil((Date.parse(timestamp) - now) / 1000)
  const [count, unit] = spanText(seconds * 1000).split(' ')
  return seconds > 0 ? `in ${count} ${unit}` : 'due'
}

/** Returns a length of time in at most six characters below 10,000 s: `64 ms`, `1.2 s`, `120 s`; '' if it is not known. */
export function tookText(ms: number | null | undefined): string {
  if (typeof ms !== 'number') return ''
  const whole = Math.round(ms)
  if (whole < 1000) return `${whole} ms`
  const tenths = Math.round(whole / 100)
  return `${tenths < 1000 ? (tenths / 10).toFixed(1) : Math.round(whole / 1000)} s`
}

const SPAN = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|min|h|d|w)$/
const SPAN_UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** Parses `30s`, `5m`, `2h`, `7d` or `2w` to milliseconds; returns `undefined` for any other text. */
export function parseSpan(text: string): number | undefined {
  const match = SPAN.exec(text)
  if (!match) return undefined
  return Number(match[1]) * (SPAN_UNITS_MS[match[2] ?? ''] ?? Number.NaN)
}
