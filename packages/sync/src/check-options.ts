import { globalClock } from '@formwire/internal/clock'
import { isObjectOrArray } from '@formwire/internal/json'
import type { Clock, Formwire } from '@formwire/sdk'
import { SyncUsageError } from './errors.ts'

/** What an option must be. It may be left out unless it is required. */
interface Rule {
  expected: string
  // biome-ignore lint/suspicious/noExplicitAny: the value is whatever the caller gave
  is(value: any): boolean
  isRequired?: boolean
  /** Whether an error must not show the value. */
  isSecret?: boolean
}

/** The options of an entry point by their names; no other ones exist. */
export type Shape<Options> = { readonly [Name in keyof Required<Options>]: Rule }

export const rule = (expected: string, is: Rule['is']): Rule => ({ expected, is })
export const required = (one: Rule): Rule => ({ ...one, isRequired: true })

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isText)

export const ANYTHING = rule('', () => true)
export const FUNCTION = rule('a function', (value) => typeof value === 'function')
export const BOOLEAN = rule('true or false', (value) => typeof value === 'boolean')
export const TEXT = rule('a text', isText)
export const DURATION = durationFrom('above 0', Number.MIN_VALUE)
export const SIGNAL = rule('an AbortSignal', (value) => typeof value?.throwIfAborted === 'function')
export const FORMS = rule('"all" or a list of form ids', (value) => value === 'all' || isListOfTexts(value))
export const DELETED = rule('"mark" or "erase"', (value) => value === 'mark' || value === 'erase')
export const COUNT = rule('a positive integer', isPositiveInteger)
export const INTEGER_FROM_1 = rule('an integer from 1', isPositiveInteger)

/** Rules of options that are functions. */
export const functions = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, FUNCTION])) as Record<Name, Rule>

/** @param bound as an error says it */
export function durationFrom(bound: string, least: number): Rule {
  return rule(`a number of milliseconds ${bound}`, (value) => typeof value === 'number' && value >= least)
}

function isPositiveInteger(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0
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

export const COMMON: Shape<CommonOptions & { signal?: AbortSignal }> = {
  formwire: required(
    rule('a client: new Formwire()', (value) => typeof value?.responses?.poll === 'function'),
  ),
  forms: required(FORMS),
  signal: SIGNAL,
  per_page: rule('an integer from 1 to 100', (value) => isPositiveInteger(value) && value <= 100),
  intervalMs: DURATION,
  clock: ANYTHING,
  random: FUNCTION,
}

/** Defaults of {@link COMMON}. */
export const COMMON_DEFAULTS = {
  per_page: 100,
  intervalMs: 30_000,
  clock: globalClock as Clock,
  random: Math.random as () => number,
}

/** Options, some of which have defaults. */
export type Settings<Options, Defaults> = Options & {
  [Name in keyof Defaults & keyof Options]-?: Exclude<Options[Name], undefined>
}

/** Checks options and applies their defaults. @param path of a member in errors. @throws SyncUsageError */
export function readOptions<Options extends object, Defaults extends Partial<Options> = Record<never, never>>(
  what: string,
  options: Options,
  { shape, defaults, path = '' }: { shape: Shape<Options>; defaults?: Defaults; path?: string },
): Settings<Options, Defaults> {
  if (!isObjectOrArray(options)) throw new SyncUsageError(`${what} requires options.`)
  const given = options as unknown as Record<string, unknown>
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(shape, name)) continue
    throw new SyncUsageError(
      `${what}: unknown name ${JSON.stringify(name)}; use one of ${Object.keys(shape).join(', ')}.`,
    )
  }
  for (const [name, { expected, is, isRequired, isSecret }] of Object.entries<Rule>(shape)) {
    const value = given[name]
    if (value === undefined ? !isRequired : is(value)) continue
    if (isSecret) throw new SyncUsageError(`"${path}${name}" must be ${expected}.`)
    throw invalid(`${path}${name}`, expected, value)
  }
  const settings = { ...given }
  for (const [name, value] of Object.entries(defaults ?? {})) settings[name] ??= value
  return settings as Settings<Options, Defaults>
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
