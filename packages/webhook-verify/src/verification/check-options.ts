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
  checkOption(isObjectOrArray(options), 'The options', 'an object', options)
  // Object.keys() would build an array per delivery.
  for (const name in options) {
    if (names[name] !== true && Object.hasOwn(options, name)) {
      throw unknownName('option', name, Object.keys(names))
    }
  }
}

/** @throws WebhookVerificationError code "invalid_option", unless the option is what it must be. */
export function checkOption(holds: boolean, name: string, wanted: string, value: unknown): asserts holds {
  if (!holds) throw invalidOption(`${name} must be ${wanted}, got ${shown(value)}.`)
}

/** @throws WebhookVerificationError code "invalid_option", unless the option is a function or not given. */
export function checkFunction(name: string, value: unknown): void {
  checkOption(value === undefined || typeof value === 'function', name, 'a function', value)
}

/** The error for an invalid option. */
export function invalidOption(message: string): WebhookVerificationError {
  return new WebhookVerificationError('invalid_option', message)
}

/** The error for a name that is not known, with the known one that was probably meant, or all of them and `advice`. */
export function unknownName(
  kind: string,
  name: string,
  known: readonly string[],
  place = '',
  advice = '',
): WebhookVerificationError {
  const nearest = nearestName(name, known)
  const suggestion =
    nearest === undefined
      ? `known ${kind}s: ${known.join(', ')}.${advice}`
      : `did you mean ${shown(nearest)}?`
  return invalidOption(`Unknown ${kind} ${shown(name)}${place}; ${suggestion}`)
}

/** Formats an option's value for an error message: the value if it is short and plain, else its kind. */
export function shown(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString()
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  if (typeof value === 'function') return 'a function'
  return isObjectOrArray(value) ? 'an object' : String(value)
}
