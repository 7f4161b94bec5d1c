import { type Answer, type KnownQuestionType, QUESTION_TYPES } from '@formwire/contract'
import type { Question } from '../domain/question/index.ts'
import { valueText } from '../domain/question/validate-answers.ts'
import { checkAnswerValue } from '../store/check-dump.ts'
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
      text: text ?? valueText(question, value, texts),
    } as Answer
  })
}

/** Whether the name of a type is documented. */
export const isKnownType = (type: string): type is KnownQuestionType =>
  (QUESTION_TYPES as readonly string[]).includes(type)

/** Whether a value has the shape of a type (RESP-07), without other members. Values of unknown types have any shape (ENV-04). */
export function fitsType(type: string, value: unknown): boolean {
  if (!isKnownType(type)) return true
  try {
    checkAnswerValue(type, value, '')
    return true
  } catch {
    return false
  }
}
