import type { Context } from '../context.ts'
import type { Question } from '../domain/question/index.ts'
import { type ResponseRecord, responseContent } from '../domain/response.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { item } from '../http/answers.ts'
import { invalid } from '../http/errors.ts'
import type { OutgoingMessage } from '../http/message.ts'
import type { OpenForm } from './open-form.ts'
import type { Outcome } from './respond.ts'

/** A question as respondents get it: its points would give the answer away. */
export function publicQuestion({ points: _points, ...question }: Question): Omit<Question, 'points'> {
  return question
}

/** The form as JSON, as last published (FORM-09). */
export function formAnswer({ settings }: Context, { form, publication }: OpenForm): OutgoingMessage {
  return item({
    id: form.id,
    title: publication.title,
    slug: form.slug,
    url: `${settings.publicUrl}/f/${form.slug}`,
    questions: publication.questions.map(publicQuestion),
  })
}

/** A draft as it was saved. */
export function draftAnswer({ settings }: Context, draft: ResponseRecord): OutgoingMessage {
  const { timestamps } = settings.unspecified
  return item({
    token: draft.draft?.token,
    status: draft.status,
    started_at: formatTimestamp(draft.startedAt, timestamps),
    saved_at: formatTimestamp(draft.at, timestamps),
    email: responseContent(draft).email,
    answers: draft.draft?.answers,
  })
}

/** The record that was stored. Throws 422 naming the first question at fault when the answers were refused. */
export function stored(outcome: Outcome): ResponseRecord {
  if (outcome.ok) return outcome.record
  const [{ field, message }] = outcome.errors
  throw invalid(field, `${JSON.stringify(field)}: ${message}`)
}

/** 201 of a submission. */
export const submittedAnswer = ({ id, status }: ResponseRecord): OutgoingMessage => item({ id, status }, 201)

/** The token of a saved draft: who has it may go on with the draft. */
export const savedAnswer = ({ draft }: ResponseRecord, status: number): OutgoingMessage =>
  item({ token: draft?.token }, status)
