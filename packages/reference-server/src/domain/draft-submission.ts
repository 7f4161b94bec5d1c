import type { Unspecified } from '../unspecified.ts'
import type { ResponseRecord } from './response.ts'

/** What a submitted response keeps of the draft it was submitted from. */
export interface KeptOfDraft {
  /** `undefined` when the response needs a new id. */
  readonly id: number | undefined
  readonly startedAt: number
}

/** A submitted draft keeps its start, and its id unless `submittedDraft` is `newId` (RESP-09). */
export function keptOfDraft(
  { id, startedAt }: Pick<ResponseRecord, 'id' | 'startedAt'>,
  { submittedDraft }: Pick<Unspecified, 'submittedDraft'>,
): KeptOfDraft {
  return { id: submittedDraft === 'sameId' ? id : undefined, startedAt }
}
