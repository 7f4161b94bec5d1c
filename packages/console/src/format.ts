import type { EndpointHealth } from '@formwire/contract/control'
import { healthText as textOf } from '@formwire/internal/endpoint-health'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats an instant as `12:00:03` in UTC, as all times of the service. */
export const timeOfDay = (at: number): string => new Date(at).toISOString().slice(11, 19)

/** Formats an instant by the clock of the browser, unless that is UTC: `13:00:03`, or `22 Nov 01:00:03` on another day than in UTC. */
function localTime(at: number): string | undefined {
  const date = new Date(at)
  if (date.getTimezoneOffset() === 0) return undefined
  const time = date.toTimeString().slice(0, 8)
  return date.getDate() === date.getUTCDate() ? time : `${date.getDate()} ${MONTHS[date.getMonth()]} ${time}`
}

/** Formats an instant as `21 Nov 2026` in UTC. */
export function day(at: number): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** Formats an instant as `12:00:03` on the day of `now`, `21 Nov 12:00` in the same year, otherwise `21 Nov 2025`. */
export function shortTime(at: number, now: number): string {
  const [date, today] = [day(at), day(now)]
  if (date === today) return timeOfDay(at)
  return date.slice(-4) === today.slice(-4) ? `${date.slice(0, -5)} ${timeOfDay(at).slice(0, 5)}` : date
}

/** Formats a span in its two largest units: `4 min 12 s`, `2 h`, `12 d 3 h`; below a second in milliseconds. */
export function span(ms: number): string {
  const total = Math.abs(ms)
  if (total < 1_000) return `${Math.round(total)} ms`
  const seconds = Math.round(total / 1_000)
  const units: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ]
  const first = units.findIndex(([amount]) => amount > 0)
  return units
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}

/** Formats an instant as `21 Nov 2026, 12:00:03 UTC (13:00:03 local time)`. */
export function exactTime(at: number): string {
  const local = localTime(at)
  return `${day(at)}, ${timeOfDay(at)} UTC${local ? ` (${local} local time)` : ''}`
}

/** Formats an instant as `now`, `3 min ago` or `in 2 h`, in its largest unit; its date if that is more than 30 days away. */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(at - now)
  if (distance < 1_000) return 'now'
  if (distance > 30 * 86_400_000) return day(at)
  const [amount, unit] = span(distance).split(' ')
  return at > now ? `in ${amount} ${unit}` : `${amount} ${unit} ago`
}

/** Formats a number of whole seconds as `0 s` or as a span. */
export const seconds = (amount: number): string => (amount === 0 ? '0 s' : span(amount * 1_000))

/** Formats a duration as `<1 ms`, `840 ms`, `9.8 s` or `12 s`; `–` if there is none. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–'
  if (ms > 0 && ms < 1) return '<1 ms'
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
}

/** Formats a number of bytes as `812 B`, `1.4 kB` or `2.1 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 999_950 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Formats a share with one decimal, but 100% means all, and 0% none. */
export function percentText(share: number): string {
  const rounded = Math.round(share * 1_000 + 1e-9)
  const tenths = (share > 0 && share < 1 ? Math.min(999, Math.max(1, rounded)) : rounded) / 10
  return `${Number.isInteger(tenths) ? tenths : tenths.toFixed(1)}%`
}

/** Returns a URL without its scheme. */
export const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '')

/** Returns a title in quotes, cut to fit into a sentence. */
export const quoted = (title: string): string => `“${title.length > 60 ? `${title.slice(0, 60)}…` : title}”`

/** Formats a count as `1 response` or `1,200 responses`. */
export const count = (amount: number, one: string, many = `${one}s`): string =>
  `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`

/** Formats how many items of a list are shown, such as `3 of 12`, or `12 forms` if all are. */
export const shownText = (shown: number, total: number, one: string, many?: string): string =>
  shown === total ? count(total, one, many) : `${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`

const SPAN_UNITS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
}

/** Returns the milliseconds of a span such as `90s` or `1h30m`, or `undefined` if it is unreadable. */
export function spanMs(span: string | number): number | undefined {
  if (typeof span === 'number') return span
  const text = span.trim()
  if (!/^(?:\d+(?:\.\d+)?(?:ms|d|h|m|s)\s*)+$/.test(text)) return undefined
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|d|h|m|s)/g)
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (SPAN_UNITS[unit ?? ''] ?? 0), 0)
}

/** Formats the health of an endpoint: `failing since 12:00:03`, `paused since 19 Nov (3 not sent)`. */
export const healthText = (health: EndpointHealth, now: number): string =>
  // Lists have no room for the time of an earlier day.
  textOf(health, (since) => shortTime(Date.parse(since), now).replace(/ \d\d:\d\d$/, ''))
