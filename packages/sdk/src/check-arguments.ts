import { isObjectOrArray } from '@formwire/internal/json'
import { nearestName } from '@formwire/internal/nearest-name'
import { UsageError } from './errors/client-errors.ts'

/** Rejects unknown names in an options object. @throws UsageError that suggests the nearest known name and never shows a value. */
export function checkNames(what: string, options: unknown, names: readonly string[]): void {
  if (!isObjectOrArray(options)) {
    throw new UsageError(
      `${what} must be an object with ${names.join(', ')}, got ${options === null ? null : typeof options}.`,
    )
  }
  for (const name in options) {
    if (names.includes(name)) continue
    const nearest = nearestName(name, names)
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
