import { LIMITS } from '@formwire/contract'
import type { Context } from '../context.ts'
import { parseInstant } from '../domain/instant.ts'
import {
  type AnswerRefusal,
  fileIdsOfKept,
  isEmailAddress,
  keepAnswers,
  type Question,
  readAnswers,
  type SubmittedAnswer,
  type ValidAnswers,
  type ValidatedAnswers,
  validateAnswers,
} from '../domain/question/index.ts'
import { type ResponseRecord, responseContent } from '../domain/response.ts'
import { accepted, type Result } from '../domain/result.ts'
import { valueOrThrow } from '../domain/service-error.ts'
import { type JsonObject, readJsonObject, readOptionalJsonObject, receiveWithin } from '../http/body.ts'
import type { IncomingMessage } from '../http/message.ts'
import type { RouteCall } from '../http/router.ts'
import { type NewResponse, storeDraft, storeSubmission } from '../services/store-response.ts'
import { fieldName, valueOfFields } from './form-answers.ts'
import { isFormPost, readFormFields } from './form-body.ts'
import type { FormFields } from './form-fields.ts'
import { metaOf, readVisit, type Visit } from './meta.ts'
import {
  draftVersion,
  findDraft,
  type OpenForm,
  type PublishedForm,
  publishedForm,
  requireOpen,
} from './open-form.ts'
import { assignUploads, claimableUploads, receiveUpload, refusalOfFile } from './uploads.ts'

/** A submission as sent. Parts that the body leaves out are `undefined`. */
export interface Submission {
  readonly answers: readonly SubmittedAnswer[] | undefined
  /** Not validated. */
  readonly email: unknown
  /** When the page was opened, from a hidden field; milliseconds since the epoch, not validated. */
  readonly openedAt?: number | undefined
  /** The one-use token of the page, not validated. Programs that post a form have none. */
  readonly submitToken?: string | undefined
  /** The version of the draft that the page was filled in with (`draftVersion`), not validated. */
  readonly draftVersion?: string | undefined
  /** Errors of refused files of a form post. */
  readonly fileErrors: readonly AnswerRefusal[]
  /** The fields of a form post, with ids in place of files, to fill in the page with errors. */
  readonly fields?: FormFields
}

/** The body of a submission: a form post, or JSON. `json` is `undefined` for an optional body that is empty. */
type ReceivedBody =
  | { readonly fields: FormFields; readonly json?: never }
  | { readonly json: JsonObject | undefined; readonly fields?: never }

/** Name of the hidden field with the one-use token of a page. */
export const SUBMIT_TOKEN_FIELD = 'submit_token'

/** Name of the hidden field with the version of the draft. */
export const DRAFT_VERSION_FIELD = 'draft_version'

/** Maximum number of files in one form post for a question without a maximum. */
const FILES_PER_QUESTION = 5

/** Receives the body of a submission to a form with these questions. A JSON body may be empty if it `isOptional`. */
async function receiveBody(
  context: Context,
  request: IncomingMessage,
  questions: readonly Question[],
  isOptional: boolean,
): Promise<ReceivedBody> {
  if (isFormPost(request)) {
    const fields = await readFormFields(context, request, filesMaxBytes(context, questions))
    // `curl -d ''` sends the Content-Type of a form post without a body; a page always sends fields.
    return isOptional && fields.isEmpty ? { json: undefined } : { fields }
  }
  return receiveWithin(context.bodyBudgets.withoutFiles, request.address, async (reserve) => ({
    json: isOptional
      ? await readOptionalJsonObject(request, LIMITS.bodyMaxBytes, reserve)
      : await readJsonObject(request, LIMITS.bodyMaxBytes, undefined, reserve),
  }))
}

/** Reads a submission from its body. The files of a form post become uploads. */
export function readSubmission(context: Context, open: OpenForm, body: ReceivedBody): Submission {
  return body.fields ? submissionOfFields(context, open, body.fields) : submissionOfJson(body.json ?? {})
}

function submissionOfJson(body: JsonObject): Submission {
  const read = valueOrThrow(readAnswers(body.answers))
  return { answers: body.answers === undefined ? undefined : read, email: body.email, fileErrors: [] }
}

function filesMaxBytes({ settings }: Context, questions: readonly Question[]): number {
  let files = 0
  for (const { type, max } of questions) {
    if (type === 'file') files += typeof max === 'number' ? max : FILES_PER_QUESTION
    if (type === 'signature') files += 1
  }
  // Limits may be Infinity, and 0 * Infinity is NaN.
  return files === 0 ? 0 : Math.min(files * settings.limits.fileMaxBytes, settings.limits.filesTotalMaxBytes)
}

