import type { KnownResponseStatus } from '@formwire/contract'
import type { Unspecified } from '../unspecified.ts'
import type { DomainEvent } from './events.ts'
import type { FormRecord } from './form.ts'
import type { ResponseRecord } from './response.ts'

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
