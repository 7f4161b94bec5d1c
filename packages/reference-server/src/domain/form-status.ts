import type { KnownFormStatus } from '@formwire/contract'
import type { Unspecified } from '../unspecified.ts'
import type { FormRecord, Publication } from './form.ts'
import { accepted, type Result, refused } from './result.ts'

/** The options that affect the status that a form shows. */
export type FormStyle = Pick<Unspecified, 'datesChangeStatus'>

/**
 * Returns the status that a form shows at an instant. With `datesChangeStatus` a published form shows `closed` while it
 * is past its end or full; before `opens_at` it shows `published` (FORM-13).
 */
export function statusAt(form: FormRecord, now: number, { datesChangeStatus }: FormStyle): KnownFormStatus {
  if (datesChangeStatus === 'false' || form.status !== 'published') return form.status
  return hasEnded(form, now) || isFull(form) ? 'closed' : 'published'
}

/** Whether `closes_at` has passed. */
export const hasEnded = ({ closesAt }: FormRecord, now: number): boolean =>
  closesAt !== null && now >= closesAt

/** Whether the form has as many submitted responses as `response_limit` allows. */
const isFull = ({ responseLimit, responseCount }: FormRecord): boolean =>
  responseLimit !== null && responseCount >= responseLimit

/** An action that changes the status of a form. */
export type FormAction = 'publish' | 'close' | 'reopen' | 'archive' | 'unarchive' | 'trash' | 'restore'

/** The statuses that allow each action. */
const FROM: Readonly<Record<FormAction, readonly KnownFormStatus[]>> = {
  // Publishing again publishes the builder's current title, questions and language, and reopens a closed form.
  publish: ['draft', 'published', 'closed'],
  close: ['published', 'closed'],
  reopen: ['published', 'closed'],
  archive: ['draft', 'published', 'closed'],
  unarchive: ['archived'],
  trash: ['draft', 'published', 'closed', 'archived'],
  restore: ['draft', 'published', 'closed', 'archived'],
}

/** Applies an action to a form, or refuses it. Sets `updatedAt`; the caller sets the revision. */
export function transition(form: FormRecord, action: FormAction, now: number): Result<FormRecord> {
  const trashed = form.trashedAt !== null
  if (trashed !== (action === 'restore')) {
    return refuse(trashed ? `The form is in the trash; restore it first.` : 'The form is not in the trash.')
  }
  if (!FROM[action].includes(form.status))
    return refuse(`Cannot ${action} a form with the status ${form.status}.`)
  return accepted({ ...form, ...changes(form, action, now), updatedAt: now })
}

function changes(form: FormRecord, action: FormAction, now: number): Partial<FormRecord> {
  switch (action) {
    case 'publish':
      return {
        status: 'published',
        publication: {
          title: form.title,
          questions: form.questions,
          ...(form.language !== undefined && { language: form.language }),
          publishedAt: now,
        },
      }
    case 'close':
      return { status: 'closed' }
    case 'reopen':
      return { status: 'published' }
    case 'archive':
      return { status: 'archived', statusBeforeArchive: form.status === 'archived' ? null : form.status }
    case 'unarchive':
      return { status: form.statusBeforeArchive ?? 'draft', statusBeforeArchive: null }
    case 'trash':
      return { trashedAt: now }
    case 'restore':
      return { trashedAt: null }
  }
}

const refuse = (message: string): Result<never> => refused({ field: 'status', message })

/** Why a public link accepts no responses (FORM-07, FORM-13). */
export type ClosedReason = 'closed' | 'not_yet_open' | 'past_end' | 'full'

/**
 * Returns why the public link of a form accepts no responses at `now`, in milliseconds since the epoch; `undefined` if it does. A form
 * opens at `opens_at`, closes at `closes_at`, and is full once it has `response_limit` submitted responses (FORM-13). The status that
 * the form shows is that of `statusAt`.
 */
export function closedReason(form: FormRecord, now: number): ClosedReason | undefined {
  if (form.status !== 'published') return 'closed'
  if (form.opensAt !== null && now < form.opensAt) return 'not_yet_open'
  if (hasEnded(form, now)) return 'past_end'
  return isFull(form) ? 'full' : undefined
}

/** What the public link of a form shows; `undefined` if it was never published or is in the trash, so that the link gives 404. */
export const publicationOf = (form: FormRecord | undefined): Publication | undefined =>
  (form?.trashedAt === null && form.status !== 'draft' && form.publication) || undefined
