import { LIMITS } from '@formwire/contract'
import type { Context } from '../context.ts'
import { parseInstant } from '../domain/instant.ts'
import {
  type AnswerRefusal,
  type Question,
  readAnswers,
  type SubmittedAnswer,
} from '../domain/question/index.ts'
import { valueOrThrow } from '../domain/service-error.ts'
import { type JsonObject, readJsonObject, readOptionalJsonObject, receiveWithin } from '../http/body.ts'
import type { IncomingMessage } from '../http/message.ts'
import { fieldName, valueOfFields } from './form-answers.ts'
import { readFormFields } from './form-body.ts'
import type { FormFields } from './form-fields.ts'
import { isFormPost } from './negotiate.ts'
import type { OpenForm } from './open-form.ts'
import { receiveUpload, refusalOfFile } from './uploads.ts'

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
export type ReceivedBody =
  | { readonly fields: FormFields; readonly json?: never }
  | { readonly json: JsonObject | undefined; readonly fields?: never }

/** Name of the hidden field with the one-use token of a page. */
export const SUBMIT_TOKEN_FIELD = 'submit_token'

/** Name of the hidden field with the version of the draft. */
export const DRAFT_VERSION_FIELD = 'draft_version'

/** Maximum number of files in one form post for a question without a maximum. */
const FILES_PER_QUESTION = 5

/** Receives the body of a submission to a form with these questions. A JSON body may be empty if it `isOptional`. */
export async function receiveBody(
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
