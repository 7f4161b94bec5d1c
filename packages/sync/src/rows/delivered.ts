import type { EventForm, EventResponse } from '@formwire/contract'
import type { KnownResponse } from './row.ts'

/** The part of a verified `response.submitted` event that is used. */
export interface SubmittedEvent {
  form: EventForm
  response: EventResponse
}

/** Returns the response of an event. What a delivery leaves out is null. */
export function deliveredResponse({ form, response }: SubmittedEvent): KnownResponse {
  return {
    id: response.id,
    form_id: form.id,
    status: 'submitted',
    started_at: null,
    submitted_at: response.submitted_at,
    duration_sec: null,
    email: null,
    score: response.score,
    max_score: response.max_score,
    answers: response.answers,
    meta: response.meta,
  }
}
