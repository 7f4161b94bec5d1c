import type { AnswerValues, KnownQuestionType, QuestionType } from '@formwire/contract'
import type { Unspecified } from '../../unspecified.ts'
import { address } from './address-answers.ts'
import { anyChoices, oneChoice, ranking } from './choice-answers.ts'
import { date, time } from './date-time-answers.ts'
import { file, signature } from './file-answers.ts'
import { gridMultiple, gridSingle } from './grid-answers.ts'
import type { AnswerHandler, ValueShape } from './handler.ts'
import { anyNumber, wholeNumber } from './number-answers.ts'
import { email, phone, plainText, url } from './text-answers.ts'

/**
 * What `min` and `max` bound: a number, the length of a text in Unicode code points, the number of options or files, or a
 * date or time.
 */
export type BoundKind = 'value' | 'integer' | 'length' | 'count' | 'date' | 'time'

/** The parts of a definition that a question type uses. Other parts are ignored. */
export interface QuestionTypeParts {
  readonly bounds?: BoundKind
  /** Bounds if the definition has none. */
  readonly defaultBounds?: { readonly min: number; readonly max: number }
  /** `given`: listed in the definition. `yes_no`: fixed by the type. */
  readonly options?: 'given' | 'yes_no'
  readonly other?: true
  readonly points?: true
  readonly grid?: true
}

interface TypeOfQuestion<Type extends KnownQuestionType> extends QuestionTypeParts {
  readonly handler: AnswerHandler<AnswerValues[Type]>
  /** Its name where `questionTypeNames` is `variant`: the service document shows only two names (RESP-07). */
  readonly variant: string
}

const TEXT = { bounds: 'length' } as const
const CHOICE = { options: 'given', other: true, points: true, handler: oneChoice } as const

/** The 22 question types (RESP-07). No variant name is the name of another type, so that each name identifies one type. */
export const QUESTION_TYPE_PARTS: { readonly [Type in KnownQuestionType]: TypeOfQuestion<Type> } = {
  short_text: { ...TEXT, handler: plainText, variant: 'text' },
  long_text: { ...TEXT, handler: plainText, variant: 'long_text' },
  email: { ...TEXT, handler: email, variant: 'email_address' },
  url: { ...TEXT, handler: url, variant: 'website' },
  phone: { ...TEXT, handler: phone, variant: 'phone_number' },
  date: { bounds: 'date', handler: date, variant: 'calendar_date' },
  time: { bounds: 'time', handler: time, variant: 'time_of_day' },
  number: { bounds: 'value', handler: anyNumber, variant: 'numeric' },
  scale: steps(1, 10, 'linear_scale'),
  rating: steps(1, 5, 'rating'),
  nps: steps(0, 10, 'net_promoter_score'),
  slider: { ...steps(1, 10, 'range'), bounds: 'value', handler: anyNumber },
  single_choice: { ...CHOICE, variant: 'radio' },
  multiple_choice: { ...CHOICE, bounds: 'count', handler: anyChoices, variant: 'checkboxes' },
  dropdown: { ...CHOICE, variant: 'select' },
  yes_no: { options: 'yes_no', points: true, handler: oneChoice, variant: 'boolean' },
  ranking: { options: 'given', handler: ranking, variant: 'rank_order' },
  grid_single: { grid: true, handler: gridSingle, variant: 'matrix_single' },
  grid_multiple: { grid: true, handler: gridMultiple, variant: 'matrix_multiple' },
  file: { bounds: 'count', handler: file, variant: 'file_upload' },
  signature: { handler: signature, variant: 'signature_image' },
  address: { handler: address, variant: 'postal_address' },
}

function steps(min: number, max: number, variant: string) {
  return { bounds: 'integer', defaultBounds: { min, max }, handler: wholeNumber, variant } as const
}

/** The options of every `yes_no` question. */
export const YES_NO_OPTIONS = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
] as const

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries(QUESTION_TYPE_PARTS).map(([type, { variant }]) => [variant, type]),
)

/** Returns the name of a type in answers. */
export const typeName = (type: QuestionType, names: Unspecified['questionTypeNames']): QuestionType =>
  names === 'variant' && Object.hasOwn(QUESTION_TYPE_PARTS, type)
    ? QUESTION_TYPE_PARTS[type as KnownQuestionType].variant
    : type

/** Returns the shape of the values of a type; `undefined` for a type that is not known. */
export const shapeOf = (type: string): ValueShape | undefined =>
  Object.hasOwn(QUESTION_TYPE_PARTS, type)
    ? QUESTION_TYPE_PARTS[type as KnownQuestionType].handler.shape
    : undefined

/** Returns the type for a name in an answer. */
export const typeOfName = (name: string): QuestionType => TYPES.get(name) ?? name
