import type { Context } from '../context.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { ServiceError } from '../domain/service-error.ts'
import type { OutgoingMessage, ResponseOrPromise } from '../http/message.ts'
import type { RouteCall } from '../http/route.ts'
import { fieldsOfAnswers } from './fields-of-answers.ts'
import { findDraft } from './find-draft.ts'
import { attributionQuery, readAttribution } from './meta.ts'
import type { OpenForm } from './open-form.ts'
import { formPage } from './page/form-page.ts'
import { errorPage } from './page/message-pages.ts'
import type { Outcome, Respondent } from './respond.ts'
import { claimableUploads } from './uploads.ts'

const iso = (instant: number): string => new Date(instant).toISOString()

/** Returns the page for a new response. */
export function emptyFormPage(context: Context, open: OpenForm, { query }: RouteCall): OutgoingMessage {
  return formPage({
    open,
    token: undefined,
    query: attributionQuery(readAttribution(query)),
    file: () => undefined,
    fileMaxBytes: context.settings.limits.fileMaxBytes,
    startedAt: iso(context.clock.now()),
  })
}

/** Returns the page of a draft, filled in with the saved answers. */
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
    query: attributionQuery(readAttribution(query)),
    fields: fieldsOfAnswers(open.publication.questions, draft.draft?.answers ?? [], file),
    file,
    fileMaxBytes: context.settings.limits.fileMaxBytes,
    startedAt: iso(draft.startedAt),
  })
}

/** Returns the page with errors, filled in with the submitted answers. */
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
    query: attributionQuery(visit.attribution),
    fields: submission.fields ?? fieldsOfAnswers(questions, draft?.draft?.answers ?? [], file),
    file,
    fileMaxBytes: context.settings.limits.fileMaxBytes,
    startedAt: iso(submission.openedAt ?? context.clock.now()),
    errors,
  })
}

/** Runs an operation that responds with a page, and turns a refusal into an error page. */
export async function asPage(work: () => ResponseOrPromise): Promise<OutgoingMessage> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError) return errorPage(error)
    throw error
  }
}
