import { isKnownAnswer, type UploadedFile } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import type { FileLookup, Question } from '../domain/question/index.ts'
import { type ResponseRecord, responseContent } from '../domain/response.ts'
import { badRequest, invalid } from '../domain/service-error.ts'
import { item } from '../http/json-response.ts'
import type { OutgoingMessage } from '../http/message.ts'
import type { RouteCall } from '../http/router.ts'
import { randomText } from '../random.ts'
import { UPLOADS_MAX } from '../resource-limits.ts'
import { UNCLAIMED_UPLOAD_MS, type UploadRecord } from '../store/uploads.ts'
import { fieldName } from './form-answers.ts'
import { mediaType, readFormFields } from './form-body.ts'
import type { FilePart, FormFields } from './form-fields.ts'
import { openForm } from './open-form.ts'
import { noSpaceLeft, tooLarge, tooManyUploads } from './texts.ts'

/** Characters of an upload's id after `file_`. The id is enough to claim a file, so it must not be guessable. */
const ID_LENGTH = 24
/** Maximum length of a stored file name, in Unicode code points. */
const NAME_MAX_LENGTH = 255
/** Part of a file name that is read, in UTF-16 units: more than is stored, since control characters are removed. */
const NAME_READ_LENGTH = 1024

/** Returns why a file is refused, as a sentence for the respondent; `undefined` if it is accepted. */
export function refusalOfFile({ state, settings, clock }: Context, file: FilePart): string | undefined {
  const { fileMaxBytes, filesTotalMaxBytes } = settings.limits
  if (file.size > fileMaxBytes) return tooLarge(fileMaxBytes)
  state.uploads.expire(clock.now())
  if (state.uploads.totalBytes + file.size > filesTotalMaxBytes) return noSpaceLeft(filesTotalMaxBytes)
  return state.uploads.count < UPLOADS_MAX ? undefined : tooManyUploads(UPLOADS_MAX)
}

/** Stores a file until an answer claims it, for up to an hour. Throws 422 field `file` for a refused file. */
export function receiveUpload(
  context: Context,
  form: FormRecord,
  questionId: string | null,
  file: FilePart,
): UploadedFile {
  const refusal = refusalOfFile(context, file)
  if (refusal !== undefined) throw invalid('file', refusal)
  const { state, clock, random } = context
  const uploaded = {
    id: `file_${randomText(random, ID_LENGTH)}`,
    name: plainName(file.name),
    size: file.size,
  }
  state.uploads.put({ ...uploaded, formId: form.id, questionId, uploadedAt: clock.now(), responseId: null })
  return uploaded
}

/** Returns the last part of a path, without control characters; `file` if it names a folder. */
function plainName(path: string): string {
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const name = last
    .slice(0, NAME_READ_LENGTH)
    .replace(/\p{Cc}/gu, '')
    .trim()
  return ['', '.', '..'].includes(name) ? 'file' : [...name].slice(0, NAME_MAX_LENGTH).join('')
}

/**
 * Returns a lookup of the uploads that answers may claim: those of the last hour for this form and question, and those of
 * the draft. A file claimed for one question is not available to another.
 */
export function claimableUploads(
  { state, clock }: Context,
  form: FormRecord,
  draft: ResponseRecord | undefined,
): FileLookup {
  const now = clock.now()
  const claimedFor = new Map<string, string>()
  const isClaimable = (upload: UploadRecord, questionId: string): boolean =>
    upload.formId === form.id &&
    (upload.questionId ?? questionId) === questionId &&
    (upload.responseId === null
      ? now < upload.uploadedAt + UNCLAIMED_UPLOAD_MS
      : upload.responseId === draft?.id)
  const held = heldFiles(draft)
  return (questionId, { id }) => {
    if (typeof id !== 'string' || (claimedFor.get(id) ?? questionId) !== questionId) return undefined
    const upload = state.uploads.get(id)
    const file = upload && isClaimable(upload, questionId) ? upload : held.get(questionId)?.get(id)
    if (!file) return undefined
    claimedFor.set(id, questionId)
    return { id, name: file.name, size: file.size }
  }
}

/** Returns the files in a draft's answers, by question. Drafts from a seed or a back-fill have files without uploads. */
function heldFiles(
  draft: ResponseRecord | undefined,
): ReadonlyMap<string, ReadonlyMap<string, UploadedFile>> {
  const answers = draft ? responseContent(draft).answers : []
  return new Map(
    answers.filter(isKnownAnswer).flatMap(({ question_id, type, value }) => {
      if (type !== 'file' && type !== 'signature') return []
      return [[question_id, new Map(value.map((file) => [file.id, file]))] as const]
    }),
  )
}

/**
 * Assigns the uploads in its answers to a response, and deletes uploads that only its earlier version, or its draft,
 * used.
 */
export function assignUploads(
  { state }: Context,
  responseId: number,
  fileIds: readonly string[],
  draftId = responseId,
): void {
  const kept = new Set(fileIds)
  for (const upload of state.uploads.ofResponse(draftId))
    if (!kept.has(upload.id)) state.uploads.delete(upload.id)
  for (const id of kept) {
    const upload = state.uploads.get(id)
    if (upload) state.uploads.put({ ...upload, responseId })
  }
}

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
