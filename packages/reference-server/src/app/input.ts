import { FIRST_INSTANT, LAST_INSTANT } from '../clock/range.ts'
import { isTitle } from '../domain/form-update.ts'
import { invalid } from '../http/errors.ts'
import { parseInstant } from '../http/instant.ts'

/** Readers of one field of what somebody sent in. Each throws 422 with the field (ERR-03); none repeats the value. */

const NAME_MAX_LENGTH = 200

/** A name for people: text that is more than white space. */
export function readName(value: unknown, field: string): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= NAME_MAX_LENGTH) return value
  throw invalid(field, `${field} takes a text of 1 to ${NAME_MAX_LENGTH} characters.`)
}

/** A form title, FORM-05. */
export function readTitle(value: unknown, field = 'title'): string {
  if (isTitle(value)) return value
  throw invalid(field, `${field} takes a text of 1 to 200 characters.`)
}

/** One of a few words. */
export function readWord<Word extends string>(value: unknown, field: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === value)
  if (word !== undefined) return word
  throw invalid(field, `${field} takes one of ${words.join(', ')}.`)
}

/** A positive whole number: an id, or a limit. */
export function readPositive(value: unknown, field: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number
  throw invalid(field, `${field} takes a whole number from 1.`)
}

/** An ISO 8601 date or date-time, as `since` is spelled. */
export function readInstant(value: unknown, field: string): number {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined
  // An offset may move it out of the years that ISO 8601 writes with four digits.
  if (instant !== undefined && instant >= FIRST_INSTANT && instant <= LAST_INSTANT) return instant
  throw invalid(field, `${field} takes an ISO 8601 date or date-time, such as 2026-11-21T09:30:00Z.`)
}

/** Applies a reader unless the value is `null`, which stays. */
export function orNull<Value>(value: unknown, read: (value: unknown) => Value): Value | null {
  return value === null ? null : read(value)
}

/** A plain JSON object. */
export function readObject(value: unknown, field: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw invalid(field, `${field} takes an object.`)
}

/** `true` or `false`. */
export function readFlag(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value
  throw invalid(field, `${field} takes true or false.`)
}
