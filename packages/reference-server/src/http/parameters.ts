import { LIMITS } from '@formwire/contract'
import { parseInstant } from '../domain/instant.ts'
import { codePoints } from '../domain/question/text-answers.ts'
import { badRequest, invalid } from '../domain/service-error.ts'
import { describeUnknown, quote } from '../known-names.ts'
import type { Unspecified } from '../unspecified.ts'

type Query = ReadonlyMap<string, string>

/** The requested page of a list (ENV-06). */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
  /** Index of its first item, from 0. */
  readonly from: number
}

/** Reads `page` and `per_page`. Throws 422 naming the field for anything but a plain decimal in range (ENV-06). */
export function readPage(query: Query): PageRequest {
  const page = readCount(query, 'page', 1, Number.MAX_SAFE_INTEGER)
  const perPage = readCount(query, 'per_page', LIMITS.perPageDefault, LIMITS.perPageMax)
  return { page, perPage, from: (page - 1) * perPage }
}

/** Reads a number from 1. Throws 422 naming the field for anything but a plain decimal in range. */
export function readCount(query: Query, name: string, fallback: number, max: number): number {
  const text = query.get(name)
  if (text === undefined) return fallback
  const count = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (count <= max) return count
  const range = max < Number.MAX_SAFE_INTEGER ? `from 1 to ${max}` : 'of at least 1'
  throw invalid(name, `${name} must be an integer ${range}, got ${quote(text)}.`)
}

/** Reads a parameter with a fixed set of values. Throws 422 naming the field for any other value. */
export function readChoice<Choice extends string>(
  query: Query,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = query.get(name)
  if (text === undefined) return undefined
  const choice = choices.find((known) => known === text)
  if (choice === undefined)
    throw invalid(name, `${name} must be one of ${choices.join(', ')}, got ${quote(text)}.`)
  return choice
}

/** Reads `since` as milliseconds since the epoch. Throws 422 unless it is a valid ISO 8601 date or date-time (RESP-02). */
export function readSince(query: Query): number | undefined {
  const text = query.get('since')
  if (text === undefined) return undefined
  const since = parseInstant(text)
  if (since === undefined) {
    throw invalid(
      'since',
      `since must be an ISO 8601 date or date-time, such as 2026-11-21 or 2026-11-21T09:30:00Z, got ${quote(text)}.`,
    )
  }
  return since
}

/** As long as a URL of an endpoint. */
const SEARCH_MAX_LENGTH = LIMITS.webhookUrlMaxLength

/** Reads the text that `q` searches for; `undefined` if it is empty. Throws 422 for a long one. */
export function readSearch(query: Query): string | undefined {
  const text = query.get('q')
  const length = codePoints(text ?? '')
  if (length > SEARCH_MAX_LENGTH)
    throw invalid('q', `q must be at most ${SEARCH_MAX_LENGTH} characters, got ${length}.`)
  return text || undefined
}

/** Reads a numeric id from a path; `undefined` unless it is one (RESP-03). */
export function readId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined
}

/** Throws 422 for the first unknown name. */
export function refuseOthers(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names) {
    if (!known.includes(name)) throw invalid(name, describeUnknown('parameter', name, known))
  }
}

/** Throws 422 for an unknown name if the server is configured to (ENV-09). */
export function refuseUnknown(
  { unknownParameters }: Unspecified,
  names: Iterable<string>,
  known: readonly string[],
): void {
  if (unknownParameters !== 'ignored') refuseOthers(names, known)
}

/** Throws 422 for a page past the end of a list if the server is configured to; page 1 is never past it (ENV-06). */
export function refusePastEnd(unspecified: Unspecified, { page, from }: PageRequest, total: number): void {
  if (unspecified.pagePastEnd === '422' && page > 1 && from >= total)
    throw invalid('page', `page ${page} is past the end of the list.`)
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()

/**
 * Returns the first value of each query parameter. `+` is a space, as in forms. Throws `bad_request` for invalid
 * percent-encoding (ERR-01).
 */
export function parseQuery(query: string): ReadonlyMap<string, string> {
  if (query === '') return NO_PARAMETERS
  const parameters = new Map<string, string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    if (!parameters.has(name)) parameters.set(name, value)
  }
  return parameters
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  } catch {
    throw badRequest('The query contains invalid percent-encoding.')
  }
}
