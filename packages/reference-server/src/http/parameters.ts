import { LIMITS } from '@formwire/contract'
import { parseInstant } from '../domain/instant.ts'
import { invalid } from '../domain/service-error.ts'
import { describeUnknown } from '../known-names.ts'
import type { Unspecified } from '../unspecified.ts'
import { quote } from './quote.ts'

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

function readCount(query: Query, name: string, fallback: number, max: number): number {
  const text = query.get(name)
  if (text === undefined) return fallback
  const count = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (count <= max) return count
  const range = max === LIMITS.perPageMax ? `from 1 to ${max}` : 'of at least 1'
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

/** Reads a numeric id from a path; `undefined` unless it is one (RESP-03). */
export function readId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined
}

/** Throws 422 for an unknown name if the server is configured to (ENV-09). */
export function refuseUnknown(
  unspecified: Unspecified,
  names: Iterable<string>,
  known: readonly string[],
): void {
  if (unspecified.unknownParameters === 'ignored') return
  for (const name of names) {
    if (known.includes(name)) continue
    throw invalid(name, describeUnknown('parameter', name, known))
  }
}
