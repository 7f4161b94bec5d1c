import type { UploadedFile } from '@formwire/contract'
import type { Unspecified } from '../../unspecified.ts'
import { accepted, type Result, refused } from '../result.ts'
import type { Question } from './question.ts'

/** How answers are written as text where the service leaves it open. */
export type TextStyle = Unspecified['answerTexts']

/** What a check needs besides the question and the value. */
export interface CheckContext {
  /** A draft may lack answers, but those that it has must be valid. */
  readonly draft: boolean
  readonly file: FileLookup
}

/**
 * Returns the upload that an item of a file answer claims: made for this form and question, not expired, and not claimed
 * by another response. Returns `undefined` otherwise.
 */
export type FileLookup = (
  questionId: string,
  item: Readonly<Record<string, unknown>>,
) => UploadedFile | undefined

/** For answers without uploads (seeds, back-filled responses): accepts each file as described. */
export const filesAsDescribed: FileLookup = (_questionId, { id, name, size }) =>
  typeof id === 'string' &&
  id !== '' &&
  typeof name === 'string' &&
  Number.isSafeInteger(size) &&
  Number(size) >= 0
    ? { id, name, size: Number(size) }
    : undefined

/** A checked value, `undefined` when the question was skipped. */
export type Checked<Value> = Result<Value | undefined>

/** The shapes of values on the wire (RESP-07). */
export type ValueShape = 'text' | 'number' | 'choice' | 'grid_single' | 'grid_multiple' | 'files' | 'address'

/** Validates and renders the answers of a question type. `Value` has the type of their shape. */
export interface AnswerHandler<Value> {
  readonly shape: ValueShape
  /** Validates any JSON value. Never throws. */
  check(question: Question, value: unknown, context: CheckContext): Checked<Value>
  /** Returns a validated value as human-readable text (RESP-07). */
  text(question: Question, value: Value, style: TextStyle): string
}

export const SKIPPED: Checked<never> = accepted(undefined)
export const refusedAnswer = (message: string): Checked<never> => refused({ message })
