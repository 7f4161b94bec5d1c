import { FIRST_INSTANT, LAST_INSTANT } from '../domain/instant.ts'

/** The times of a form. */
export const FORM_TIMES = ['opens_at', 'closes_at', 'created_at', 'updated_at'] as const

/** Digits of a second after the third that are not zero. */
const BELOW_MILLISECONDS = /\.\d{3}\d*[1-9]/

/** Returns an instant in the form of seeds, in milliseconds and with a year of four digits. */
export const seedInstant = (ms: number): string => new Date(withinYears(ms)).toISOString()

/** Returns a timestamp, moved by a span, in the form of seeds; undefined if it is none. */
export function instantText(timestamp: string | null | undefined, shiftMs = 0): string | undefined {
  const ms = Date.parse(timestamp ?? '') + shiftMs
  return Number.isNaN(ms) ? undefined : seedInstant(ms)
}

/** Whether a seed cannot have a timestamp, moved by a span, as it is. None is kept. */
export function isChanged(timestamp: string | null | undefined, shiftMs: number): boolean {
  if (timestamp === null || timestamp === undefined) return false
  const ms = Date.parse(timestamp) + shiftMs
  return ms !== withinYears(ms) || BELOW_MILLISECONDS.test(timestamp)
}

const withinYears = (ms: number): number => Math.min(LAST_INSTANT, Math.max(FIRST_INSTANT, ms))
