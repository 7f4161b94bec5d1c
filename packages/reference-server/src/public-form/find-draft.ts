import type { Context } from '../context.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { ServiceError } from '../http/errors.ts'
import type { OpenForm } from './open-form.ts'

/** 404 of a draft's link whose form is open. Carries what the page needs to lead on to a new response. */
export class DraftGoneError extends ServiceError {
  readonly title: string
  /** Address of the form's own page. */
  readonly formPath: string

  constructor({ form, publication }: OpenForm) {
    super(
      'not_found',
      'This draft is no longer there: it was submitted or deleted, or the link to it is not whole.',
    )
    this.title = publication.title
    this.formPath = `/f/${form.slug}`
  }
}

/** Finds a form's draft by its token. Throws 404 for an unknown token, another form's, or one that was submitted. */
export function findDraft({ state }: Context, open: OpenForm, token: string): ResponseRecord {
  const draft = state.responses.byDraftToken(token)
  if (!draft || draft.formId !== open.form.id || draft.status !== 'in_progress')
    throw new DraftGoneError(open)
  return draft
}
