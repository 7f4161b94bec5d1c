import { LIMITS, SETTABLE_FORM_STATUSES, type SettableFormStatus } from '@formwire/contract'
import type { Unspecified } from '../unspecified.ts'
import type { FormRecord } from './form.ts'
import { hasEnded, statusAt, transition } from './form-status.ts'
import { accepted, type Refusal, type Result, refused } from './result.ts'

/** What `PATCH /forms/{id}` may change (FORM-05). */
export interface FormPatch {
  readonly status?: SettableFormStatus
  readonly title?: string
}

/** Reads the known fields of a PATCH body. Refuses the first invalid one, and a body without any (FORM-05, FORM-11). */
export function readFormPatch(
  body: Readonly<Record<string, unknown>>,
  unspecified: Unspecified,
): Result<FormPatch> {
  const { status, title } = body
  if (status === undefined && title === undefined) {
    return refused({
      code: unspecified.patchWithoutField === '422' ? 'validation_failed' : 'bad_request',
      message: 'The body must have at least one of status and title.',
    })
  }
  if (status !== undefined && !SETTABLE_FORM_STATUSES.some((known) => known === status)) {
    return refuse('status', `status must be one of ${SETTABLE_FORM_STATUSES.join(', ')}.`)
  }
  if (title !== undefined && !isTitle(title)) {
    return refuse('title', `title must be a string of 1 to ${LIMITS.titleMaxCodePoints} characters.`)
  }
  return accepted(body as FormPatch)
}

/**
 * Applies all of a patch or none of it. Sets `updatedAt` even when no value changes (FORM-10). A new title is that of the
 * dashboard: `publication` keeps the title that respondents see (FORM-09).
 */
export function applyFormPatch(
  form: FormRecord,
  patch: FormPatch,
  now: number,
  unspecified: Unspecified,
): Result<FormRecord> {
  const next: FormRecord = { ...form, title: patch.title ?? form.title, updatedAt: now }
  if (patch.status === undefined) return accepted(next)
  if (form.status !== 'published' && form.status !== 'closed') return refused(notPublished(form, unspecified))
  if (
    patch.status === 'published' &&
    statusAt(form, now, unspecified) === 'closed' &&
    hasEnded(form, now) &&
    unspecified.reopen === 'refusedPastEnd'
  ) {
    return refuse('status', "The form's closes_at has passed; change it before reopening.")
  }
  return transition(next, patch.status === 'closed' ? 'close' : 'reopen', now)
}

/** Whether a value is a valid title: 1 to 200 Unicode code points, not trimmed (FORM-05). */
export function isTitle(title: unknown): title is string {
  if (typeof title !== 'string' || title === '') return false
  // A code point has one or two code units, so much longer texts need no counting.
  if (title.length > 2 * LIMITS.titleMaxCodePoints) return false
  return title.length <= LIMITS.titleMaxCodePoints || [...title].length <= LIMITS.titleMaxCodePoints
}

/** FORM-06 for a form that was never published, or is archived. */
function notPublished(form: FormRecord, { statusOfUnpublished }: Unspecified): Refusal {
  const message = `status can be set only on a published form; this one is ${form.status}.`
  if (statusOfUnpublished === '422') return { field: 'status', message }
  const code = ({ '400': 'bad_request', '403': 'forbidden', '409': 'conflict' } as const)[statusOfUnpublished]
  return { code, field: 'status', message }
}

const refuse = (field: string, message: string): Result<never> => refused({ field, message })
