import { isDeepStrictEqual } from 'node:util'
import type { EventForm, EventResponse, Form, FormResponse } from '@formwire/contract'
import { type ColumnType, cleanJson, cleanText, type Dialect } from '../database/dialect.ts'
import type { SqlRow, SqlValue } from '../database/driver.ts'

/** The columns of `formwire_responses` that come from the service, in order, with their types. */
export const RESPONSE_TYPES = {
  form_id: 'text',
  id: 'integer',
  status: 'text',
  started_at: 'text',
  submitted_at: 'text',
  duration_sec: 'integer',
  email: 'text',
  score: 'number',
  max_score: 'number',
  answers: 'json',
  meta: 'json',
} as const satisfies Record<keyof FormResponse, ColumnType>

/** The same of `formwire_forms`. */
export const FORM_TYPES = {
  id: 'text',
  title: 'text',
  status: 'text',
  slug: 'text',
  url: 'text',
  published: 'boolean',
  response_count: 'integer',
  response_limit: 'integer',
  opens_at: 'text',
  closes_at: 'text',
  created_at: 'text',
  updated_at: 'text',
} as const satisfies Partial<Record<keyof Form, ColumnType>>

type ResponseColumn = keyof typeof RESPONSE_TYPES

export const RESPONSE_COLUMNS = Object.keys(RESPONSE_TYPES) as ResponseColumn[]

/** A response, or what is known of it. A webhook leaves out some fields, which are then null. */
export type KnownResponse = {
  [Name in keyof FormResponse]: Name extends 'started_at' | 'duration_sec'
    ? FormResponse[Name] | null
    : FormResponse[Name]
}

/** Returns the values of {@link RESPONSE_COLUMNS}. Fields of an unexpected type become null or text. */
export function responseValues(formId: string, response: KnownResponse, dialect: Dialect): SqlValue[] {
  const { status, answers, meta } = response
  const given = { form_id: formId, status: status ?? 'submitted', answers: answers ?? [], meta: meta ?? {} }
  return RESPONSE_COLUMNS.map((name) =>
    stored(name in given ? given[name as keyof typeof given] : response[name], RESPONSE_TYPES[name], dialect),
  )
}

/** Returns the values of the columns of {@link FORM_TYPES}. */
export const formValues = (form: Form, dialect: Dialect): Record<string, SqlValue> =>
  Object.fromEntries(
    Object.entries(FORM_TYPES).map(([name, type]) => [
      name,
      stored(form[name as keyof typeof FORM_TYPES], type, dialect),
    ]),
  )

function stored(value: unknown, type: ColumnType, { boolean }: Dialect): SqlValue {
  if (type === 'text') return textOf(value)
  if (type === 'json') return cleanJson(JSON.stringify(value))
  if (type === 'boolean') return typeof value === 'boolean' ? boolean(value) : null
  return type === 'integer' ? integerOf(value) : numberOf(value)
}

/** Returns the response of a stored row. */
export function responseOf(row: SqlRow, dialect: Dialect): KnownResponse {
  const storedValue = (name: ResponseColumn): unknown => {
    if (RESPONSE_TYPES[name] === 'json') return dialect.parseJson(row[name]) ?? (name === 'meta' ? {} : [])
    return RESPONSE_TYPES[name] === 'integer' && row[name] !== null ? Number(row[name]) : row[name]
  }
  return Object.fromEntries(RESPONSE_COLUMNS.map((name) => [name, storedValue(name)])) as KnownResponse
}

function textOf(value: unknown): string | null {
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

function sameColumn(name: ResponseColumn, stored: unknown, given: SqlValue, dialect: Dialect): boolean {
  if (RESPONSE_TYPES[name] === 'json') {
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
