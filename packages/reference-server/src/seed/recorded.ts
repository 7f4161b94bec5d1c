import { type Answer, type ChoiceValue, type KnownQuestionType, QUESTION_TYPES } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { ADDRESS_PARTS } from '../domain/question/address-answers.ts'
import { ANSWER_HANDLERS } from '../domain/question/handlers.ts'
import type { Question } from '../domain/question/index.ts'
import type { Unspecified } from '../unspecified.ts'
import type { SeedAnswer, SeedResponse } from './format.ts'

/** Whether a response is kept as a service wrote it, instead of being validated and rendered like one from the public form. */
export const isRecorded = ({ id, answers }: SeedResponse): boolean =>
  answers.length === 0 ? id !== undefined : answers.some(({ text }) => text !== undefined)

/** Yields each problem of a recorded response with its path inside the response. */
export function* findRecordedIssues(
  { answers }: SeedResponse,
  questions: ReadonlyMap<string, Question>,
): Generator<{ path: string; message: string }> {
  const seen = new Set<string>()
  for (const [index, { question_id: id, value, type, text, title }] of answers.entries()) {
    const path = `answers[${index}]`
    const question = questions.get(id)
    if (seen.has(id)) yield { path: `${path}.question_id`, message: `${id} is answered twice` }
    seen.add(id)
    if (text === undefined && (type ?? title) !== undefined)
      yield { path, message: 'title and type require text' }
    // An unknown question is reported with all others.
    if (question && !fitsType(type ?? question.type, value))
      yield { path: `${path}.value`, message: `is not a value of the type ${type ?? question.type}` }
  }
}

/** Returns the answers of a recorded response as the API shows them. */
export function recordedAnswers(
  answers: readonly SeedAnswer[],
  questions: ReadonlyMap<string, Question>,
  texts: Unspecified['answerTexts'],
): Answer[] {
  return answers.map(({ question_id, value, text, title, type }) => {
    const question = questions.get(question_id) as Question
    return {
      question_id,
      title: title ?? question.title,
      type: type ?? question.type,
      value,
      text: text ?? ANSWER_HANDLERS[question.type].text(question, value as never, texts),
    } as Answer
  })
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): boolean => Number.isFinite(value)
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const hasOnly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name))

const isChoice = (value: unknown): boolean =>
  isObject(value) &&
  hasOnly(value, ['ids', 'other']) &&
  isTexts(value.ids) &&
  ((value as unknown as ChoiceValue).other === null || isText(value.other))

const isFiles = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (file) =>
      isObject(file) &&
      hasOnly(file, ['id', 'name', 'size']) &&
      isText(file.id) &&
      isText(file.name) &&
      Number.isSafeInteger(file.size) &&
      Number(file.size) >= 0,
  )

/** Whether a value has the shape of each type (RESP-07), without members that are not documented. */
const SHAPES: Readonly<Record<KnownQuestionType, (value: unknown) => boolean>> = {
  short_text: isText,
  long_text: isText,
  email: isText,
  url: isText,
  phone: isText,
  date: isText,
  time: isText,
  number: isNumber,
  scale: isNumber,
  rating: isNumber,
  nps: isNumber,
  slider: isNumber,
  single_choice: isChoice,
  multiple_choice: isChoice,
  dropdown: isChoice,
  yes_no: isChoice,
  ranking: isChoice,
  grid_single: (value) => isObject(value) && Object.values(value).every(isText),
  grid_multiple: (value) => isObject(value) && Object.values(value).every(isTexts),
  file: isFiles,
  signature: isFiles,
  address: (value) =>
    isObject(value) && hasOnly(value, ADDRESS_PARTS) && ADDRESS_PARTS.every((part) => isText(value[part])),
}

/** Whether the name of a type is documented. */
export const isKnownType = (type: string): type is KnownQuestionType =>
  (QUESTION_TYPES as readonly string[]).includes(type)

/** Whether a value has the shape of a type. Values of unknown types have any shape (ENV-04). */
export const fitsType = (type: string, value: unknown): boolean => !isKnownType(type) || SHAPES[type](value)
