import type { UploadedFile } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import type { FileLookup } from '../domain/question/index.ts'
import { invalid } from '../http/errors.ts'
import { randomText } from '../random.ts'
import { UNCLAIMED_UPLOAD_MS } from '../store/uploads.ts'

/** Characters of an upload's id after `file_`: it is all that a claim needs, so it cannot be guessed. */
const ID_LENGTH = 24
/** Longest file name that is kept, in Unicode code points. */
const NAME_MAX_LENGTH = 255

/** A file as it arrived. */
export interface ReceivedFile {
  readonly name: string
  readonly size: number
}

/** Why a file is not taken, as a sentence for a person; `undefined` for one that is. */
export function refusalOfFile({ state, settings, clock }: Context, file: ReceivedFile): string | undefined {
  const { fileMaxBytes, filesTotalMaxBytes } = settings.limits
  if (file.size > fileMaxBytes)
    return `The file is too large: it may have up to ${inMebibytes(fileMaxBytes)}.`
  state.uploads.expire(clock.now())
  if (state.uploads.totalBytes + file.size > filesTotalMaxBytes) {
    return `There is no room for the file: all uploads together may have ${inMebibytes(filesTotalMaxBytes)}.`
  }
  return undefined
}

const inMebibytes = (bytes: number): string => `${Math.round((bytes / 1_048_576) * 100) / 100} MiB`

/** Keeps a file for an hour, until an answer claims it. Throws 422 field `file` for one that is not taken. */
export function receiveUpload(
  context: Context,
  form: FormRecord,
  questionId: string | null,
  file: ReceivedFile,
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

/** The last part of a path, without control characters. */
function plainName(name: string): string {
  const last =
    name
      .replace(/\p{Cc}/gu, '')
      .split(/[/\\]/)
      .at(-1)
      ?.trim() ?? ''
  return [...last].slice(0, NAME_MAX_LENGTH).join('') || 'file'
}

/**
 * The uploads that answers to a form may claim: made for this form and question within the hour, or claimed already by
 * the draft itself. One claimed for a question is not there for another.
 */
export function claimableUploads(
  { state, clock }: Context,
  form: FormRecord,
  draftId: number | undefined,
): FileLookup {
  const now = clock.now()
  const claimedFor = new Map<string, string>()
  return (questionId, { id }) => {
    const upload = typeof id === 'string' ? state.uploads.get(id) : undefined
    if (!upload || upload.formId !== form.id || (upload.questionId ?? questionId) !== questionId)
      return undefined
    const isFree = upload.responseId === null && now < upload.uploadedAt + UNCLAIMED_UPLOAD_MS
    if (!isFree && (upload.responseId === null || upload.responseId !== draftId)) return undefined
    if ((claimedFor.get(upload.id) ?? questionId) !== questionId) return undefined
    claimedFor.set(upload.id, questionId)
    return { id: upload.id, name: upload.name, size: upload.size }
  }
}

/** Gives a response the uploads that its answers name, and drops those that it named before and no longer does. */
export function settleUploads({ state }: Context, responseId: number, fileIds: readonly string[]): void {
  const kept = new Set(fileIds)
  for (const upload of state.uploads.ofResponse(responseId))
    if (!kept.has(upload.id)) state.uploads.delete(upload.id)
  for (const id of kept) {
    const upload = state.uploads.get(id)
    if (upload) state.uploads.put({ ...upload, responseId })
  }
}
