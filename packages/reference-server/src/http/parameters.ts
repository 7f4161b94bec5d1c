import { LIMITS } from '@formwire/contract'
import type { Unspecified } from '../unspecified.ts'
import { invalid } from './errors.ts'
import { parseInstant } from './instant.ts'

type Query = ReadonlyMap<string, string>

/** Which part of a list is asked for (ENV-06). */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
  /** Position of its first item, from 0. */
  readonly from: number
}

/** Reads `page` and `per_page`. Throws 422 with the field for anything but a plain decimal in range (ENV-06). */
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
  throw invalid(name, `${name} takes a whole number from 1${max === LIMITS.perPageMax ? ` to ${max}` : ''}.`)
}

/** Reads a parameter that takes one of a few words. Throws 422 with the field for any other. */
export function readChoice<Choice extends string>(
  query: Query,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = query.get(name)
  if (text === undefined) return undefined
  const choice = choices.find((known) => known === text)
  if (choice === undefined) throw invalid(name, `${name} takes one of ${choices.join(', ')}.`)
  return choice
}

/** Reads `since` as milliseconds since the epoch. Throws 422 for what is no real ISO 8601 date or date-time (RESP-02). */
export function readSince(query: Query): number | undefined {
  const text = query.get('since')
  if (text === undefined) return undefined
  const since = parseInstant(text)
  if (since === undefined) {
    throw invalid(
      'since',
      'since takes an ISO 8601 date or date-time, such as 2026-11-21 or 2026-11-21T09:30:00Z.',
    )
  }
  return since
}

/** Reads a numeric id of a path; `undefined` for what cannot be one (RESP-03). */
export function readId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined
}

/** Throws 422 for a name that a route does not know, when the server is told to (ENV-09). */
export function refuseUnknown(
  unspecified: Unspecified,
  names: Iterable<string>,
  known: readonly string[],
): void {
  if (unspecified.unknownParameters === 'ignored') return
  for (const name of names) {
    if (known.includes(name)) continue
    const taken = known.length === 0 ? 'No parameter is.' : `Known: ${known.join(', ')}.`
    throw invalid(name, `${JSON.stringify(name)} is not known here. ${taken}`)
  }
}
