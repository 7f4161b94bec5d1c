import { errorJson, recognizeCopies } from '@formwire/internal/error-class'
import { helpUrlOf } from '@formwire/internal/help-page'
import { LAST_INSTANT } from '../domain/instant.ts'

/** A span of time: milliseconds as an integer, or text such as `'90s'`, `'1h30m'`, `'1.5h'`, `'3d'`. */
export type Span = number | string

/** A span that cannot be parsed or advanced by. Over HTTP it is a 422 with the field `by`. */
export class InvalidSpanError extends RangeError {
  override readonly name = 'InvalidSpanError'

  /** URL of the page that explains the error. */
  get helpUrl(): string {
    return helpUrlOf(this.name)
  }

  /** For a log: the message too. */
  toJSON(): Record<string, unknown> {
    return errorJson(this)
  }
}
recognizeCopies(InvalidSpanError, 'InvalidSpanError')

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

const PATTERN =
  /^(?:(\d+(?:\.\d+)?)d)?\s*(?:(\d+(?:\.\d+)?)h)?\s*(?:(\d+(?:\.\d+)?)m(?!s))?\s*(?:(\d+(?:\.\d+)?)s)?\s*(?:(\d+(?:\.\d+)?)ms)?$/

/**
 * Returns the milliseconds of a span. Units of a text come largest first, each at most once: `d`, `h`, `m`, `s`, `ms`.
 *
 * @throws InvalidSpanError when it is negative, not a whole number of milliseconds, or unreadable.
 */
export function parseSpan(span: unknown): number {
  if (typeof span === 'number') {
    if (Number.isSafeInteger(span) && span >= 0) return span
  } else if (typeof span === 'string') {
    const parts = span.trim() === '' ? null : PATTERN.exec(span)
    if (parts) {
      const milliseconds = UNITS.reduce(
        (sum, [, factor], index) => sum + Number(parts[index + 1] ?? 0) * factor,
        0,
      )
      const whole = Math.round(milliseconds)
      if (Number.isSafeInteger(whole) && Math.abs(milliseconds - whole) < 1e-6) return whole
    }
  }
  throw new InvalidSpanError(
    `Cannot read ${describe(span)} as a duration: give milliseconds from 0, or text such as "90s", "1h30m" or "3d".`,
  )
}

/** Returns the instant a span after another one. @throws InvalidSpanError when it is after the year 9999. */
export function instantAfter(now: number, milliseconds: number): number {
  const instant = now + milliseconds
  if (instant <= LAST_INSTANT) return instant
  throw new InvalidSpanError(`${milliseconds} ms from now is after the year 9999; advance by less.`)
}

function describe(span: unknown): string {
  if (typeof span === 'string') return JSON.stringify(span.slice(0, 40))
  return typeof span === 'number'
    ? String(span)
    : span === undefined
      ? 'a missing value'
      : `a value of type ${typeof span}`
}
