import type { Answer, EventForm, EventResponse, KnownEventType, WebhookEvent } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { DeliveryRecord } from '../domain/delivery.ts'
import { withExtraFields } from '../domain/extra-fields.ts'
import { formatTimestamp } from '../domain/instant.ts'
import { typeName } from '../domain/question/question-types.ts'
import { eventResponse, UNKNOWN_META } from '../domain/response.ts'
import type { Unspecified } from '../unspecified.ts'

/** Returns the body of an event (DLV-03). Every attempt and replay sends the same bytes, unless `retriedBody` is `fresh`. */
export function eventBody(
  event: KnownEventType,
  form: EventForm,
  response: EventResponse,
  { extraFields }: Pick<Unspecified, 'extraFields'>,
): Uint8Array {
  const body: WebhookEvent = { event, form: { id: form.id, title: form.title }, response }
  return Buffer.from(JSON.stringify(extraFields === 'true' ? withExtraFields(body) : body))
}

/**
 * Returns the body of the next attempt of a delivery: its stored body or, where `retriedBody` is `fresh`, a new one from
 * the current form and response (DLV-06). If the response was deleted, the stored body is sent.
 */
export function bodyOfAttempt(
  { state, settings: { unspecified } }: Pick<Context, 'state' | 'settings'>,
  { event, formId, responseId, createdAt }: DeliveryRecord,
  body: Uint8Array,
): Uint8Array {
  if (unspecified.retriedBody === 'sameBytes') return body
  const form = state.forms.get(formId)
  const stored = state.responses.get(responseId)
  const response =
    event === 'test.ping' ? exampleResponse(createdAt, unspecified) : stored && eventResponse(stored)
  if (!form || !response) return body
  const made = eventBody(event, form, response, unspecified)
  return Buffer.compare(made, body) === 0 ? body : made
}

const EXAMPLE_ANSWER = {
  question_id: 'example',
  title: 'How was it?',
  value: 'This is a test event.',
  text: 'This is a test event.',
}

/** Returns the response of a test event: id 0 and one example answer (DLV-02). */
export function exampleResponse(
  now: number,
  { timestamps, questionTypeNames }: Pick<Unspecified, 'timestamps' | 'questionTypeNames'>,
): EventResponse {
  return {
    id: 0,
    submitted_at: formatTimestamp(now, timestamps),
    answers: [{ ...EXAMPLE_ANSWER, type: typeName('short_text', questionTypeNames) } as Answer],
    score: null,
    max_score: null,
    meta: UNKNOWN_META,
  }
}
