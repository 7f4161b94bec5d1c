import type { Answer, ChoiceValue, UploadedFile } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { accepted, type FieldRefusal, type Result, refused } from '../result.ts'
import {
  type AnswerHandler,
  type CheckContext,
  type Checked,
  refusedAnswer,
  SKIPPED,
  type TextStyle,
} from './handler.ts'
import { numericBounds, type Question, type SubmittedAnswer } from './question.ts'
import { QUESTION_TYPE_PARTS, shapeOf } from './question-types.ts'

/** Why an answer was refused. `field` is the question's id. */
export type AnswerRefusal = FieldRefusal

/** Answers that passed every check. */
export interface ValidAnswers extends Score {
  /** In form order. Skipped questions and those hidden by logic are left out (RESP-06). */
  readonly answers: Answer[]
  /** Ids of the uploads that the answers claim. */
  readonly fileIds: string[]
}

/** The answers, or every refused one in form order, at most one per question. */
export type ValidatedAnswers = Result<ValidAnswers, readonly [AnswerRefusal, ...AnswerRefusal[]]>

/**
 * Reads the `answers` of a body, `[{"question_id", "value"}]`, empty by default. A refusal's `field` is a path such as
 * `answers[2].question_id`. `validateAnswers` validates the values.
 */
export function readAnswers(input: unknown): Result<SubmittedAnswer[], FieldRefusal> {
  const refuse = (field: string, message: string) => refused({ field, message })
  if (input === undefined) return accepted([])
  if (!Array.isArray(input)) return refuse('answers', 'answers must be an array of {"question_id", "value"}.')
  const answers: SubmittedAnswer[] = []
  for (const [index, item] of (input as readonly unknown[]).entries()) {
    if (!isObject(item))
      return refuse(`answers[${index}]`, 'Each answer must be an object {"question_id", "value"}.')
    const id = item.question_id
    if (typeof id !== 'string')
      return refuse(`answers[${index}].question_id`, 'question_id must be a string.')
    answers.push({ question_id: id, value: item.value })
  }
  return accepted(answers)
}

/**
 * Validates the answers of one respondent against the questions of a form and renders them for the wire (RESP-06,
 * RESP-07). Answers to unknown and hidden questions are ignored, and hidden questions are not required. Never throws.
 *
 * @param context `texts` is the style of `text`, 'default' by default.
 */
export function validateAnswers(
  questions: readonly Question[],
  submitted: readonly SubmittedAnswer[],
  context: CheckContext & { readonly texts?: TextStyle },
): ValidatedAnswers {
  const answers: Answer[] = []
  const refusals: AnswerRefusal[] = []
  for (const { question, checked } of checkShown(questions, submitted, context)) {
    if (!checked.ok) refusals.push({ field: question.id, message: checked.refusal.message })
    else if (checked.value !== undefined)
      answers.push(renderAnswer(question, checked.value, context.texts ?? 'default'))
  }
  const [first, ...others] = refusals
  if (first) return { ok: false, refusal: [first, ...others] }
  return accepted({ answers, fileIds: fileIdsOf(answers), ...scoreAnswers(questions, answers) })
}

/** Yields the questions that logic shows for these answers, in form order, each with its checked answer. */
export function* checkShown(
  questions: readonly Question[],
  submitted: readonly SubmittedAnswer[],
  context: CheckContext,
): Generator<{ question: Question; checked: Checked<unknown> }> {
  const given = new Map<string, SubmittedAnswer[]>()
  for (const answer of submitted) {
    const same = given.get(answer.question_id)
    if (same) same.push(answer)
    else given.set(answer.question_id, [answer])
  }
  const byId = new Map(questions.map((question) => [question.id, question]))
  const values = new Map<string, unknown>()
  for (const question of questions) {
    // `show_if` names an earlier question, whose answer has been checked already.
    const rule = question.show_if?.question_id ?? ''
    if (!isShown(question, byId.get(rule), values.get(rule))) continue
    const checked = checkQuestion(question, given.get(question.id) ?? [], context)
    if (checked.ok && checked.value !== undefined) values.set(question.id, checked.value)
    yield { question, checked }
  }
}

function checkQuestion(
  question: Question,
  submitted: readonly SubmittedAnswer[],
  context: CheckContext,
): Checked<unknown> {
  if (submitted.length > 1) return refusedAnswer('Answer the question only once.')
  const value = submitted[0]?.value ?? null
  const checked =
    value === null ? SKIPPED : QUESTION_TYPE_PARTS[question.type].handler.check(question, value, context)
  if (checked.ok && checked.value === undefined && question.required && !context.draft) {
    return refusedAnswer('Please answer this question.')
  }
  return checked
}

