import type { KnownResponseStatus } from '@formwire/contract'
import type { Unspecified } from '../unspecified.ts'

/** The form's response count after a response was submitted. Drafts are not counted (FORM-12). */
export const countAfterSubmission = (count: number): number => count + 1

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
