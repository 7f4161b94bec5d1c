import type { Unspecified } from '../unspecified.ts'
import type { DomainEvent } from './events.ts'
import type { FormRecord } from './form.ts'
import type { ResponseRecord } from './response.ts'
import { countAfterDeletion } from './response-count.ts'

/** What deleting a response changes besides the response itself, its answers and its uploads (RESP-04). */
export interface ResponseDeletion {
  /** The form with its lowered count (FORM-12). */
  readonly form: FormRecord
  readonly event: DomainEvent
}

/** Deletes a response or draft of a form for good (RESP-04). */
export function deleteResponseOf(
  form: FormRecord,
  { id, status }: ResponseRecord,
  { draftDeletion }: Pick<Unspecified, 'draftDeletion'>,
): ResponseDeletion {
  const responseCount = countAfterDeletion(form.responseCount, status, draftDeletion)
  return {
    form: responseCount === form.responseCount ? form : { ...form, responseCount },
    event: { type: 'response.deleted', formId: form.id, responseId: id },
  }
}
