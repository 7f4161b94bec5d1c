import { type RandomSource, randomText } from '../random.ts'
import type { Unspecified } from '../unspecified.ts'
import type { ResponseRecord } from './response.ts'

const TOKEN_LENGTH = 32

/** Returns a new token of a draft. It grants access to the draft, so it must not be guessable (RESP-09). */
export const newDraftToken = (random: RandomSource): string => randomText(random, TOKEN_LENGTH)

/** A submitted draft keeps its start, and its id unless `submittedDraft` is `newId` (RESP-09). */
export function keptOfDraft(
  { id, startedAt }: Pick<ResponseRecord, 'id' | 'startedAt'>,
  { submittedDraft }: Pick<Unspecified, 'submittedDraft'>,
): { readonly id: number | undefined; readonly startedAt: number } {
  return { id: submittedDraft === 'sameId' ? id : undefined, startedAt }
}
