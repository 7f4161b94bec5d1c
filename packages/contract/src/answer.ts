import type { OpenEnum } from './open-enum.ts'

/** The 22 question types, in the order of the rules (RESP-07). */
export const QUESTION_TYPES = [
  'short_text',
  'long_text',
  'email',
  'url',
  'phone',
  'date',
  'time',
  'number',
  'scale',
  'rating',
  'nps',
  'slider',
  'single_choice',
  'multiple_choice',
  'dropdown',
  'yes_no',
  'ranking',
  'grid_single',
  'grid_multiple',
  'file',
  'signature',
  'address',
] as const

/** A documented question type. */
export type KnownQuestionType = (typeof QUESTION_TYPES)[number]

/** Type of a question. An unknown string is a type that was added later (ENV-04). */
export type QuestionType = OpenEnum<KnownQuestionType>

/** `value` of choices and rankings. For a ranking, `ids` are in ranked order. */
export interface ChoiceValue {
  /** Ids of the chosen options. */
  ids: string[]
  /** Text of the "other" option, or `null` if it was not used. */
  other: string | null
}

/** `value` of a single grid: row id to column id. */
export type GridSingleValue = Record<string, string>

/** `value` of a multiple grid: row id to column ids. */
export type GridMultipleValue = Record<string, string[]>

/** An uploaded file. The API does not provide its content (RESP-10). */
export interface UploadedFile {
  id: string
  name: string
  /** Size in bytes. */
  size: number
}

/** `value` of an address. */
export interface AddressValue {
  line1: string
  line2: string
  city: string
  region: string
  postal: string
  country: string
}

/** `value` of each documented question type (RESP-07). */
export interface AnswerValues {
  short_text: string
  long_text: string
  email: string
  url: string
  phone: string
  /** `YYYY-MM-DD` */
  date: string
  /** `HH:MM` */
  time: string
  number: number
  scale: number
  rating: number
  nps: number
  slider: number
  single_choice: ChoiceValue
  multiple_choice: ChoiceValue
  dropdown: ChoiceValue
  yes_no: ChoiceValue
  ranking: ChoiceValue
  grid_single: GridSingleValue
  grid_multiple: GridMultipleValue
  file: UploadedFile[]
  signature: UploadedFile[]
  address: AddressValue
}

/** An answer to a question of the given documented type. */
export interface AnswerOf<Type extends KnownQuestionType> {
  question_id: string
  /** Title of the question. */
  title: string
  type: Type
  /** Machine-readable value. Its shape depends on `type`. */
  value: AnswerValues[Type]
  /** Human-readable text. For choices, the option labels. */
  text: string
}

/** An answer to a question of any documented type: checking `type` narrows `value`. */
export type KnownAnswer = { [Type in KnownQuestionType]: AnswerOf<Type> }[KnownQuestionType]

/** Exists in types only. An enum, because no documented type name is assignable to it: this is what makes `type` narrow. */
declare enum LaterQuestionType {
  name = 'the name of a question type that was added later',
}

/** A question type that was added later. A plain string at run time. */
export type UnknownQuestionType = LaterQuestionType

/** An answer to a question of a type that was added later. */
export interface UnknownAnswer {
  question_id: string
  title: string
  type: UnknownQuestionType
  value: unknown
  text: string
}

/**
 * An answer, as the API and webhooks send it. Comparing `type` with a documented type narrows `value`. The remaining case
 * is a type that was added later, with `value: unknown` (ENV-04).
 *
 * @example
 * ```ts
 * for (const answer of response.answers) {
 *   if (answer.type === 'ranking') console.log(answer.value.ids) // string[]
 * }
 * ```
 */
export type Answer = KnownAnswer | UnknownAnswer

const knownTypes: ReadonlySet<string> = /* @__PURE__ */ new Set(QUESTION_TYPES)

/**
 * Returns whether the type of the answer is documented.
 *
 * @example
 * ```ts
 * if (!isKnownAnswer(answer)) console.log(answer.value) // unknown
 * ```
 */
export function isKnownAnswer(answer: Answer): answer is KnownAnswer {
  return knownTypes.has(answer.type)
}