function submissionOfFields(context: Context, open: OpenForm, fields: FormFields): Submission {
  const answers: SubmittedAnswer[] = []
  const fileErrors: AnswerRefusal[] = []
  for (const question of open.publication.questions) {
    if (question.type === 'file' || question.type === 'signature')
      receiveFiles(context, open, question, fields, fileErrors)
    const value = valueOfFields(question, fields)
    if (value !== undefined) answers.push({ question_id: question.id, value })
  }
  return {
    answers,
    // The page has no email field: the email of a draft stays.
    email: fields.has('email') ? fields.text('email') || null : undefined,
    openedAt: parseInstant(fields.text('started_at')),
    submitToken: fields.text(SUBMIT_TOKEN_FIELD) || undefined,
    draftVersion: fields.text(DRAFT_VERSION_FIELD) || undefined,
    fileErrors,
    fields,
  }
}

/** Stores a question's files as uploads and adds their ids to the fields. */
function receiveFiles(
  context: Context,
  { form }: OpenForm,
  question: Question,
  fields: FormFields,
  errors: AnswerRefusal[],
): void {
  const name = fieldName(question)
  // A new signature replaces the previous one.
  if (question.type === 'signature' && fields.files(name).length > 0) fields.clearTexts(name)
  for (const file of fields.files(name)) {
    const refusal = refusalOfFile(context, file)
    if (refusal === undefined) fields.addText(name, receiveUpload(context, form, question.id, file).id)
    else errors.push({ field: question.id, message: refusal })
  }
}

/** A received request to submit a response or to save a draft. */
export interface Received {
  readonly slug: string
  /** Token of the draft to continue. */
  readonly token: string | undefined
  readonly visit: Visit
  readonly body: ReceivedBody
}

/** A submission with its open form and the draft to continue, valid until the next `await`. */
export interface Respondent extends Pick<Received, 'visit'> {
  readonly submission: Submission
  readonly open: OpenForm
  readonly draft: ResponseRecord | undefined
}

/** The response or draft that was stored, or why its answers were refused and nothing has changed. */
export type SubmissionOutcome = Result<ResponseRecord, Refusals>
export type Refusals = readonly [AnswerRefusal, ...AnswerRefusal[]]

/**
 * Receives a submission, or a draft to save. A form post is received before the form is known to be open, and the draft to
 * exist: pressing Submit twice must succeed even if the first response was the last that the form accepts, and a page that is
 * refused comes back with its answers. A JSON body may be empty if it `isOptional`.
 */
export async function receive(context: Context, call: RouteCall, isOptional: boolean): Promise<Received> {
  const { slug = '', token } = call.params
  const published = publishedForm(context, slug)
  if (!isFormPost(call.request)) draftToContinue(context, requireOpen(published), token)
  const visit = await readVisit(call)
  const body = await receiveBody(context, call.request, published.publication.questions, isOptional)
  return { slug, token, visit, body }
}

/** Returns the id of the response that a page of this form became when it was submitted before, `undefined` for a page that was not. */
export function submittedBefore(
  { state, clock }: Context,
  { form }: PublishedForm,
  { body }: Received,
): number | undefined {
  const token = body.fields?.text(SUBMIT_TOKEN_FIELD)
  if (!token) return undefined
  const status = state.submitTokens.statusOf(token, form.id, clock.now())
  return status.kind === 'used' ? status.responseId : undefined
}

/** Finds the draft, and reads the answers. Throws like `findDraft`. */
export function respondentOf(context: Context, { token, visit, body }: Received, open: OpenForm): Respondent {
  const draft = draftToContinue(context, open, token)
  return { visit, open, draft, submission: readSubmission(context, open, body) }
}

const draftToContinue = (context: Context, open: OpenForm, token: string | undefined) =>
  token === undefined ? undefined : findDraft(context, open, token)

/**
 * Submits the sent answers, or else those of the draft, which keeps its start (RESP-09). Uses up the token of the page.
 * Publishes the response to the delivery engine.
 */
export function submit(context: Context, respondent: Respondent): SubmissionOutcome {
  const { open, draft } = respondent
  const checked = check(context, respondent, answersOf(respondent), false)
  if (!checked.ok) return checked
  const response = responseOf(context, respondent, checked.value)
  const record = storeSubmission(context, response, draft ? { draft } : {})
  assignUploads(context, record.id, checked.value.fileIds, draft?.id)
  const { submitToken: token } = respondent.submission
  if (token !== undefined) {
    const used = { token, formId: open.form.id, responseId: record.id }
    context.state.submitTokens.use(used, context.clock.now())
  }
  return accepted(record)
}

