import type { EventForm, EventResponse } from '@formwire/contract'

/**
 * What happened in the domain that the delivery engine has to know. Whoever changes the state publishes; the engine is
 * the one subscriber. Events are handed over synchronously, in the order in which they happened.
 */
export type DomainEvent =
  | {
      /** A response was submitted (or back-filled with `deliver: true`), DLV-01. */
      type: 'response.submitted'
      /** `title` is the dashboard title. */
      form: EventForm
      response: EventResponse
      /** Instant of the submission, milliseconds since the epoch. */
      submittedAt: number
    }
  | { type: 'response.deleted'; formId: string; responseId: number }
  | { type: 'form.trashed'; formId: string }

export type PublishEvent = (event: DomainEvent) => void
