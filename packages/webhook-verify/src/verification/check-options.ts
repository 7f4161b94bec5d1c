import { WebhookVerificationError } from './errors.ts'
import { shown } from './shown.ts'

/** Every option name of a type. A missing or an extra name does not compile. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/**
 * Refuses options with a name that is not one of `names`: a misspelt option would otherwise be ignored.
 * @throws WebhookVerificationError code "invalid_option".
 */
export function checkOptions(options: object, names: Readonly<Record<string, true>>): void {
  if (typeof options !== 'object' || options === null) {
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
  const given = name.slice(0, MAX_COMPARED_LENGTH).toLowerCase()
  let nearest: string | undefined
  let least = given.length < 4 ? 1 : Math.max(2, Math.floor(given.length * 0.4))
  for (const candidate of known) {
    const distance = distanceOf(given, candidate.toLowerCase())
    if (distance > least || (distance === least && nearest !== undefined)) continue
    nearest = candidate
    least = distance
  }
  return nearest === undefined ? undefined : `did you mean ${shown(nearest)}?`
}

/** Longer than every option name. The time to compare grows with its square. */
const MAX_COMPARED_LENGTH = 40

/** Edit distance between two names. A name that is a prefix or suffix of the other counts as one edit. */
function distanceOf(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short !== long && short.length >= 3 && (long.startsWith(short) || long.endsWith(short))) return 1
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let line = 1; line <= a.length; line++) {
    const next = [line]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (row[column - 1] as number) + (a[line - 1] === b[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] as number) + 1, (next[column - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
