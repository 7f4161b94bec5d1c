import { isKnownAnswer, type UploadedFile } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import type { FileLookup } from '../domain/question/index.ts'
import { type ResponseRecord, responseContent } from '../domain/response.ts'
import { invalid } from '../http/errors.ts'
import { randomText } from '../random.ts'
import { UNCLAIMED_UPLOAD_MS, type UploadRecord } from '../store/uploads.ts'
import { noRoom, tooLarge } from './file-size.ts'

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
  if (file.size > fileMaxBytes) return tooLarge(fileMaxBytes)
  state.uploads.expire(clock.now())
  if (state.uploads.totalBytes + file.size > filesTotalMaxBytes) {
    return noRoom(filesTotalMaxBytes)
  }
  return undefined
}

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
 * The uploads that answers to a form may claim: made for this form and question within the hour, or held by the draft
 * already. One claimed for a question is not there for another.
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

/** Files that a draft holds without an upload, since it was seeded or filled in behind the public link; by question. */
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
