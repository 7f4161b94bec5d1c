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

/** Passes events to its subscribers synchronously, in the order in which they are published. */
export class EventChannel {
  readonly #subscribers: ((event: DomainEvent) => void)[] = []

  subscribe(subscriber: (event: DomainEvent) => void): void {
    this.#subscribers.push(subscriber)
  }

  publish(event: DomainEvent): void {
    for (const subscriber of this.#subscribers) subscriber(event)
  }
}
