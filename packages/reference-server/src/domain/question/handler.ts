import type { UploadedFile } from '@formwire/contract'
import type { Question } from './question.ts'

/** What a check knows beside the question and the value. */
export interface CheckContext {
  /** A draft may lack answers, but what it has must be right. */
  readonly draft: boolean
  readonly file: FileLookup
}

/**
 * The upload that an item of a file answer claims: made for this form and question, not expired, and claimed by nobody
 * else. `undefined` when there is none.
 */
export type FileLookup = (
  questionId: string,
  item: Readonly<Record<string, unknown>>,
) => UploadedFile | undefined

/** For answers that bring no upload along (seeds, back-filled responses): takes each file as it is described. */
export const filesAsDescribed: FileLookup = (_questionId, { id, name, size }) =>
  typeof id === 'string' &&
  id !== '' &&
  typeof name === 'string' &&
  Number.isSafeInteger(size) &&
  Number(size) >= 0
    ? { id, name, size: Number(size) }
    : undefined

/** A checked value; `value: undefined` says that the question was skipped. `message` is a sentence for a person. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value | undefined }
  | { readonly ok: false; readonly message: string }

/** How the answers of a question type are checked and written out. `Value` is their shape on the wire (RESP-07). */
export interface AnswerHandler<Value> {
  /** Takes anything that JSON can say and never throws. */
  check(question: Question, value: unknown, context: CheckContext): Checked<Value>
  /** The human-readable form of a checked value (RESP-07). */
  text(question: Question, value: Value): string
}

export const accepted = <Value>(value: Value): Checked<Value> => ({ ok: true, value })
export const refused = (message: string): Checked<never> => ({ ok: false, message })
export const SKIPPED: Checked<never> = { ok: true, value: undefined }

/** Whether a value is a JSON object (no array, no null). */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
