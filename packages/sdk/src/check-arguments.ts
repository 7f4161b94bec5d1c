import { UsageError } from './errors/usage-error.ts'
import { isObject } from './json.ts'

/** Rejects unknown names in an options object. @throws UsageError that suggests the nearest known name and never shows a value. */
export function checkNames(what: string, options: unknown, names: readonly string[]): void {
  if (!isObject(options)) {
    throw new UsageError(
      `${what} must be an object with ${names.join(', ')}, got ${options === null ? null : typeof options}.`,
    )
  }
  for (const name in options) {
    if (names.includes(name)) continue
    const nearest = nearestOf(name, names)
    const help = nearest ? `did you mean "${nearest}"?` : `use one of ${names.join(', ')}.`
    throw new UsageError(`${what}: unknown name ${JSON.stringify(name)}; ${help}`)
  }
}

/** Checks that a value has the given methods. @throws UsageError */
export function checkMethods(name: string, value: unknown, methods: readonly string[], kind: string): void {
  const members = Object(value) as Record<string, unknown>
  if (methods.some((method) => typeof members[method] !== 'function')) {
    throw new UsageError(`"${name}" must be ${kind}, got ${value === null ? null : typeof value}.`)
  }
}

/** Checks that `signal` is an AbortSignal or undefined. Anything else would fail later in a timer, as an uncaught exception. @throws UsageError */
export function checkSignal(signal: unknown): void {
  const kind = 'an AbortSignal, such as controller.signal'
  const methods = ['addEventListener', 'removeEventListener', 'throwIfAborted']
  if (signal !== undefined) checkMethods('signal', signal, methods, kind)
}

/** Returns the name with the fewest edits, if they are fewer than half of its characters. Ignores case and underscores. */
function nearestOf(given: string, names: readonly string[]): string | undefined {
  const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()
  if (given.length > 40) return undefined
  let nearest: string | undefined
  let fewest = given.length / 2
  for (const name of names) {
    const edits = editsBetween(plain(given), plain(name))
    if (edits < fewest) [nearest, fewest] = [name, edits]
  }
  return nearest
}

/** Returns the Levenshtein distance. */
function editsBetween(from: string, to: string): number {
  let row = [...to, ''].map((_, index) => index)
  for (const char of from) {
    let left = Number.NaN
    row = row.map((above, x, before) => {
      left =
        x === 0
          ? above + 1
          : Math.min((before[x - 1] as number) + Number(char !== to[x - 1]), above + 1, left + 1)
      return left
    })
  }
  return row.at(-1) as number
}
