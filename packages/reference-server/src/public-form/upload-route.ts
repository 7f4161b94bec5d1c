import type { Context } from '../context.ts'
import type { Question } from '../domain/question/index.ts'
import { item } from '../http/answers.ts'
import { badRequest, invalid } from '../http/errors.ts'
import type { OutgoingMessage } from '../http/message.ts'
import type { RouteCall } from '../http/route.ts'
import { tooLarge } from './file-size.ts'
import { fieldName } from './form-answers.ts'
import { readFormFields } from './form-body.ts'
import type { FormFields } from './form-fields.ts'
import { mediaType } from './negotiate.ts'
import { openForm } from './open-form.ts'
import { receiveUpload } from './uploads.ts'

/**
 * `POST /f/{slug}/files`: one file in a multipart body, under any field name. `question_id`, as a field or a query
 * parameter, names the question that it is for, and so does the question's own field name; without any of them the
 * answer that claims the file settles that.
 */
export async function upload(
  context: Context,
  { request, params, query }: RouteCall,
): Promise<OutgoingMessage> {
  const slug = params.slug ?? ''
  openForm(context, slug)
  if (mediaType(request) !== 'multipart/form-data') {
    throw badRequest('A file has to be sent with Content-Type: multipart/form-data.')
  }
  const fields = await readFormFields(request, context.settings.limits.fileMaxBytes)
  const { form, publication } = openForm(context, slug)
  const named = fields.text('question_id') || query.get('question_id')
  const questionId = named
    ? questionOf(publication.questions, named)
    : questionOfField(publication.questions, fields)
  const [file, ...others] = fields.allFiles()
  if (!file) throw invalid('file', 'The body has no file.')
  if (others.length > 0) throw invalid('file', 'Send one file at a time.')
  if (file.size > context.settings.limits.fileMaxBytes)
    throw badRequest(tooLarge(context.settings.limits.fileMaxBytes))
  return item(receiveUpload(context, form, questionId, file), 201)
}

/** `q[ID]` of the plain form. */
function questionOfField(questions: readonly Question[], fields: FormFields): string | null {
  const takesFiles = questions.filter(({ type }) => type === 'file' || type === 'signature')
  return takesFiles.find((question) => fields.files(fieldName(question)).length > 0)?.id ?? null
}

function questionOf(questions: readonly Question[], id: string): string {
  const question = questions.find((candidate) => candidate.id === id)
  if (question?.type === 'file' || question?.type === 'signature') return id
  throw invalid('question_id', 'question_id takes the id of a file or signature question of this form.')
}
