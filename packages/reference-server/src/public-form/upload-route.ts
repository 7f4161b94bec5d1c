import type { Context } from '../context.ts'
import type { Question } from '../domain/question/index.ts'
import { badRequest, invalid } from '../domain/service-error.ts'
import { item } from '../http/json-response.ts'
import type { OutgoingMessage } from '../http/message.ts'
import type { RouteCall } from '../http/router.ts'
import { fieldName } from './form-answers.ts'
import { mediaType, readFormFields } from './form-body.ts'
import type { FormFields } from './form-fields.ts'
import { openForm } from './open-form.ts'
import { tooLarge } from './texts.ts'
import { receiveUpload } from './uploads.ts'

/**
 * `POST /f/{slug}/files`: uploads one file in a multipart body, under any field name. Its question is named by
 * `question_id`, as a field or query parameter, or by the field name of the file; otherwise it is set when an answer claims
 * the file. No route returns the bytes (RESP-10).
 */
export async function upload(
  context: Context,
  { request, params, query }: RouteCall,
): Promise<OutgoingMessage> {
  const slug = params.slug ?? ''
  openForm(context, slug)
  if (mediaType(request) !== 'multipart/form-data')
    throw badRequest('The Content-Type of an upload must be multipart/form-data.')
  const fields = await readFormFields(context, request, context.settings.limits.fileMaxBytes)
  const { form, publication } = openForm(context, slug)
  const named = fields.text('question_id') || query.get('question_id')
  const questionId = named
    ? questionOf(publication.questions, named)
    : questionOfField(publication.questions, fields)
  const [file, ...others] = fields.allFiles()
  if (!file) throw invalid('file', 'The body contains no file.')
  if (others.length > 0) throw invalid('file', 'Send one file per request.')
  if (file.size > context.settings.limits.fileMaxBytes)
    throw badRequest(tooLarge(context.settings.limits.fileMaxBytes))
  return item(receiveUpload(context, form, questionId, file), 201)
}

/** Finds the question by its field name, `q[ID]`. */
function questionOfField(questions: readonly Question[], fields: FormFields): string | null {
  const takesFiles = questions.filter(({ type }) => type === 'file' || type === 'signature')
  return takesFiles.find((question) => fields.files(fieldName(question)).length > 0)?.id ?? null
}

function questionOf(questions: readonly Question[], id: string): string {
  const question = questions.find((candidate) => candidate.id === id)
  if (question?.type === 'file' || question?.type === 'signature') return id
  throw invalid('question_id', 'question_id must be the id of a file or signature question of this form.')
}
