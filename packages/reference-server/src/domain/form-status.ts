import type { KnownFormStatus } from '@formwire/contract'
import type { Unspecified } from '../unspecified.ts'
import type { FormRecord } from './form.ts'

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
export const isFull = ({ responseLimit, responseCount }: FormRecord): boolean =>
  responseLimit !== null && responseCount >= responseLimit
