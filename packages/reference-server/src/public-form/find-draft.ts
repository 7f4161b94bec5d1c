import type { Context } from '../context.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { notFound } from '../http/errors.ts'
import type { OpenForm } from './open-form.ts'

/** Finds a form's draft by its token. Throws 404 for an unknown token, another form's, or one that was submitted. */
export function findDraft({ state }: Context, { form }: OpenForm, token: string): ResponseRecord {
  const draft = state.responses.byDraftToken(token)
  if (!draft || draft.formId !== form.id || draft.status !== 'in_progress') throw notFound()
  return draft
}
