import type { Context } from '../context.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { ServiceError } from '../domain/service-error.ts'
import type { OutgoingMessage, ResponseOrPromise } from '../http/message.ts'
import type { RouteCall } from '../http/router.ts'
import { randomText, systemRandom } from '../random.ts'
import type { FormContent } from '../services/forms.ts'
import { fieldsOfAnswers } from './form-answers.ts'
import type { FormFields } from './form-fields.ts'
import { attributionQuery, readAttribution } from './meta.ts'
import {
  DraftGoneError,
  draftOf,
  draftVersion,
  FormClosedError,
  type FoundForm,
  type OpenForm,
  requireOpen,
} from './open-form.ts'
import type { Preview } from './page/document.ts'
import { type FormPage, formPage } from './page/form-page.ts'
import { closedTitle, errorPage } from './page/message-pages.ts'
import {
  DRAFT_VERSION_FIELD,
  type Received,
  type Refusals,
  type Respondent,
  readSubmission,
  refuseWithoutDraft,
  respondentOf,
  SUBMIT_TOKEN_FIELD,
  type SubmissionOutcome,
} from './respond.ts'
import { claimableUploads } from './uploads.ts'

const iso = (instant: number): string => new Date(instant).toISOString()

/** Characters of a page's one-use token after its number. */
const SECRET_LENGTH = 22

/**
 * Returns a page with the questions of a form, and a new one-use token. Unless there are `fields`, the page has the saved answers of the
 * draft, if any.
 */
function questionsPage(
  context: Context,
  open: OpenForm,
  draft: ResponseRecord | undefined,
  { fields, ...more }: Pick<FormPage, 'query' | 'startedAt'> & Partial<FormPage>,
): OutgoingMessage {
  const { state, settings, clock } = context
  const file = claimableUploads(context, open.form, draft)
  return formPage({
    of: open,
    token: draft?.draft?.token,
    draftVersion: draft && draftVersion(draft),
    // Not the server's own source: opening a page must not change the ids of a seeded one.
    submitToken: state.submitTokens.issue(clock.now(), randomText(systemRandom, SECRET_LENGTH)),
    fields: fields ?? fieldsOfAnswers(open.publication.questions, draft?.draft?.answers ?? [], file),
    file,
    fileMaxBytes: settings.limits.fileMaxBytes,
    ...more,
  })
}

/** Returns the page of a form, or of its draft. */
export const openPage = (
  context: Context,
  { open, draft }: { readonly open: OpenForm; readonly draft?: ResponseRecord },
  { query }: RouteCall,
): OutgoingMessage =>
  questionsPage(context, open, draft, {
    query: attributionQuery(readAttribution(query)),
    startedAt: iso(draft?.startedAt ?? context.clock.now()),
  })

/** Returns the page with errors, filled in with the submitted answers. */
const refusedPage = (
  context: Context,
  { submission, visit, open, draft }: Respondent,
  errors: Refusals,
  refusal?: ServiceError,
): OutgoingMessage =>
  questionsPage(context, open, draft, {
    ...(submission.fields && { fields: submission.fields }),
    query: attributionQuery(visit.attribution),
    startedAt: iso(submission.openedAt ?? context.clock.now()),
    errors,
    refusal,
  })

/** Returns the page of a form that closed meanwhile. It can be sent once the form is open again, and continues its draft. */
function closedMeanwhilePage(
  context: Context,
  { token, visit }: Received,
  fields: FormFields,
  error: FormClosedError,
): OutgoingMessage {
  const { published } = error
  const draft = token === undefined ? undefined : draftOf(context, published, token)
  const message = `${error.message} Your answers were not sent; they are still here.`
  return questionsPage(context, published, draft, {
    // Keeps no new files: nothing can be sent.
    fields,
    token,
    // Of the page, not of the draft: nobody has read yet that it was saved elsewhere, or submitted.
    draftVersion: fields.text(DRAFT_VERSION_FIELD),
    query: attributionQuery(visit.attribution),
    startedAt: fields.text('started_at'),
    errors: [{ field: SUBMIT_TOKEN_FIELD, message }],
    refusal: error,
    summary: closedTitle(error),
  })
}

/**
 * Stores the answers of a page. If they are refused, the draft is gone or the form has closed since the page was opened, the page
 * comes back with what was typed.
 */
export function storePage(
  context: Context,
  received: Received,
  published: FoundForm,
  store: (context: Context, respondent: Respondent) => SubmissionOutcome,
  done: (record: ResponseRecord, open: OpenForm) => OutgoingMessage,
): OutgoingMessage {
  try {
    const respondent = respondentOf(context, received, requireOpen(published))
    const stored = store(context, respondent)
    return stored.ok ? done(stored.value, respondent.open) : refusedPage(context, respondent, stored.refusal)
  } catch (error) {
    const { body } = received
    if (!body.fields || body.fields.isEmpty) throw error
    if (error instanceof DraftGoneError) {
      const { published: open } = error
      const submission = readSubmission(context, open, body)
      const gone = { visit: received.visit, submission, open, draft: undefined }
      return refusedPage(context, gone, refuseWithoutDraft(context, gone), error)
    }
    if (!(error instanceof FormClosedError)) throw error
    const { opensAt } = error.published.form
    // Nobody gets the questions of a form before it opens.
    if (opensAt !== null && context.clock.now() < opensAt) throw error
    return closedMeanwhilePage(context, received, body.fields, error)
  }
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

/** Returns the page that respondents would see if this content were published. */
export function previewPage(
  content: FormContent,
  { clock, settings }: Pick<Context, 'clock' | 'settings'>,
  preview: Preview,
): OutgoingMessage {
  const now = clock.now()
  const publication = { ...content, publishedAt: now }
  return formPage({
    // No public link has it: slugs have 8 characters.
    of: { form: { slug: 'preview' }, publication, publicUrl: settings.publicUrl },
    token: undefined,
    submitToken: '',
    query: '',
    file: () => undefined,
    fileMaxBytes: settings.limits.fileMaxBytes,
    startedAt: new Date(now).toISOString(),
    preview,
  })
}
