import type { FormRecord, Publication } from './form.ts'

/** Why a public link takes no responses (FORM-07, FORM-13). */
export type ClosedReason = 'closed' | 'not_yet_open' | 'past_end' | 'full'

/** What a public link does at an instant. */
export type PublicLink =
  /** Never published, or in the trash: as if there were no such link. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'closed'; readonly reason: ClosedReason }
  | { readonly kind: 'open'; readonly publication: Publication }

/**
 * Judges a public link at the very instant `now` (milliseconds since the epoch): a form opens at `opens_at`, is closed
 * from `closes_at` on, and is full as soon as it has `response_limit` submitted responses. Its `status` stays as it is
 * (FORM-13).
 */
export function publicLink(form: FormRecord | undefined, now: number): PublicLink {
  const publication = form?.publication
  if (!form || !publication || form.trashedAt !== null || form.status === 'draft') return { kind: 'missing' }
  const reason = closedReason(form, now)
  return reason === undefined ? { kind: 'open', publication } : { kind: 'closed', reason }
}

function closedReason(form: FormRecord, now: number): ClosedReason | undefined {
  if (form.status !== 'published') return 'closed'
  if (form.opensAt !== null && now < form.opensAt) return 'not_yet_open'
  if (form.closesAt !== null && now >= form.closesAt) return 'past_end'
  if (form.responseLimit !== null && form.responseCount >= form.responseLimit) return 'full'
  return undefined
}
