import { type Answer, isKnownAnswer } from '@formwire/contract'
import { type AnswerHandler, type CheckContext, type Checked, isObject, refused, SKIPPED } from './handler.ts'
import { ANSWER_HANDLERS } from './handlers.ts'
import type { Question, SubmittedAnswer } from './question.ts'
import { type Score, scoreAnswers } from './score.ts'
import { isShown } from './visibility.ts'

/** Why answers were refused. `field` is the question's id, or the path of a part of the body that cannot be read. */
export interface AnswerError {
  readonly field: string
  /** A sentence for the person who answers. Never holds what they wrote. */
  readonly message: string
}

type ReadAnswers =
  | { readonly ok: true; readonly answers: readonly SubmittedAnswer[] }
  | { readonly ok: false; readonly errors: readonly [AnswerError, ...AnswerError[]] }

export type ValidatedAnswers =
  | ({
      readonly ok: true
      /** In form order; skipped questions and those hidden by logic are left out (RESP-06). */
      readonly answers: Answer[]
      /** Ids of the uploads that the answers claim. */
      readonly fileIds: string[]
    } & Score)
  | { readonly ok: false; readonly errors: readonly [AnswerError, ...AnswerError[]] }

/**
 * Reads the `answers` of a body: `[{"question_id", "value"}]`; left out it counts as empty. What they hold is for
 * `validateAnswers` to judge.
 */
export function readAnswers(input: unknown): ReadAnswers {
  const refuse = (field: string, message: string): ReadAnswers => ({
    ok: false,
    errors: [{ field, message }],
  })
  if (input === undefined) return { ok: true, answers: [] }
  if (!Array.isArray(input)) return refuse('answers', 'Give answers as a list of {"question_id", "value"}.')
  const answers: SubmittedAnswer[] = []
  for (const [index, item] of (input as readonly unknown[]).entries()) {
    if (!isObject(item)) return refuse(`answers[${index}]`, 'Give each answer as {"question_id", "value"}.')
    const id = item.question_id
    if (typeof id !== 'string')
      return refuse(`answers[${index}].question_id`, 'Give the id of the question as a text.')
    answers.push({ question_id: id, value: item.value })
  }
  return { ok: true, answers }
}

/**
 * Checks the answers of one respondent against the questions of a form and renders them for the wire (RESP-06,
 * RESP-07). Answers to unknown and to hidden questions are dropped in silence, and a hidden question is not required.
 * Never throws, whatever JSON says; errors come in form order, one a question.
 */
export function validateAnswers(
  questions: readonly Question[],
  submitted: readonly SubmittedAnswer[],
  context: CheckContext,
): ValidatedAnswers {
  const answers: Answer[] = []
  const errors: AnswerError[] = []
  for (const { question, checked } of checkShown(questions, submitted, context)) {
    if (!checked.ok) errors.push({ field: question.id, message: checked.message })
    else if (checked.value !== undefined) answers.push(renderAnswer(question, checked.value))
  }
  const [first, ...others] = errors
  if (first) return { ok: false, errors: [first, ...others] }
  return { ok: true, answers, fileIds: fileIdsOf(answers), ...scoreAnswers(questions, answers) }
}

/** The questions that logic shows to someone with these answers, in form order, each with its checked answer. */
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
    // `show_if` names an earlier question, so its answer has been checked by now.
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
  if (submitted.length > 1) return refused('Answer the question once.')
  const value = submitted[0]?.value ?? null
  const checked = value === null ? SKIPPED : ANSWER_HANDLERS[question.type].check(question, value, context)
  if (checked.ok && checked.value === undefined && question.required && !context.draft) {
    return refused('This question needs an answer.')
  }
  return checked
}

/** The answer as the API and webhooks carry it. */
function renderAnswer(question: Question, value: unknown): Answer {
  const { id, title, type } = question
  const handler = ANSWER_HANDLERS[type] as Pick<AnswerHandler<never>, 'text'>
  return { question_id: id, title, type, value, text: handler.text(question, value as never) } as Answer
}

/** What `show_if.equals` says, in words: an option's label, or the text of the value. */
export function answerText(question: Question, equals: unknown): string {
  const option = question.options?.find((candidate) => candidate.id === equals)
  const handler = ANSWER_HANDLERS[question.type] as Pick<AnswerHandler<never>, 'text'>
  return option?.label ?? handler.text(question, equals as never)
}

/** Ids of the uploads that rendered answers hold. */
function fileIdsOf(answers: readonly Answer[]): string[] {
  return answers.flatMap((answer) =>
    isKnownAnswer(answer) && (answer.type === 'file' || answer.type === 'signature')
      ? answer.value.map((file) => file.id)
      : [],
  )
}
