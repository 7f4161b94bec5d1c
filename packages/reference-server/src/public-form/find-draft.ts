import type { Context } from '../context.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { ServiceError } from '../domain/service-error.ts'
import type { OpenForm } from './open-form.ts'

/** 404 for a draft of an open form. Carries what the page needs to offer a new response. */
export class DraftGoneError extends ServiceError {
  readonly open: OpenForm

  constructor(open: OpenForm) {
    super('not_found', 'Draft not found: it was submitted or deleted, or the link is incomplete.')
    this.open = open
  }
}

/** Finds a draft of a form by its token. Throws 404 if the token is unknown, of another form, or already submitted. */
export function findDraft({ state }: Context, open: OpenForm, token: string): ResponseRecord {
  const draft = state.responses.byDraftToken(token)
  if (!draft || draft.formId !== open.form.id || draft.status !== 'in_progress')
    throw new DraftGoneError(open)
  return draft
}
