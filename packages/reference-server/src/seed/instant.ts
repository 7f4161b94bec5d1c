import { parseSpan } from '../clock/span.ts'
import { FIRST_INSTANT, LAST_INSTANT } from '../domain/instant.ts'
import type { SeedInstant } from './format.ts'

const SPAN = /^-((?:\d+(?:d|h|m|s))+)$/
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|\+00:00)$/

/**
 * Resolves an instant of a seed to milliseconds since the epoch. Returns `NaN` if the text is neither an ISO 8601
 * date-time in UTC nor a span such as `-3d4h`, or if it is outside the years 0000 to 9999.
 */
export function resolveInstant(text: SeedInstant, now: number): number {
  const instant = readInstant(text, now)
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT ? instant : Number.NaN
}

function readInstant(instant: SeedInstant, now: number): number {
  const span = SPAN.exec(instant)?.[1]
  if (span === undefined) return DATE_TIME.test(instant) ? Date.parse(instant) : Number.NaN
  try {
    return now - parseSpan(span)
  } catch {
    return Number.NaN
  }
}

/** Formats milliseconds before loading as a span, rounded to seconds, such as `-3d4h0m12s`. */
export function spanBefore(milliseconds: number): SeedInstant {
  const total = Math.max(0, Math.round(milliseconds / 1000))
  const parts: [number, string][] = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'm'],
    [total % 60, 's'],
  ]
  const text = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`)
  return `-${text.join('') || '0s'}`
}
