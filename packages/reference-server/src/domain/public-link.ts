import type { FormRecord, Publication } from './form.ts'
import { hasEnded, isFull } from './form-status.ts'

/** Why a public link accepts no responses (FORM-07, FORM-13). */
export type ClosedReason = 'closed' | 'not_yet_open' | 'past_end' | 'full'

/** The state of a public link at an instant. */
export type PublicLink =
  /** Never published, or in the trash: the link gives 404. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'closed'; readonly reason: ClosedReason }
  | { readonly kind: 'open'; readonly publication: Publication }

/**
 * Returns the state of a public link at `now`, in milliseconds since the epoch. A form opens at `opens_at`, closes at
 * `closes_at`, and is full once it has `response_limit` submitted responses (FORM-13). The status that the form shows is
 * that of `statusAt`.
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
  if (hasEnded(form, now)) return 'past_end'
  if (isFull(form)) return 'full'
  return undefined
}
