import { isObjectOrArray } from '@formwire/internal/json'
import { nearestName } from '@formwire/internal/nearest-name'
import { WebhookVerificationError } from './errors.ts'

/** Every option name of a type. A missing or an extra name does not compile. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/**
 * Refuses options with a name that is not one of `names`: a misspelt option would otherwise be ignored.
 * @throws WebhookVerificationError code "invalid_option".
 */
export function checkOptions(options: object, names: Readonly<Record<string, true>>): void {
  if (!isObjectOrArray(options)) {
    throw invalidOption(`The options must be an object, got ${shown(options)}.`)
  }
  // Object.keys() would build an array per delivery.
  for (const name in options) {
    if (names[name] !== true && Object.hasOwn(options, name)) throw unknownOption(name, names)
  }
}

/** The error for an invalid option. */
export function invalidOption(message: string): WebhookVerificationError {
  return new WebhookVerificationError('invalid_option', message)
}

function unknownOption(name: string, names: Readonly<Record<string, true>>): WebhookVerificationError {
  const known = Object.keys(names)
  return invalidOption(
    `Unknown option ${shown(name)}; ${didYouMean(name, known) ?? `known options: ${known.join(', ')}.`}`,
  )
}

/** Returns a question that suggests the known name closest to `name`, or `undefined` when none is close. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known)
  return nearest === undefined ? undefined : `did you mean ${shown(nearest)}?`
}

/** Formats an option's value for an error message: the value if it is short and plain, else its kind. */
export function shown(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString()
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  if (typeof value === 'function') return 'a function'
  return isObjectOrArray(value) ? 'an object' : String(value)
}
