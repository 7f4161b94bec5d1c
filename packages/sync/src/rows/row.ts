import type { FormResponse } from '@formwire/contract'
import type { Dialect } from '../database/dialect.ts'
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
export function responseValues(formId: string, response: KnownResponse, dialect: Dialect): SqlValue[] {
  return [
    dialect.text(formId),
    response.id,
    textOf(response.status, dialect) ?? 'submitted',
    textOf(response.started_at, dialect),
    textOf(response.submitted_at, dialect),
    integerOf(response.duration_sec),
    textOf(response.email, dialect),
    numberOf(response.score),
    numberOf(response.max_score),
    dialect.json(JSON.stringify(response.answers ?? [])),
    dialect.json(JSON.stringify(response.meta ?? {})),
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

export function textOf(value: unknown, dialect: Dialect): string | null {
  if (value === null || value === undefined) return null
  return dialect.text(typeof value === 'string' ? value : JSON.stringify(value))
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function integerOf(value: unknown): number | null {
  const whole = Math.trunc(numberOf(value) ?? Number.NaN)
  return Number.isSafeInteger(whole) ? whole : null
}
