import type { EventForm } from '@formwire/contract'
import type { ResponseRecord } from './response.ts'

/** A change in the domain that creates or stops deliveries. */
export type DomainEvent =
  | {
      /** A response was submitted, or back-filled with `deliver: true` (DLV-01). */
      type: 'response.submitted'
      /** `title` is the dashboard title. */
      form: EventForm
      response: ResponseRecord
    }
  | { type: 'response.deleted'; formId: string; responseId: number }
  | { type: 'form.trashed'; formId: string }
