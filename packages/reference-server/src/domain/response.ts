import type {
  Answer,
  EventResponse,
  FormResponse,
  KnownResponseStatus,
  QuestionType,
  ResponseMeta,
} from '@formwire/contract'
import type { SubmittedAnswer } from '@formwire/contract/control'
import { type RandomSource, randomText } from '../random.ts'
import type { Unspecified } from '../unspecified.ts'
import { formatTimestamp } from './instant.ts'
import { typeName, typeOfName } from './question/question-types.ts'

/**
 * A response as it is stored. Records are immutable, and small: what only the wire needs is kept as the JSON that every
 * read returns. `responseContent` parses it. Instants are milliseconds since the epoch.
 */
export interface ResponseRecord {
  /** From 1, never reused (RESP-04). */
  readonly id: number
  readonly formId: string
  readonly status: KnownResponseStatus
  readonly startedAt: number
  /** When it was submitted, or a draft was last saved. Lists are ordered by it (RESP-02). */
  readonly at: number
  /** Order of writing. Of two responses at the same instant the one written later comes first (RESP-01). */
  readonly sequence: number
  /** What is needed to resume a draft, `null` once submitted. */
  readonly draft: DraftRecord | null
  /** The wire object, `FormResponse`, as JSON. */
  readonly json: string
  /** Length of `json` in UTF-8. */
  readonly jsonBytes: number
}

/** The unfinished part of a draft. */
export interface DraftRecord {
  /** Allows its holder to read, save and submit the draft. */
  readonly token: string
  /** The answers that were last saved. */
  readonly answers: readonly SubmittedAnswer[]
}

/** A response before it is rendered. */
export interface ResponseFacts extends Omit<ResponseRecord, 'json' | 'jsonBytes'> {
  readonly content: ResponseContent
  /** Whole seconds, where a seed says otherwise. @default from `startedAt` to `at` */
  readonly durationSec?: number | undefined
}

/** The part of a response that does not depend on how the server writes timestamps and question types. */
export interface ResponseContent {
  readonly email: string | null
  readonly score: number | null
  readonly maxScore: number | null
  /** In form order. Skipped and hidden questions are left out (RESP-06). */
  readonly answers: readonly Answer[]
  readonly meta: ResponseMeta
}

/** The metadata of a response of which nothing is known (RESP-08). */
export const UNKNOWN_META: ResponseMeta = { device: null, browser: null, os: null, ref: null, utm: {} }

/** The options that affect how a response is rendered. */
export type ResponseStyle = Pick<Unspecified, 'timestamps' | 'draftSubmittedAt' | 'questionTypeNames'>

const durationOf = (startedAt: number, at: number): number => Math.max(0, Math.floor((at - startedAt) / 1000))

/** Renders a response to the JSON that is stored (RESP-05, RESP-09). */
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
    duration_sec: facts.durationSec ?? durationOf(startedAt, at),
    email: content.email,
    score: content.score,
    max_score: content.maxScore,
    answers: withTypes(content.answers, (type) => typeName(type, style.questionTypeNames)),
    meta: content.meta,
  }
  const json = JSON.stringify(wire)
  return { id, formId, status, startedAt, at, sequence, draft, json, jsonBytes: Buffer.byteLength(json) }
}

/** Returns the content that `writeResponse` rendered. */
export function responseContent(record: ResponseRecord): ResponseContent {
  return contentOf(JSON.parse(record.json) as FormResponse)
}

function contentOf(wire: FormResponse): ResponseContent {
  return {
    email: wire.email,
    score: wire.score,
    maxScore: wire.max_score,
    answers: withTypes(wire.answers, typeOfName),
    meta: wire.meta,
  }
}

const withTypes = (answers: readonly Answer[], name: (type: QuestionType) => QuestionType): Answer[] =>
  answers.map((answer) => ({ ...answer, type: name(answer.type) }) as Answer)

/** Returns a submitted response in the shape of events (DLV-03). */
export function eventResponse(record: ResponseRecord): EventResponse {
  const { id, submitted_at, answers, score, max_score, meta } = JSON.parse(record.json) as EventResponse
  return { id, submitted_at, answers, score, max_score, meta }
}

/** Returns the facts of a stored response, for a snapshot or to render it again. */
export function responseFacts(record: ResponseRecord): ResponseFacts {
  const { json, jsonBytes: _jsonBytes, ...facts } = record
  const wire = JSON.parse(json) as FormResponse
  const isOwn = wire.duration_sec === durationOf(facts.startedAt, facts.at)
  return {
    ...facts,
    content: contentOf(wire),
    ...(!isOwn && { durationSec: wire.duration_sec }),
  }
}

const TOKEN_LENGTH = 32

/** Returns a new token of a draft. It grants access to the draft, so it must not be guessable (RESP-09). */
export const newDraftToken = (random: RandomSource): string => randomText(random, TOKEN_LENGTH)
