import type { Context } from '../context.ts'
import { formatTimestamp } from '../domain/instant.ts'
import type { Question } from '../domain/question/index.ts'
import { type ResponseRecord, responseContent } from '../domain/response.ts'
import { invalid } from '../domain/service-error.ts'
import { item } from '../http/json-response.ts'
import type { OutgoingMessage } from '../http/message.ts'
import { draftVersion, type OpenForm } from './open-form.ts'
import type { SubmissionOutcome } from './respond.ts'

/** Returns a question without its points, which would give away the right answer. */
export function publicQuestion({ points: _points, ...question }: Question): Omit<Question, 'points'> {
  return question
}

/** Returns the form as last published (FORM-09). */
export function formJson({ settings }: Context, { form, publication }: OpenForm): OutgoingMessage {
  return item({
    id: form.id,
    title: publication.title,
    slug: form.slug,
    url: `${settings.publicUrl}/f/${form.slug}`,
    questions: publication.questions.map(publicQuestion),
  })
}

/** Returns a draft as it was saved. */
export function draftJson({ settings }: Context, draft: ResponseRecord): OutgoingMessage {
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

/** Returns the stored record. Throws 422 naming the first invalid question if the answers were refused. */
export function storedRecord(outcome: SubmissionOutcome): ResponseRecord {
  if (outcome.ok) return outcome.value
  const [{ field, message }] = outcome.refusal
  throw invalid(field, `${JSON.stringify(field)}: ${message}`)
}

/** 201 after a submission, and after its repetition. */
export const submittedJson = (id: number): OutgoingMessage => item({ id, status: 'submitted' }, 201)

/** Returns the token of a saved draft, which grants access to it, and its version as an entity tag. */
export function savedJson(record: ResponseRecord, status: number): OutgoingMessage {
  const response = item({ token: record.draft?.token }, status)
  response.headers.etag = `"${draftVersion(record)}"`
  return response
}
