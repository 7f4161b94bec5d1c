import type { Context } from '../context.ts'
import type { FormRecord, Publication } from '../domain/form.ts'
import { type ClosedReason, publicLink } from '../domain/public-link.ts'
import { notFound, ServiceError } from '../http/errors.ts'

/** A form whose public link takes responses at this moment. */
export interface OpenForm {
  readonly form: FormRecord
  /** Title and questions as last published (FORM-09). */
  readonly publication: Publication
}

/** What a closed form says to the person who came to fill it in. */
const CLOSED_MESSAGES: Readonly<Record<ClosedReason, string>> = {
  closed: 'This form is closed and takes no more responses.',
  not_yet_open: 'This form is not open yet.',
  past_end: 'This form has reached its end date and takes no more responses.',
  full: 'This form has all the responses it takes.',
}

/** `2026-11-21 09:00 UTC` */
const inUtc = (instant: number): string =>
  `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** 403 of a public link that takes no responses. Carries the title for the page that says so. */
export class FormClosedError extends ServiceError {
  readonly title: string
  /** When it opens, in milliseconds since the epoch; `undefined` when it is closed for another reason. */
  readonly opensAt: number | undefined

  constructor(reason: ClosedReason, { publication, opensAt }: Pick<FormRecord, 'publication' | 'opensAt'>) {
    const opens = reason === 'not_yet_open' && opensAt !== null ? opensAt : undefined
    super(
      'form_closed',
      CLOSED_MESSAGES[reason] + (opens === undefined ? '' : ` It opens at ${inUtc(opens)}.`),
    )
    this.title = publication?.title ?? ''
    this.opensAt = opens
  }
}

/**
 * Finds the form of a public link and makes sure that it is open now. Throws 404 for one that was never published or is
 * in the trash, and 403 `form_closed` for one that is archived, closed, outside its dates or full (FORM-07, FORM-13).
 * Call it again after every `await`: the state may have moved on.
 */
export function openForm({ state, clock }: Context, slug: string): OpenForm {
  const form = state.forms.bySlug(slug)
  const link = publicLink(form, clock.now())
  if (!form || link.kind === 'missing') throw notFound()
  if (link.kind === 'closed') throw new FormClosedError(link.reason, form)
  return { form, publication: link.publication }
}
