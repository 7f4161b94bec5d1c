import type { Answer, EventForm, EventResponse, KnownEventType, WebhookEvent } from '@formwire/contract'
import { formatTimestamp } from '../domain/timestamp.ts'
import { withExtraFields } from '../http/extra-fields.ts'
import type { Unspecified } from '../unspecified.ts'

/** The bytes of an event. They are made once: every attempt, and every replay, sends the same (DLV-03, DLV-06). */
export function eventBody(
  event: KnownEventType,
  form: EventForm,
  response: EventResponse,
  { extraFields }: Pick<Unspecified, 'extraFields'>,
): Uint8Array {
  const body: WebhookEvent = { event, form: { id: form.id, title: form.title }, response }
  return Buffer.from(JSON.stringify(extraFields === 'true' ? withExtraFields(body) : body))
}

const EXAMPLE_ANSWER: Answer = {
  question_id: 'example',
  title: 'How was it?',
  type: 'short_text',
  value: 'This is a test event.',
  text: 'This is a test event.',
}

/** The response of a test event: id 0 and one example answer (DLV-02). */
export function exampleResponse(now: number, timestamps: Unspecified['timestamps']): EventResponse {
  return {
    id: 0,
    submitted_at: formatTimestamp(now, timestamps),
    answers: [EXAMPLE_ANSWER],
    score: null,
    max_score: null,
    meta: { device: null, browser: null, os: null, ref: null, utm: null },
  }
}
