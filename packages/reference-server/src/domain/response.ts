import type { Answer, FormResponse, KnownResponseStatus, ResponseMeta } from '@formwire/contract'
import type { Unspecified } from '../unspecified.ts'
import { formatTimestamp } from './timestamp.ts'

/**
 * A response as it is stored. Immutable, and small on purpose: what only the wire needs is kept once, as the JSON that
 * every read writes out (see `responseContent` for the way back). Instants are milliseconds since the epoch.
 */
export interface ResponseRecord {
  /** From 1, never given twice (RESP-04). */
  readonly id: number
  readonly formId: string
  readonly status: KnownResponseStatus
  readonly startedAt: number
  /** What lists are ordered by: submission, or the last save of a draft (RESP-02). */
  readonly at: number
  /** Order of writing: of two at one instant the one written later comes first (RESP-01). */
  readonly sequence: number
  /** What a draft needs to be resumed; `null` once submitted. */
  readonly draft: DraftRecord | null
  /** The wire object, `FormResponse`, from the moment it was written. */
  readonly json: string
  /** Length of `json` in UTF-8: no read counts it again. */
  readonly jsonBytes: number
}

/** An answer as it is sent in: `value` in the wire shape of the question's type (RESP-07), not checked yet. */
export interface SubmittedAnswer {
  readonly question_id: string
  readonly value: unknown
}

/** The unfinished part of a draft. */
interface DraftRecord {
  /** Bearer of the draft: whoever has it may read, save and submit it. */
  readonly token: string
  /** Answers as they were last saved, checked or not. */
  readonly answers: readonly SubmittedAnswer[]
}

/** What a response is made of, before it is rendered. */
export interface ResponseFacts {
  readonly id: number
  readonly formId: string
  readonly status: KnownResponseStatus
  readonly startedAt: number
  /** Submission, or the last save of a draft. */
  readonly at: number
  readonly sequence: number
  readonly content: ResponseContent
  readonly draft: DraftRecord | null
}

/** The part of a response that does not depend on how timestamps are written. */
export interface ResponseContent {
  readonly email: string | null
  readonly score: number | null
  readonly maxScore: number | null
  /** In form order; skipped and hidden ones left out (RESP-06). */
  readonly answers: readonly Answer[]
  readonly meta: ResponseMeta
}

/** The options that decide how a response is rendered. */
export type ResponseStyle = Pick<Unspecified, 'timestamps' | 'draftSubmittedAt'>

/** Renders a response once and for all (RESP-05, RESP-09). */
export function writeResponse(facts: ResponseFacts, style: ResponseStyle): ResponseRecord {
  const { id, formId, status, startedAt, at, sequence, content, draft } = facts
  const wire: FormResponse = {
    id,
    form_id: formId,
    status,
    started_at: formatTimestamp(startedAt, style.timestamps),
    submitted_at:
      status === 'submitted' || style.draftSubmittedAt === 'lastSaved'
        ? formatTimestamp(at, style.timestamps)
        : null,
    duration_sec: Math.max(0, Math.floor((at - startedAt) / 1000)),
    email: content.email,
    score: content.score,
    max_score: content.maxScore,
    answers: content.answers as Answer[],
    meta: content.meta,
  }
  const json = JSON.stringify(wire)
  return { id, formId, status, startedAt, at, sequence, draft, json, jsonBytes: Buffer.byteLength(json) }
}

/** Reads back what `writeResponse` was given. */
export function responseContent(record: ResponseRecord): ResponseContent {
  const wire = JSON.parse(record.json) as FormResponse
  return {
    email: wire.email,
    score: wire.score,
    maxScore: wire.max_score,
    answers: wire.answers,
    meta: wire.meta,
  }
}

/** The facts of a stored response: for a snapshot, or to write it anew. */
export function responseFacts(record: ResponseRecord): ResponseFacts {
  const { id, formId, status, startedAt, at, sequence, draft } = record
  return { id, formId, status, startedAt, at, sequence, draft, content: responseContent(record) }
}
