import { LIMITS } from '@formwire/contract'
import type { Context } from '../context.ts'
import {
  type AnswerError,
  type Question,
  readAnswers,
  type SubmittedAnswer,
} from '../domain/question/index.ts'
import { type JsonObject, readJsonObject, readOptionalJsonObject } from '../http/body.ts'
import { invalid } from '../http/errors.ts'
import { parseInstant } from '../http/instant.ts'
import type { IncomingMessage } from '../http/message.ts'
import { fieldName, valueOfFields } from './form-answers.ts'
import { readFormFields } from './form-body.ts'
import type { FormFields } from './form-fields.ts'
import { isFormPost } from './negotiate.ts'
import { type OpenForm, openForm } from './open-form.ts'
import { receiveUpload, refusalOfFile } from './uploads.ts'

/** What a respondent sent. A part that the body leaves out is `undefined`. */
export interface Submission {
  readonly answers: readonly SubmittedAnswer[] | undefined
  /** Not checked yet. */
  readonly email: unknown
  /** When the page was opened, as the plain form carries it along; milliseconds since the epoch, not checked. */
  readonly openedAt: number | undefined
  /** Files of a form post that were not taken. */
  readonly fileErrors: readonly AnswerError[]
  /** What the form post said, with the ids of its files: a page with errors keeps it. */
  readonly fields?: FormFields
}

/** How many files of a question without a maximum fit into one form post. */
const FILES_A_QUESTION = 5

/**
 * Reads a submission to the form at `slug` from JSON or from a form post; files of the latter become uploads at once.
 * Throws as `openForm` does when the form closes before the body has arrived.
 */
export async function readSubmission(
  context: Context,
  slug: string,
  request: IncomingMessage,
): Promise<Submission> {
  if (isFormPost(request)) return readFormPost(context, slug, request)
  return submissionOfJson(await readJsonObject(request, LIMITS.bodyMaxBytes))
}

/** As `readSubmission`; a request without any body counts as one that leaves everything out. */
export async function readOptionalSubmission(
  context: Context,
  slug: string,
  request: IncomingMessage,
): Promise<Submission> {
  if (!isFormPost(request))
    return submissionOfJson((await readOptionalJsonObject(request, LIMITS.bodyMaxBytes)) ?? {})
  const submission = await readFormPost(context, slug, request)
  // `curl -d ''` names the type of a form post and has no body; a page always sends something.
  return submission.fields?.isEmpty ? submissionOfJson({}) : submission
}

function submissionOfJson(body: JsonObject): Submission {
  const read = readAnswers(body.answers)
  if (!read.ok) throw invalid(read.errors[0].field, read.errors[0].message)
  const answers = body.answers === undefined ? undefined : read.answers
  return { answers, email: body.email, openedAt: undefined, fileErrors: [] }
}

async function readFormPost(context: Context, slug: string, request: IncomingMessage): Promise<Submission> {
  const maxBytes = filesMaxBytes(context, openForm(context, slug).publication.questions)
  const fields = await readFormFields(request, maxBytes)
  return submissionOfFields(context, openForm(context, slug), fields)
}

function filesMaxBytes({ settings }: Context, questions: readonly Question[]): number {
  let files = 0
  for (const { type, max } of questions) {
    if (type === 'file') files += typeof max === 'number' ? max : FILES_A_QUESTION
    if (type === 'signature') files += 1
  }
  // Limits may be off, and none of an infinite size is not a number.
  return files === 0 ? 0 : Math.min(files * settings.limits.fileMaxBytes, settings.limits.filesTotalMaxBytes)
}

function submissionOfFields(context: Context, open: OpenForm, fields: FormFields): Submission {
  const answers: SubmittedAnswer[] = []
  const fileErrors: AnswerError[] = []
  for (const question of open.publication.questions) {
    if (question.type === 'file' || question.type === 'signature') {
      receiveFiles(context, open, question, fields, fileErrors)
    }
    const value = valueOfFields(question, fields)
    if (value !== undefined) answers.push({ question_id: question.id, value })
  }
  return {
    answers,
    // The page has no such field of its own: an email that a draft was saved with stays.
    email: fields.has('email') ? fields.text('email') || null : undefined,
    openedAt: parseInstant(fields.text('started_at')),
    fileErrors,
    fields,
  }
}

/** Makes uploads of a question's files and puts their ids in the place of the files. */
function receiveFiles(
  context: Context,
  { form }: OpenForm,
  question: Question,
  fields: FormFields,
  errors: AnswerError[],
): void {
  const name = fieldName(question)
  // A new signature takes the place of the one that was there.
  if (question.type === 'signature' && fields.files(name).length > 0) fields.clearTexts(name)
  for (const file of fields.files(name)) {
    const refusal = refusalOfFile(context, file)
    if (refusal === undefined) fields.addText(name, receiveUpload(context, form, question.id, file).id)
    else errors.push({ field: question.id, message: refusal })
  }
}
