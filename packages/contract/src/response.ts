import type { Answer } from './answer.ts'
import type { OpenEnum, Timestamp } from './open-enum.ts'

/** The documented response states. */
export const RESPONSE_STATUSES = ['submitted', 'in_progress'] as const

/** A documented response state. */
export type KnownResponseStatus = (typeof RESPONSE_STATUSES)[number]

/** State of a response: `submitted`, or `in_progress` for a saved draft. */
export type ResponseStatus = OpenEnum<KnownResponseStatus>

/** What is known of how a response came in. More keys may appear; accept any (RESP-08). */
export interface ResponseMeta {
  device?: string | null
  browser?: string | null
  os?: string | null
  ref?: string | null
  /** Campaign parameters such as `source`. */
  utm?: Record<string, string> | null
  [key: string]: unknown
}

/** A response as the API shows it (RESP-05). Named so because `Response` is the fetch standard's. */
export interface FormResponse {
  id: number
  /** Id of the owning form. */
  form_id: string
  status: ResponseStatus
  started_at: Timestamp
  /** When it was submitted. A draft's may be `null` or the last save: the service does not say. */
  submitted_at: Timestamp | null
  /** Whole seconds from start to submission; for a draft to the last save. */
  duration_sec: number
  email: string | null
  score: number | null
  max_score: number | null
  /** In form order; skipped questions and questions hidden by logic are left out (RESP-06). */
  answers: Answer[]
  meta: ResponseMeta
}

/** Query of `GET /forms/{id}/responses`. */
export interface ResponseListQuery {
  /** Default `submitted` (RESP-01). */
  status?: KnownResponseStatus
  /**
   * Keeps responses submitted (drafts: last saved) at or after this ISO 8601 date or date-time; without a zone it is
   * read as UTC (RESP-02).
   */
  since?: string
  /** From 1. Default 1. */
  page?: number
  /** 1 to 100. Default 25. */
  per_page?: number
}
