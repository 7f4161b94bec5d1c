import { isObjectOrArray } from '@formwire/internal/json'
import { SyncUsageError } from './errors.ts'

/** Rejects unknown names. @throws SyncUsageError */
export function checkNames(what: string, options: unknown, names: object): void {
  if (!isObjectOrArray(options)) throw new SyncUsageError(`${what} requires options.`)
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue
    throw new SyncUsageError(
      `${what}: unknown name ${JSON.stringify(name)}; use one of ${Object.keys(names).join(', ')}.`,
    )
  }
}

/** Checks options that every entry point has. @throws SyncUsageError */
export function checkCommon(options: {
  formwire: { responses?: { poll?: unknown } } | undefined
  forms: unknown
  signal?: { throwIfAborted?: unknown } | undefined
  per_page?: unknown
}): void {
  const { formwire, forms, signal, per_page = 100 } = options
  if (typeof formwire?.responses?.poll !== 'function')
    throw invalid('formwire', 'a client: new Formwire()', formwire)
  if (forms !== 'all') {
    const isList =
      Array.isArray(forms) && forms.length > 0 && forms.every((id) => typeof id === 'string' && id !== '')
    if (!isList) throw invalid('forms', '"all" or a list of form ids', forms)
  }
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw invalid('signal', 'an AbortSignal', signal)
  if (!Number.isInteger(per_page) || Number(per_page) < 1 || Number(per_page) > 100)
    throw invalid('per_page', 'an integer from 1 to 100', per_page)
}

/** Checks that options are functions or undefined. @throws SyncUsageError */
export function checkFunctions(functions: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(functions)) {
    if (value !== undefined && typeof value !== 'function') throw invalid(name, 'a function', value)
  }
}

/** Checks that options are durations above 0. @throws SyncUsageError */
export function checkDurations(durations: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(durations)) {
    if (typeof value !== 'number' || !(value > 0))
      throw invalid(name, 'a number of milliseconds above 0', value)
  }
}

export function invalid(name: string, expected: string, value: unknown): SyncUsageError {
  return new SyncUsageError(`"${name}" must be ${expected}, got ${described(value)}.`)
}

function described(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'function') return 'function'
  return isObjectOrArray(value) ? 'object' : String(value)
}
