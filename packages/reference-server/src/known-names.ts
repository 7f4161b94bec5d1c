import { errorJson, recognizeCopies } from '@formwire/internal/error-class'
import { helpUrlOf } from '@formwire/internal/help-page'
import { isObject } from '@formwire/internal/json'
import { NAME_MAX_LENGTH, nearestName } from '@formwire/internal/nearest-name'

/** An invalid option. The message names it and what it must be. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError'

  /** URL of the page that explains the error. */
  get helpUrl(): string {
    return helpUrlOf(this.name)
  }

  /** For a log: the message too. */
  toJSON(): Record<string, unknown> {
    return errorJson(this)
  }
}
recognizeCopies(OptionError, 'OptionError')

/** Returns a value as JSON for an error message, shortened to `max` UTF-16 units. */
export function quote(value: unknown, max = 60): string {
  const json = JSON.stringify(value) ?? String(value)
  return json.length > max ? `${json.slice(0, max)}…` : json
}

/** A check of one member, with what it must be. */
export type Check = readonly [holds: (value: unknown) => boolean, expected: string]

export const whole = (min: number, max: number): Check => [
  (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  `an integer from ${min} to ${max}`,
]

/** Returns the member names of a type. A missing name, or one that is not a member, is a compile error. */
export const namesOf = <Shape>(names: { readonly [Name in keyof Shape]-?: true }): readonly string[] =>
  Object.keys(names)

/** Returns the first name of an object that is not a known one, whatever its value. */
export const firstUnknown = (given: object, known: readonly string[]): string | undefined =>
  Object.keys(given).find((name) => !known.includes(name))

/** Describes an unknown name and the known one that is probably meant. */
export function describeUnknown(what: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return `Unknown ${what} ${JSON.stringify(shorten(name))}; ${
    nearest === undefined ? listOf(known) : `did you mean ${JSON.stringify(nearest)}?`
  }`
}

/** @throws OptionError for a value that is not an object, and for the first name in it that is not a known option. */
export function refuseUnknownOptions(given: unknown, known: readonly string[], callee: string): void {
  if (!isObject(given)) throw new OptionError(`${callee} expects an object of options.`)
  const name = firstUnknown(given, known)
  if (name !== undefined) throw new OptionError(describeUnknown('option', name, known))
}

const NAMES_LISTED = 20

const shorten = (name: string): string =>
  name.length > NAME_MAX_LENGTH ? `${name.slice(0, NAME_MAX_LENGTH)}…` : name

function listOf(known: readonly string[]): string {
  if (known.length === 0) return 'no names are known here.'
  const listed = known.slice(0, NAMES_LISTED)
  return `known: ${[...listed, ...(listed.length < known.length ? ['…'] : [])].join(', ')}.`
}
