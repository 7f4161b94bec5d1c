import { type ErrorCode, LIMITS, SETTABLE_FORM_STATUSES, type SettableFormStatus } from '@formwire/contract'
import type { Unspecified } from '../unspecified.ts'
import type { FormRecord } from './form.ts'
import { transition } from './form-transitions.ts'

/** What `PATCH /forms/{id}` may change (FORM-05). */
export interface FormPatch {
  readonly status?: SettableFormStatus
  readonly title?: string
}

export interface Refusal {
  readonly code: ErrorCode | 'conflict'
  readonly field?: string
  readonly message: string
}

export type PatchReading =
  | { readonly ok: true; readonly patch: FormPatch }
  | { readonly ok: false; readonly refusal: Refusal }
export type PatchResult =
  | { readonly ok: true; readonly form: FormRecord }
  | { readonly ok: false; readonly refusal: Refusal }

/** Reads the known fields of a body: values that may be set, or the first field at fault (FORM-05, FORM-11). */
export function readFormPatch(
  body: Readonly<Record<string, unknown>>,
  unspecified: Unspecified,
): PatchReading {
  const { status, title } = body
  if (status === undefined && title === undefined) {
    return refuse({
      code: unspecified.patchWithoutField === '422' ? 'validation_failed' : 'bad_request',
      message: 'Send at least one of status and title.',
    })
  }
  if (status !== undefined && !SETTABLE_FORM_STATUSES.some((known) => known === status)) {
    return refuse(invalidField('status', `status takes one of ${SETTABLE_FORM_STATUSES.join(', ')}.`))
  }
  if (title !== undefined && !isTitle(title)) {
    return refuse(
      invalidField('title', `title takes a text of 1 to ${LIMITS.titleMaxCodePoints} characters.`),
    )
  }
  return { ok: true, patch: body as FormPatch }
}

/** Applies all of a patch or nothing of it. Moves `updatedAt` even when nothing differs (FORM-10). */
export function applyFormPatch(
  form: FormRecord,
  patch: FormPatch,
  now: number,
  unspecified: Unspecified,
): PatchResult {
  let next: FormRecord = { ...form, title: patch.title ?? form.title, updatedAt: now }
  if (patch.status !== undefined) {
    if (form.status !== 'published' && form.status !== 'closed')
      return refuse(notPublished(form, unspecified))
    const ended = form.closesAt !== null && now >= form.closesAt
    if (
      patch.status === 'published' &&
      form.status === 'closed' &&
      ended &&
      unspecified.reopen === 'refusedPastEnd'
    ) {
      return refuse(invalidField('status', 'The form is past its end: move closes_at before you reopen it.'))
    }
    const moved = transition(next, patch.status === 'closed' ? 'close' : 'reopen', now)
    if (!moved.ok) return refuse(invalidField('status', moved.message))
    next = moved.form
  }
  return { ok: true, form: next }
}

/** A title that may be set: 1 to 200 Unicode code points, taken as they are (FORM-05). */
export function isTitle(title: unknown): title is string {
  if (typeof title !== 'string' || title === '') return false
  // A code point has one or two code units: long texts need no counting.
  if (title.length > 2 * LIMITS.titleMaxCodePoints) return false
  return title.length <= LIMITS.titleMaxCodePoints || [...title].length <= LIMITS.titleMaxCodePoints
}

/** FORM-06 for a form that was never published, or is archived. */
function notPublished(form: FormRecord, { statusOfUnpublished }: Unspecified): Refusal {
  const message = `status is accepted only for a form that is already published; this one is ${form.status}.`
  if (statusOfUnpublished === '422') return invalidField('status', message)
  const code = ({ '400': 'bad_request', '403': 'forbidden', '409': 'conflict' } as const)[statusOfUnpublished]
  return { code, field: 'status', message }
}

const invalidField = (field: string, message: string): Refusal => ({
  code: 'validation_failed',
  field,
  message,
})
const refuse = (refusal: Refusal): { ok: false; refusal: Refusal } => ({ ok: false, refusal })
