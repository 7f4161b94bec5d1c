import { isDeepStrictEqual } from 'node:util'

/**
 * What something is matched by: members at any depth, where whatever is not named may be anything. A regular expression
 * tests a text, a function judges a value, an array wants each of its items somewhere, `expect.any(...)` and its kind
 * work as they do in an assertion; all else has to be equal.
 */
export type MatchOf<Value> = { readonly [Member in keyof Value]?: unknown } | ((value: Value) => boolean)

/** One line for each place that is not as wanted; none when all of it is. */
export function differences(actual: unknown, wanted: unknown, path = ''): string[] {
  if (typeof wanted === 'function') {
    return wanted(actual) === true ? [] : [`${at(path)}${show(actual)} is not what the function wants`]
  }
  if (wanted instanceof RegExp) {
    return typeof actual === 'string' && wanted.test(actual) ? [] : [line(path, actual, String(wanted))]
  }
  if (isAsymmetric(wanted)) {
    return wanted.asymmetricMatch(actual) ? [] : [line(path, actual, String(wanted))]
  }
  if (Array.isArray(wanted)) return differencesOfArray(actual, wanted, path)
  if (isPlain(wanted)) {
    // Without this, `{}` would match what is not there.
    if (!isPlain(actual) && Object.keys(wanted).length === 0) return [line(path, actual, 'an object')]
    const members = isPlain(actual) ? actual : {}
    return Object.entries(wanted).flatMap(([name, value]) =>
      differences(members[name], value, path === '' ? name : `${path}.${name}`),
    )
  }
  return isDeepStrictEqual(actual, wanted) ? [] : [line(path, actual, show(wanted))]
}

function differencesOfArray(actual: unknown, wanted: readonly unknown[], path: string): string[] {
  if (!Array.isArray(actual)) return [line(path, actual, show(wanted))]
  return wanted.flatMap((item, index) =>
    actual.some((candidate) => differences(candidate, item).length === 0)
      ? []
      : [`${at(path)}no item matches ${show(item)} (item ${index} of what is wanted) among ${show(actual)}`],
  )
}

interface Asymmetric {
  asymmetricMatch(value: unknown): boolean
}

const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof (value as Partial<Asymmetric> | null)?.asymmetricMatch === 'function'

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)

const at = (path: string): string => (path === '' ? '' : `${path}: `)

const line = (path: string, actual: unknown, wanted: string): string =>
  `${at(path)}${show(actual)}, wanted ${wanted}`

/** Longest text of a value in a message. */
const SHOWN_MAX = 100

function show(value: unknown): string {
  const text = value === undefined ? 'undefined' : (JSON.stringify(value) ?? String(value))
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}
