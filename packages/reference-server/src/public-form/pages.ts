import type { Context } from '../context.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { ServiceError } from '../http/errors.ts'
import type { OutgoingMessage } from '../http/message.ts'
import type { RouteCall } from '../http/route.ts'
import { fieldsOfAnswers } from './fields-of-answers.ts'
import { findDraft } from './find-draft.ts'
import { originQuery, readOrigin } from './meta.ts'
import type { OpenForm } from './open-form.ts'
import { formPage } from './page/form-page.ts'
import { errorPage } from './page/message-pages.ts'
import type { Outcome, Respondent } from './respond.ts'
import { claimableUploads } from './uploads.ts'

const iso = (instant: number): string => new Date(instant).toISOString()

/** The page of a form to begin with. */
export function emptyFormPage(context: Context, open: OpenForm, { query }: RouteCall): OutgoingMessage {
  return formPage({
    open,
    token: undefined,
    query: originQuery(readOrigin(query)),
    file: () => undefined,
    fileMaxBytes: context.settings.limits.fileMaxBytes,
    startedAt: iso(context.clock.now()),
  })
}

/** The page of a draft, filled with what was saved. */
export function draftPage(
  context: Context,
  open: OpenForm,
  draft: ResponseRecord,
  { query }: RouteCall,
): OutgoingMessage {
  const file = claimableUploads(context, open.form, draft)
  return formPage({
    open,
    token: draft.draft?.token,
    query: originQuery(readOrigin(query)),
    fields: fieldsOfAnswers(open.publication.questions, draft.draft?.answers ?? [], file),
    file,
    fileMaxBytes: context.settings.limits.fileMaxBytes,
    startedAt: iso(draft.startedAt),
  })
}

/** The page with the errors: what was typed stays. */
export function refusedPage(
  context: Context,
  { submission, token, visit }: Respondent,
  { open, errors }: Outcome & { ok: false },
): OutgoingMessage {
  const draft = token === undefined ? undefined : findDraft(context, open, token)
  const { questions } = open.publication
  const file = claimableUploads(context, open.form, draft)
  return formPage({
    open,
    token,
    query: originQuery(visit.origin),
    fields: submission.fields ?? fieldsOfAnswers(questions, draft?.draft?.answers ?? [], file),
    file,
    fileMaxBytes: context.settings.limits.fileMaxBytes,
    startedAt: iso(submission.openedAt ?? context.clock.now()),
    errors,
  })
}

/** Runs what answers with a page: refusals become pages too. */
export async function asPage(
  work: () => OutgoingMessage | Promise<OutgoingMessage>,
): Promise<OutgoingMessage> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError) return errorPage(error)
    throw error
  }
}
