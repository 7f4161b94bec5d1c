import { isDeepStrictEqual } from 'node:util'

/**
 * Expected members, at any depth; members that are not listed are ignored. A regular expression tests a string, a
 * function is a predicate, each item of an array must match some item, an empty array matches only an empty one, and
 * asymmetric matchers such as `expect.any(...)` work as in an assertion. Everything else must be deeply equal.
 *
 * @example
 * ```ts
 * kit.expectRequest({ method: 'GET', path: /responses$/, query: { page: '2' } })
 * ```
 */
export type MatchOf<Value> = { readonly [Member in keyof Value]?: unknown } | ((value: Value) => boolean)

/** Returns one line for each difference; an empty list means a match. */
export function differences(actual: unknown, wanted: unknown, path = ''): string[] {
  if (typeof wanted === 'function') {
    return wanted(actual) === true ? [] : [`${at(path)}${show(actual)} did not satisfy the predicate`]
  }
  if (wanted instanceof RegExp) {
    return typeof actual === 'string' && wanted.test(actual) ? [] : [line(path, actual, String(wanted))]
  }
  if (isAsymmetric(wanted)) {
    return wanted.asymmetricMatch(actual) ? [] : [line(path, actual, String(wanted))]
  }
  if (Array.isArray(wanted)) return differencesOfArray(actual, wanted, path)
  if (isPlain(wanted)) {
    // Without this, `{}` would match undefined.
    if (!isPlain(actual) && Object.keys(wanted).length === 0) return [line(path, actual, 'an object')]
    const members = isPlain(actual) ? actual : {}
    return Object.entries(wanted).flatMap(([name, value]) =>
      differences(
        Object.hasOwn(members, name) ? members[name] : undefined,
        value,
        path === '' ? name : `${path}.${name}`,
      ),
    )
  }
  return isDeepStrictEqual(actual, wanted) ? [] : [line(path, actual, show(wanted))]
}

function differencesOfArray(actual: unknown, wanted: readonly unknown[], path: string): string[] {
  // Without this, `[]` would match any array.
  const misfit = !Array.isArray(actual) || (wanted.length === 0 && actual.length > 0)
  if (misfit) return [line(path, actual, show(wanted))]
  return wanted.flatMap((item, index) =>
    actual.some((candidate) => differences(candidate, item).length === 0)
      ? []
      : [`${at(path)}no item matches ${show(item)} (expected item ${index}) among ${show(actual)}`],
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
  `${at(path)}${show(actual)}, expected ${wanted}`

/** Maximum length of a value in a message. */
const SHOWN_MAX = 100

function show(value: unknown): string {
  const text = value === undefined ? 'undefined' : (JSON.stringify(value) ?? String(value))
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}
