import type { Context } from '../context.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { ServiceError } from '../domain/service-error.ts'
import type { OutgoingMessage, ResponseOrPromise } from '../http/message.ts'
import type { RouteCall } from '../http/router.ts'
import { randomText, systemRandom } from '../random.ts'
import { fieldsOfAnswers } from './fields-of-answers.ts'
import { attributionQuery, readAttribution } from './meta.ts'
import { findDraft, type OpenForm, type PublishedForm } from './open-form.ts'
import type { PageForm } from './page/document.ts'
import { formPage } from './page/form-page.ts'
import { errorPage } from './page/message-pages.ts'
import type { Respondent, SubmissionOutcome } from './respond.ts'
import { claimableUploads } from './uploads.ts'

const iso = (instant: number): string => new Date(instant).toISOString()

/** Characters of a page's one-use token after its number. */
const SECRET_LENGTH = 22

/** Returns what each page of a form needs. */
export const pageForm = ({ settings }: Context, { form, publication }: PublishedForm): PageForm => ({
  form,
  publication,
  publicUrl: settings.publicUrl,
})

/** Returns what each page with the questions of a form needs, with a new one-use token. */
function fillable(context: Context, open: OpenForm) {
  const { state, settings, clock } = context
  return {
    of: pageForm(context, open),
    // Not the server's own source: opening a page must not change the ids of a seeded one.
    submitToken: state.submitTokens.issue(clock.now(), randomText(systemRandom, SECRET_LENGTH)),
    fileMaxBytes: settings.limits.fileMaxBytes,
  }
}

/** Returns the page for a new response. */
export function emptyFormPage(context: Context, open: OpenForm, { query }: RouteCall): OutgoingMessage {
  return formPage({
    ...fillable(context, open),
    token: undefined,
    query: attributionQuery(readAttribution(query)),
    file: () => undefined,
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
    ...fillable(context, open),
    token: draft.draft?.token,
    query: attributionQuery(readAttribution(query)),
    fields: fieldsOfAnswers(open.publication.questions, draft.draft?.answers ?? [], file),
    file,
    startedAt: iso(draft.startedAt),
  })
}

/** Returns the page with errors, filled in with the submitted answers. */
export function refusedPage(
  context: Context,
  { submission, token, visit }: Respondent,
  { open, errors }: SubmissionOutcome & { ok: false },
): OutgoingMessage {
  const draft = token === undefined ? undefined : findDraft(context, open, token)
  const { questions } = open.publication
  const file = claimableUploads(context, open.form, draft)
  return formPage({
    ...fillable(context, open),
    token,
    query: attributionQuery(visit.attribution),
    fields: submission.fields ?? fieldsOfAnswers(questions, draft?.draft?.answers ?? [], file),
    file,
    startedAt: iso(submission.openedAt ?? context.clock.now()),
    errors,
  })
}

/** Runs an operation that responds with a page, and turns a refusal into an error page. */
export async function asPage({ settings }: Context, work: () => ResponseOrPromise): Promise<OutgoingMessage> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError) return errorPage(error, settings.publicUrl)
    throw error
  }
}
