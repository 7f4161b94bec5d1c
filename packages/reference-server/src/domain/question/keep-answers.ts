import type { CheckContext } from './handler.ts'
import { ANSWER_HANDLERS } from './handlers.ts'
import type { Question, SubmittedAnswer } from './question.ts'

/**
 * What a draft keeps of the answers sent: every readable one to a question of the form, hidden ones too, so that an
 * answer is back when logic shows its question again. In form order, the first answer to a question counts.
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

/** Ids of the uploads that kept answers hold. */
export function fileIdsOfKept(questions: readonly Question[], kept: readonly SubmittedAnswer[]): string[] {
  const files = new Set(
    questions.filter(({ type }) => type === 'file' || type === 'signature').map(({ id }) => id),
  )
  return kept.flatMap(({ question_id, value }) =>
    files.has(question_id) ? (value as readonly { id: string }[]).map((file) => file.id) : [],
  )
}
