import type { Context } from '../context.ts'
import type { FormRecord, Publication } from '../domain/form.ts'
import { type ClosedReason, closedReason, publicationOf } from '../domain/form-status.ts'
import type { Question } from '../domain/question/index.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { notFound, ServiceError } from '../domain/service-error.ts'

/** A form that has been published and is not in the trash. It may be closed. */
export interface PublishedForm {
  readonly form: FormRecord
  /** Title, questions and language as last published (FORM-09). */
  readonly publication: Publication
  /** Base URL of public links, without a trailing slash. */
  readonly publicUrl: string
}

/** A published form, and why it accepts no responses, if it does not. */
export type FoundForm = PublishedForm & { readonly closed: ClosedReason | undefined }

/** A form that currently accepts responses. */
export type OpenForm = PublishedForm

/** Shown to respondents. */
const CLOSED_MESSAGES: Readonly<Record<ClosedReason, string>> = {
  closed: 'This form is no longer accepting responses.',
  not_yet_open: 'This form is not open yet.',
  past_end: 'This form has passed its end date and is no longer accepting responses.',
  full: 'This form has reached its maximum number of responses.',
}

/** `2026-11-21 09:00 UTC` */
const inUtc = (instant: number): string =>
  `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** 403 for a form that does not accept responses. Carries the form for the error page. */
export class FormClosedError extends ServiceError {
  readonly published: PublishedForm
  readonly reason: ClosedReason
  /** When the form opens, in milliseconds since the epoch; `undefined` if it is closed for another reason. */
  readonly opensAt: number | undefined

  constructor(reason: ClosedReason, published: PublishedForm) {
    const { opensAt } = published.form
    const opens = reason === 'not_yet_open' && opensAt !== null ? opensAt : undefined
    super(
      'form_closed',
      CLOSED_MESSAGES[reason] + (opens === undefined ? '' : ` It opens at ${inUtc(opens)}.`),
    )
    this.published = published
    this.reason = reason
    this.opensAt = opens
  }
}

/** Finds the form of a public link, open or closed. Throws 404 if it was never published or is in the trash (FORM-13). */
export function publishedForm({ state, clock, settings }: Context, slug: string): FoundForm {
  const form = state.forms.bySlug(slug)
  const publication = publicationOf(form)
  if (!form || !publication) throw notFound()
  return { form, publication, publicUrl: settings.publicUrl, closed: closedReason(form, clock.now()) }
}

/**
 * Finds the form of a public link and checks that it is open. Throws 404 for a form that was never published or is in the
 * trash, and 403 `form_closed` for one that is archived, closed, outside its dates or full (FORM-07, FORM-13). Must be
 * called again after every `await`, since the state may have changed.
 */
export function openForm(context: Context, slug: string): OpenForm {
  return requireOpen(publishedForm(context, slug))
}

/** As `openForm`, for a form that was found since the last `await`. */
export function requireOpen({ closed, ...published }: FoundForm): OpenForm {
  if (closed !== undefined) throw new FormClosedError(closed, published)
  return published
}

/** 404 for a draft of an open form. Carries what the page needs to offer a new response. */
export class DraftGoneError extends ServiceError {
  readonly published: OpenForm

  constructor(published: OpenForm) {
    super('not_found', 'Draft not found: it was submitted or deleted, or the link is incomplete.')
    this.published = published
  }
}

/** Finds a draft of a form by its token. Throws 404 if `draftOf` finds none. */
export function findDraft(context: Context, open: OpenForm, token: string): ResponseRecord {
  const draft = draftOf(context, open, token)
  if (!draft) throw new DraftGoneError(open)
  return draft
}

/** Finds a draft of a form, open or closed; `undefined` if the token is unknown, of another form, or already submitted. */
export function draftOf(
  { state }: Context,
  { form }: PublishedForm,
  token: string,
): ResponseRecord | undefined {
  const draft = state.responses.byDraftToken(token)
  return draft?.formId === form.id && draft.status === 'in_progress' ? draft : undefined
}

/** Returns a text that changes with each save of a draft. */
export const draftVersion = ({ sequence }: ResponseRecord): string => String(sequence)

/** Returns a question without its points, which would give away the right answer. */
export function publicQuestion({ points: _points, ...question }: Question): Omit<Question, 'points'> {
  return question
}
