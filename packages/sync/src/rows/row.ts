import { isDeepStrictEqual } from 'node:util'
import type { EventForm, EventResponse, FormResponse } from '@formwire/contract'
import { cleanJson, cleanText, type Dialect } from '../database/dialect.ts'
import type { SqlRow, SqlValue } from '../database/driver.ts'

/** The columns of `formwire_responses` that come from the service, in order. */
export const RESPONSE_COLUMNS = [
  'form_id',
  'id',
  'status',
  'started_at',
  'submitted_at',
  'duration_sec',
  'email',
  'score',
  'max_score',
  'answers',
  'meta',
] as const

/** A response, or what is known of it. A webhook leaves out some fields, which are then null. */
export type KnownResponse = {
  [Name in keyof FormResponse]: Name extends 'started_at' | 'duration_sec'
    ? FormResponse[Name] | null
    : FormResponse[Name]
}

/** Returns the values of {@link RESPONSE_COLUMNS}. Fields of an unexpected type become null or text. */
export function responseValues(formId: string, response: KnownResponse): SqlValue[] {
  return [
    cleanText(formId),
    response.id,
    textOf(response.status) ?? 'submitted',
    textOf(response.started_at),
    textOf(response.submitted_at),
    integerOf(response.duration_sec),
    textOf(response.email),
    numberOf(response.score),
    numberOf(response.max_score),
    cleanJson(JSON.stringify(response.answers ?? [])),
    cleanJson(JSON.stringify(response.meta ?? {})),
  ]
}

/** Returns the response of a stored row. */
export function responseOf(row: SqlRow, dialect: Dialect): KnownResponse {
  return {
    id: Number(row.id),
    form_id: String(row.form_id),
    status: String(row.status),
    started_at: row.started_at as string | null,
    submitted_at: row.submitted_at as string | null,
    duration_sec: row.duration_sec === null ? null : Number(row.duration_sec),
    email: row.email as string | null,
    score: row.score as number | null,
    max_score: row.max_score as number | null,
    answers: (dialect.parseJson(row.answers) ?? []) as FormResponse['answers'],
    meta: (dialect.parseJson(row.meta) ?? {}) as FormResponse['meta'],
  }
}

export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return cleanText(typeof value === 'string' ? value : JSON.stringify(value))
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function integerOf(value: unknown): number | null {
  const whole = Math.trunc(numberOf(value) ?? Number.NaN)
  return Number.isSafeInteger(whole) ? whole : null
}

/** Whether a stored row has the given values of {@link RESPONSE_COLUMNS}. JSON is compared by value. */
export function sameRow(row: SqlRow, values: readonly SqlValue[], dialect: Dialect): boolean {
  return RESPONSE_COLUMNS.every((name, index) => sameColumn(name, row[name], values[index] ?? null, dialect))
}

function sameColumn(name: string, stored: unknown, given: SqlValue, dialect: Dialect): boolean {
  if (name === 'answers' || name === 'meta') {
    if (stored === given) return true
    try {
      return stored !== null && isDeepStrictEqual(dialect.parseJson(stored), JSON.parse(given as string))
    } catch {
      // Text of SQLite that is not JSON.
      return false
    }
  }
  if (typeof given === 'number') return stored !== null && Number(stored) === given
  return stored === given
}

/** The part of a verified `response.submitted` event that is used. */
export interface SubmittedEvent {
  form: EventForm
  response: EventResponse
}

/** Returns the response of an event. What a delivery leaves out is null. */
export function deliveredResponse({ form, response }: SubmittedEvent): KnownResponse {
  return {
    id: response.id,
    form_id: form.id,
    status: 'submitted',
    started_at: null,
    submitted_at: response.submitted_at,
    duration_sec: null,
    email: null,
    score: response.score,
    max_score: response.max_score,
    answers: response.answers,
    meta: response.meta,
  }
}

/**
 * SQL for the sort key of a response: `submitted_at` without its zone and trailing zeros. Timestamps are UTC (ENV-05), so keys
 * compare like instants, at full precision: `2026-01-01T00:00:00` < `2026-01-01T00:00:00.05` < `2026-01-01T00:00:00.5`.
 */
export const SORT_KEY_SQL = `substr(submitted_at, 1, 19) || rtrim(substr(submitted_at, 20), '0.:+-Zz')`

/** The same key in JavaScript. */
export function sortKey(submittedAt: string): string {
  let end = submittedAt.length
  while (end > 19 && '0.:+-Zz'.includes(submittedAt[end - 1] as string)) end -= 1
  return submittedAt.slice(0, Math.max(end, Math.min(19, submittedAt.length)))
}
