import type { CheckContext } from './handler.ts'
import { ANSWER_HANDLERS } from './handlers.ts'
import type { Question, SubmittedAnswer } from './question.ts'

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
    const checked = ANSWER_HANDLERS[question.type].check(question, value, { ...context, draft: true })
    return checked.ok && checked.value !== undefined
      ? [{ question_id: question.id, value: checked.value }]
      : []
  })
}

/** Returns the ids of the uploads in kept answers. */
export function fileIdsOfKept(questions: readonly Question[], kept: readonly SubmittedAnswer[]): string[] {
  const files = new Set(
    questions.filter(({ type }) => type === 'file' || type === 'signature').map(({ id }) => id),
  )
  return kept.flatMap(({ question_id, value }) =>
    files.has(question_id) ? (value as readonly { id: string }[]).map((file) => file.id) : [],
  )
}
