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
import { receiveWithin } from '../http/bodies-in-flight.ts'
import { type JsonObject, readJsonObject, readOptionalJsonObject } from '../http/body.ts'
import type { IncomingMessage } from '../http/message.ts'
import { fieldName, valueOfFields } from './form-answers.ts'
import { readFormFields } from './form-body.ts'
import type { FormFields } from './form-fields.ts'
import { isFormPost } from './negotiate.ts'
import { type OpenForm, openForm } from './open-form.ts'
import { receiveUpload, refusalOfFile } from './uploads.ts'

/** A submission as sent. Parts that the body leaves out are `undefined`. */
export interface Submission {
  readonly answers: readonly SubmittedAnswer[] | undefined
  /** Not validated. */
  readonly email: unknown
  /** When the page was opened, from a hidden field; milliseconds since the epoch, not validated. */
  readonly openedAt: number | undefined
  /** Errors of refused files of a form post. */
  readonly fileErrors: readonly AnswerRefusal[]
  /** The fields of a form post, with ids in place of files, to fill in the page with errors. */
  readonly fields?: FormFields
}

/** Maximum number of files in one form post for a question without a maximum. */
const FILES_PER_QUESTION = 5

/**
 * Reads a submission to the form at `slug` from JSON or from a form post, whose files become uploads. Throws like
 * `openForm` if the form closes before the body has been received.
 */
export async function readSubmission(
  context: Context,
  slug: string,
  request: IncomingMessage,
): Promise<Submission> {
  if (isFormPost(request)) return readFormPost(context, slug, request)
  return receiveWithin(context.bodyBudgets.withoutFiles, async (reserve) =>
    submissionOfJson(await readJsonObject(request, LIMITS.bodyMaxBytes, undefined, reserve)),
  )
}

/** Like `readSubmission`, for an optional body. An empty body leaves out all parts. */
export async function readOptionalSubmission(
  context: Context,
  slug: string,
  request: IncomingMessage,
): Promise<Submission> {
  if (!isFormPost(request))
    return receiveWithin(context.bodyBudgets.withoutFiles, async (reserve) =>
      submissionOfJson((await readOptionalJsonObject(request, LIMITS.bodyMaxBytes, reserve)) ?? {}),
    )
  const submission = await readFormPost(context, slug, request)
  // `curl -d ''` sends the Content-Type of a form post without a body; a page always sends fields.
  return submission.fields?.isEmpty ? submissionOfJson({}) : submission
}

function submissionOfJson(body: JsonObject): Submission {
  const read = valueOrThrow(readAnswers(body.answers))
  const answers = body.answers === undefined ? undefined : read
  return { answers, email: body.email, openedAt: undefined, fileErrors: [] }
}

async function readFormPost(context: Context, slug: string, request: IncomingMessage): Promise<Submission> {
  const maxBytes = filesMaxBytes(context, openForm(context, slug).publication.questions)
  const fields = await readFormFields(context, request, maxBytes)
  return submissionOfFields(context, openForm(context, slug), fields)
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
    if (question.type === 'file' || question.type === 'signature') {
      receiveFiles(context, open, question, fields, fileErrors)
    }
    const value = valueOfFields(question, fields)
    if (value !== undefined) answers.push({ question_id: question.id, value })
  }
  return {
    answers,
    // The page has no email field: the email of a draft stays.
    email: fields.has('email') ? fields.text('email') || null : undefined,
    openedAt: parseInstant(fields.text('started_at')),
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
