import { globalClock } from '@formwire/internal/clock'
import { isObjectOrArray } from '@formwire/internal/json'
import type { Clock, Formwire } from '@formwire/sdk'
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

/** Options that every entry point has. */
export interface CommonOptions {
  /** Client of the service. */
  formwire: Formwire
  /** Ids of forms, or all forms of the key's workspace, including later ones. */
  forms: readonly string[] | 'all'
  /** Responses per request, at most 100 (ENV-06). @default 100 */
  per_page?: number | undefined
  /** Milliseconds between rounds of `run()`. @default 30_000 */
  intervalMs?: number | undefined
  /** Source of time, for tests. @default the system clock */
  clock?: Clock | undefined
  /** Source of jitter, for tests. Returns a number in [0, 1). @default Math.random */
  random?: (() => number) | undefined
}

/** The same with their defaults. */
export type CommonSettings = {
  [Name in keyof CommonOptions]-?: Exclude<CommonOptions[Name], undefined>
}

/** Checks the options that every entry point has, and applies their defaults. @throws SyncUsageError */
export function readCommon(options: CommonOptions & { signal?: AbortSignal | undefined }): CommonSettings {
  const { formwire, forms, signal, per_page = 100, intervalMs = 30_000 } = options
  const { clock = globalClock, random = Math.random } = options
  if (typeof formwire?.responses?.poll !== 'function')
    throw invalid('formwire', 'a client: new Formwire()', formwire)
  if (forms !== 'all') {
    const isList =
      Array.isArray(forms) && forms.length > 0 && forms.every((id) => typeof id === 'string' && id !== '')
    if (!isList) throw invalid('forms', '"all" or a list of form ids', forms)
  }
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw invalid('signal', 'an AbortSignal', signal)
  if (!Number.isInteger(per_page) || per_page < 1 || per_page > 100)
    throw invalid('per_page', 'an integer from 1 to 100', per_page)
  checkFunctions({ random })
  checkDurations({ intervalMs })
  const distinct = forms === 'all' ? forms : [...new Set(forms)]
  return { formwire, forms: distinct, per_page, intervalMs, clock, random }
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

/** Returns the URL of a service as the client shows it. @throws SyncUsageError */
export function serviceUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (typeof text !== 'string' || !/^https?:/i.test(text) || !URL.canParse(text))
    throw invalid(name, 'an http:// or https:// URL', text)
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname.replace(/\/+$/, '')}`
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
