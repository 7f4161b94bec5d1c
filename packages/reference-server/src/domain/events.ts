import type { EventForm, KnownResponseStatus } from '@formwire/contract'
import type { Unspecified } from '../unspecified.ts'
import type { FormRecord } from './form.ts'
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

/** Returns what deleting a response or draft changes besides its answers and uploads: the form's count, and an event (RESP-04). */
export function deleteResponseOf(
  form: FormRecord,
  { id, status }: ResponseRecord,
  { draftDeletion }: Pick<Unspecified, 'draftDeletion'>,
): { readonly form: FormRecord; readonly event: DomainEvent } {
  const responseCount = countAfterDeletion(form.responseCount, status, draftDeletion)
  return {
    form: responseCount === form.responseCount ? form : { ...form, responseCount },
    event: { type: 'response.deleted', formId: form.id, responseId: id },
  }
}

/**
 * The form's response count after a response was deleted: lowered for a submitted one, and for a draft only where
 * `draftDeletion` is `countLowered` (FORM-12).
 */
export function countAfterDeletion(
  count: number,
  status: KnownResponseStatus,
  draftDeletion: Unspecified['draftDeletion'],
): number {
  if (status !== 'submitted' && draftDeletion === 'countKept') return count
  // Drafts were never counted, so that with `countLowered` there can be more deletions than responses.
  return Math.max(0, count - 1)
}
