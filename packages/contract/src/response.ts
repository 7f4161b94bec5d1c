import type { Answer } from './answer.ts'
import type { OpenEnum, Timestamp } from './open-enum.ts'

/** The documented response statuses. */
export const RESPONSE_STATUSES = ['submitted', 'in_progress'] as const

/** A documented response status. */
export type KnownResponseStatus = (typeof RESPONSE_STATUSES)[number]

/** Status of a response: `submitted`, or `in_progress` for a saved draft. */
export type ResponseStatus = OpenEnum<KnownResponseStatus>

/** How a response was submitted. Other keys can be added at any time (RESP-08). */
export interface ResponseMeta {
  device?: string | null
  browser?: string | null
  os?: string | null
  ref?: string | null
  /** Campaign parameters such as `source`. */
  utm?: Record<string, string> | null
  [key: string]: unknown
}

/** A form response, as the API returns it (RESP-05). */
export interface FormResponse {
  id: number
  /** Id of the form. */
  form_id: string
  status: ResponseStatus
  started_at: Timestamp
  /** When it was submitted. For a draft, `null` or the time of the last save, depending on the deployment. */
  submitted_at: Timestamp | null
  /** Whole seconds from the start to the submission, or to the last save of a draft. */
  duration_sec: number
  email: string | null
  score: number | null
  max_score: number | null
  /** In form order, without skipped questions and questions hidden by logic (RESP-06). */
  answers: Answer[]
  meta: ResponseMeta
}

/** Members of a response that an export as CSV has as columns, before the answers. */
export const CSV_FACTS = [
  'id',
  'status',
  'started_at',
  'submitted_at',
  'duration_sec',
  'email',
  'score',
  'max_score',
] as const satisfies readonly (keyof FormResponse)[]

/** Column of a CSV for the answers to questions that have no column of their own. */
export const CSV_OTHER_ANSWERS = 'other_answers'

/** Query of `GET /forms/{id}/responses`. */
export interface ResponseListQuery {
  /** Returns only responses with this status (RESP-01). @default 'submitted' */
  status?: KnownResponseStatus | undefined
  /**
   * Returns only responses submitted (drafts: last saved) at or after this ISO 8601 date or date-time. UTC unless it has
   * a time zone (RESP-02).
   */
  since?: string | undefined
  /** Page number, from 1. @default 1 */
  page?: number | undefined
  /** Items per page, 1 to 100. @default 25 */
  per_page?: number | undefined
}