/** Saves a new or existing draft. Answers may be missing but must be valid. Sends no event (DLV-01). */
export function save(context: Context, respondent: Respondent): SubmissionOutcome {
  const { open, draft, submission } = respondent
  const submitted = answersOf(respondent)
  const [first] = open.publication.questions
  const isEmpty = submitted.length === 0 && submission.fileErrors.length === 0
  // Of a page. Programs may save a draft before its first answer.
  if (first && isEmpty && !draft && submission.submitToken !== undefined)
    return { ok: false, refusal: [{ field: first.id, message: 'Answer a question before you save.' }] }
  const checked = check(context, respondent, submitted, true)
  if (!checked.ok) return checked
  const { questions } = open.publication
  const kept = keepAnswers(questions, submitted, {
    draft: true,
    file: claimableUploads(context, open.form, draft),
  })
  const record = storeDraft(context, responseOf(context, respondent, checked.value), kept, draft)
  assignUploads(context, record.id, fileIdsOfKept(questions, kept))
  return accepted(record)
}

const answersOf = ({ submission, draft }: Respondent): readonly SubmittedAnswer[] =>
  submission.answers ?? draft?.draft?.answers ?? []

function check(
  context: Context,
  { open, submission, draft: saved }: Respondent,
  submitted: readonly SubmittedAnswer[],
  draft: boolean,
): ValidatedAnswers {
  const file = claimableUploads(context, open.form, saved)
  const texts = context.settings.unspecified.answerTexts
  const checked = validateAnswers(open.publication.questions, submitted, { draft, file, texts })
  const inFiles = new Map(submission.fileErrors.map((error) => [error.field, error]))
  const others = checked.ok ? [] : checked.refusal.filter((error) => !inFiles.has(error.field))
  const [first, ...more] = [
    ...(draft ? [] : pageErrors(context, open, submission)),
    ...draftErrors(submission, saved),
    ...inFiles.values(),
    ...others,
    ...emailErrors(submission.email),
  ]
  return first ? { ok: false, refusal: [first, ...more] } : checked
}

/** A page that may have been submitted before is not stored. Programs that post a form without a token may. */
function pageErrors(
  { state, clock }: Context,
  { form }: OpenForm,
  { submitToken }: Submission,
): AnswerRefusal[] {
  if (submitToken === undefined) return []
  if (state.submitTokens.statusOf(submitToken, form.id, clock.now()).kind === 'unused') return []
  const message = 'This page has expired. Your answers are still here: check them and submit again.'
  return [{ field: SUBMIT_TOKEN_FIELD, message }]
}

/** A page does not replace what was saved since it was opened, unless the respondent, who is told, sends it again. */
function draftErrors(
  { draftVersion: version }: Submission,
  saved: ResponseRecord | undefined,
): AnswerRefusal[] {
  if (version === undefined || !saved || version === draftVersion(saved)) return []
  const message =
    'This draft was saved on another device or in another tab after you opened it here. Your answers are still here, and not saved yet: save or submit again to replace the other version, or open the link of the draft in a new tab to see it.'
  return [{ field: DRAFT_VERSION_FIELD, message }]
}

/** Returns why the answers of a page whose draft is gone are refused. The page may be sent again, as that of a new response. */
export function refuseWithoutDraft(context: Context, respondent: Respondent): Refusals {
  // Finds files, which went with the draft.
  const checked = check(context, respondent, answersOf(respondent), true)
  const message =
    'This draft was submitted or deleted, perhaps on another device. Your answers are still here: submit or save them as another response, or leave this page.'
  return [{ field: DRAFT_VERSION_FIELD, message }, ...(checked.ok ? [] : checked.refusal)]
}

function emailErrors(email: unknown): AnswerRefusal[] {
  if (email === undefined || email === null) return []
  if (typeof email === 'string' && isEmailAddress(email)) return []
  return [{ field: 'email', message: 'Enter an email address, such as name@example.com, or leave it out.' }]
}

function responseOf(
  { clock }: Context,
  { open, submission, visit, draft }: Respondent,
  { answers, score, max_score: maxScore }: ValidAnswers,
): NewResponse {
  const at = clock.now()
  const saved = draft && responseContent(draft)
  const email = submission.email === undefined ? (saved?.email ?? null) : (submission.email as string | null)
  const meta = metaOf(visit, saved?.meta)
  return {
    formId: open.form.id,
    content: { email, score, maxScore, answers, meta },
    startedAt: startOf(submission.openedAt, open, at),
    at,
  }
}

/** Ignores an opening time before the form's publication or in the future: the page sends it, so it is not trusted. */
function startOf(openedAt: number | undefined, { publication }: OpenForm, at: number): number {
  return openedAt !== undefined && openedAt >= publication.publishedAt && openedAt <= at ? openedAt : at
}
