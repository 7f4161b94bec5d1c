import { isObject } from '@formwire/internal/json'
import { isTitle } from '../domain/form-update.ts'
import { FIRST_INSTANT, LAST_INSTANT, parseInstant } from '../domain/instant.ts'
import { invalid } from '../domain/service-error.ts'
import { describeUnknown, firstUnknown } from '../known-names.ts'

/** Readers of one input field. Each throws 422 with the field (ERR-03) and never repeats the value. */

const NAME_MAX_LENGTH = 200

/** Throws for the first unknown field, so that a misspelt one is not ignored. `path` is the path of the object. */
export function refuseUnknownFields(input: object, known: readonly string[], path = ''): void {
  const name = firstUnknown(input, known)
  if (name !== undefined) throw invalid(path + name, describeUnknown('field', name, known))
}

/** A display name: text that is not blank. */
export function readName(value: unknown, field: string): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= NAME_MAX_LENGTH) return value
  throw invalid(field, `${field} must be a string of 1 to ${NAME_MAX_LENGTH} characters.`)
}

/** A form title (FORM-05). */
export function readTitle(value: unknown, field = 'title'): string {
  if (isTitle(value)) return value
  throw invalid(field, `${field} must be a string of 1 to 200 characters.`)
}

/** One of a list of words. */
export function readWord<Word extends string>(value: unknown, field: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === value)
  if (word !== undefined) return word
  throw invalid(field, `${field} must be one of ${words.join(', ')}.`)
}

/** A positive integer: an id or a limit. */
export function readPositive(value: unknown, field: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number
  throw invalid(field, `${field} must be a positive integer.`)
}

/** An ISO 8601 date or date-time, as `since` is spelled. */
export function readInstant(value: unknown, field: string): number {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined
  // An offset may move it outside the years that ISO 8601 writes with four digits.
  if (instant !== undefined && instant >= FIRST_INSTANT && instant <= LAST_INSTANT) return instant
  throw invalid(field, `${field} must be an ISO 8601 date or date-time, such as 2026-11-21T09:30:00Z.`)
}

/** Applies a reader unless the value is `null`, which is returned. */
export function orNull<Value>(value: unknown, read: (value: unknown) => Value): Value | null {
  return value === null ? null : read(value)
}

/** A plain JSON object. */
export function readObject(value: unknown, field: string): Record<string, unknown> {
  if (isObject(value)) return value
  throw invalid(field, `${field} must be an object.`)
}

/** `true` or `false`. */
export function readFlag(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value
  throw invalid(field, `${field} must be true or false.`)
}
