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

/** Type of a question. An unknown string is a type that a later version added (ENV-04). */
export type QuestionType = OpenEnum<KnownQuestionType>

/** `value` of choices and rankings. For a ranking `ids` are in ranked order. */
export interface ChoiceValue {
  /** Ids of the chosen options. */
  ids: string[]
  /** Text of "other", or `null` when it was not used. */
  other: string | null
}

/** `value` of a single grid: row id to column id. */
export type GridSingleValue = Record<string, string>

/** `value` of a multiple grid: row id to column ids. */
export type GridMultipleValue = Record<string, string[]>

/** One uploaded file. Its bytes cannot be had through the API (RESP-10). */
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
  /** Machine-readable value; its shape follows `type`. */
  value: AnswerValues[Type]
  /** Human-readable form; for choices the option labels. */
  text: string
}

/** An answer to a question of any documented type: checking `type` narrows `value`. */
export type KnownAnswer = { [Type in KnownQuestionType]: AnswerOf<Type> }[KnownQuestionType]

/** Exists in types only. An enum, since no documented name compares equal to it: that is what lets `type` narrow. */
declare enum LaterQuestionType {
  name = 'the name of a question type that a later version added',
}

/** A question type that a later version added: a plain string at run time. */
export type UnknownQuestionType = LaterQuestionType

/** An answer to a question of a type that a later version added. */
export interface UnknownAnswer {
  question_id: string
  title: string
  type: UnknownQuestionType
  value: unknown
  text: string
}

/**
 * One answer, as the API and webhooks carry it. Comparing `type` with a documented type narrows `value`; what is left
 * over is an answer of a type that a later version added, with `value: unknown` (ENV-04).
 */
export type Answer = KnownAnswer | UnknownAnswer

const knownTypes: ReadonlySet<string> = /* @__PURE__ */ new Set(QUESTION_TYPES)

/** Whether the answer's type is documented, so that `type` narrows `value`. */
export function isKnownAnswer(answer: Answer): answer is KnownAnswer {
  return knownTypes.has(answer.type)
}