/** Returns a validated value as text (RESP-07). */
export function valueText(question: Question, value: unknown, texts: TextStyle): string {
  const handler = QUESTION_TYPE_PARTS[question.type].handler as Pick<AnswerHandler<never>, 'text'>
  return handler.text(question, value as never, texts)
}

/** Returns the answer in the shape of the API and of webhooks. */
function renderAnswer(question: Question, value: unknown, texts: TextStyle): Answer {
  const { id, title, type } = question
  return {
    question_id: id,
    title,
    type,
    value,
    text: valueText(question, value, texts),
  } as Answer
}

/** Returns `show_if.equals` as text: an option's label, or the text of the value. */
export function answerText(question: Question, equals: unknown): string {
  const option = question.options?.find((candidate) => candidate.id === equals)
  return option?.label ?? valueText(question, equals, 'default')
}

/** Returns the ids of the uploads in rendered answers. */
function fileIdsOf(answers: readonly Answer[]): string[] {
  return answers.flatMap(({ type, value }) => (shapeOf(type) === 'files' ? idsOf(value) : []))
}

const idsOf = (files: unknown): string[] => (files as readonly UploadedFile[]).map(({ id }) => id)

/**
 * Returns the answers that a draft keeps, in form order: the first valid one to each question, also to hidden questions,
 * so that an answer is restored when logic shows its question again.
 */
export function keepAnswers(
  questions: readonly Question[],
  submitted: readonly SubmittedAnswer[],
  context: CheckContext,
): SubmittedAnswer[] {
  const given = new Map<string, unknown>()
  for (const { question_id, value } of submitted) if (!given.has(question_id)) given.set(question_id, value)
  return questions.flatMap((question) => {
    const value = given.get(question.id) ?? null
    if (value === null) return []
    const checked = QUESTION_TYPE_PARTS[question.type].handler.check(question, value, {
      ...context,
      draft: true,
    })
    return checked.ok && checked.value !== undefined
      ? [{ question_id: question.id, value: checked.value }]
      : []
  })
}

/** Returns the ids of the uploads in kept answers. */
export function fileIdsOfKept(questions: readonly Question[], kept: readonly SubmittedAnswer[]): string[] {
  const files = new Set(questions.filter(({ type }) => shapeOf(type) === 'files').map(({ id }) => id))
  return kept.flatMap(({ question_id, value }) => (files.has(question_id) ? idsOf(value) : []))
}

/** Both null when no question of the form has points. */
interface Score {
  readonly score: number | null
  readonly max_score: number | null
}

function bestPossible(question: Question): number {
  const points = Object.values(question.points ?? {})
  if (question.type !== 'multiple_choice') return Math.max(0, ...points)
  const { max } = numericBounds(question)
  const gains = points.filter((point) => point > 0).sort((a, b) => b - a)
  return gains.slice(0, Math.min(max, gains.length)).reduce((sum, point) => sum + point, 0)
}

const pointsOf = (question: Question, id: string): number =>
  question.points !== undefined && Object.hasOwn(question.points, id) ? (question.points[id] ?? 0) : 0

/**
 * Adds up the points of the chosen options. The maximum includes every question with points, also hidden ones, so that
 * it is the same for all responses of a form. It is never below 0, since questions may be skipped.
 */
function scoreAnswers(questions: readonly Question[], answers: readonly Answer[]): Score {
  const scored = questions.filter((question) => question.points !== undefined)
  if (scored.length === 0) return { score: null, max_score: null }
  const byId = new Map(answers.map((answer) => [answer.question_id, answer.value]))
  let score = 0
  for (const question of scored) {
    const value = byId.get(question.id) as ChoiceValue | undefined
    for (const id of value?.ids ?? []) score += pointsOf(question, id)
  }
  const best = scored.reduce((sum, question) => sum + bestPossible(question), 0)
  return { score: withoutNoise(score), max_score: withoutNoise(best) }
}

/** Decimal digits that are exact in a sum: 0.1 + 0.2 is 0.3, not 0.30000000000000004. */
const SURE_DIGITS = 15

const withoutNoise = (sum: number): number => Number(sum.toPrecision(SURE_DIGITS))

/** Whether two JSON values are equal, whatever the order of an object's members. */
function isSameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSameValue(item, right[index]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameValue(left[name], right[name]))
  )
}

/**
 * Whether logic shows a question (RESP-06). `value` is the checked answer to the question that `show_if` names. It is
 * `undefined` when that question was skipped or is hidden, which hides the questions that depend on it.
 */
export function isShown(question: Question, controlling: Question | undefined, value: unknown): boolean {
  if (question.show_if === undefined) return true
  if (controlling === undefined || value === undefined) return false
  const { equals } = question.show_if
  if (QUESTION_TYPE_PARTS[controlling.type].options === undefined) return isSameValue(value, equals)
  return (value as ChoiceValue).ids.some((id) => id === equals)
}
