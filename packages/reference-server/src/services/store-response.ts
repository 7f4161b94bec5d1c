import type { SubmittedAnswer } from '@formwire/contract/control'
import type { Given } from '@formwire/internal/given'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import {
  newDraftToken,
  type ResponseContent,
  type ResponseRecord,
  writeResponse,
} from '../domain/response.ts'

/** A response to store: checked and scored. */
export interface NewResponse {
  readonly formId: string
  readonly content: ResponseContent
  readonly startedAt: number
  /** When it was submitted, or a draft was saved. */
  readonly at: number
}

/**
 * Stores a submitted response, counts it, and publishes it unless `deliver` is false. `draft` is the draft that it was
 * submitted from (RESP-09).
 */
export function storeSubmission(
  context: Context,
  response: NewResponse,
  { deliver = true, draft }: { deliver?: boolean; draft?: ResponseRecord } = {},
): ResponseRecord {
  const { state, settings, clock } = context
  const form = formOf(context, response.formId)
  const keepsId = settings.unspecified.submittedDraft === 'sameId'
  const kept = draft && { id: keepsId ? draft.id : undefined, startedAt: draft.startedAt }
  if (draft) state.responses.delete(draft.id)
  const record = put(context, response, { ...kept, status: 'submitted', draft: null })
  const touch = settings.unspecified.touchOnResponse === 'true'
  state.forms.put({
    ...form,
    // Drafts are not counted (FORM-12).
    responseCount: form.responseCount + 1,
    ...(touch && { updatedAt: clock.now() }),
  })
  if (deliver) {
    context.events.emit('change', {
      type: 'response.submitted',
      form: { id: form.id, title: form.title },
      response: record,
    })
  }
  return record
}

/** Stores a new draft, or saves one again with its id, start and token. Publishes nothing (DLV-01). */
export function storeDraft(
  context: Context,
  response: NewResponse,
  answers: readonly SubmittedAnswer[],
  draft?: ResponseRecord,
): ResponseRecord {
  const token = draft?.draft?.token ?? newDraftToken(context.random)
  const { id, startedAt } = draft ?? {}
  return put(context, response, { id, startedAt, status: 'in_progress', draft: { token, answers } })
}

/** Writes a response, with the id and start of the draft that it was, if any. */
function put(
  { state: { responses }, settings }: Context,
  response: NewResponse,
  own: Given<Pick<ResponseRecord, 'id' | 'startedAt'>> & Pick<ResponseRecord, 'status' | 'draft'>,
): ResponseRecord {
  const { id = responses.nextId(), startedAt = response.startedAt, ...rest } = own
  const record = { ...response, ...rest, id, startedAt, sequence: responses.nextSequence() }
  const written = writeResponse(record, settings.unspecified)
  responses.put(written)
  return written
}

/** Deletes a response or draft with its answers and uploads, and lowers the form's count (RESP-04, FORM-12). */
export function deleteResponse({ state, settings, events }: Context, response: ResponseRecord): void {
  if (!state.responses.delete(response.id)) return
  state.uploads.deleteOfResponse(response.id)
  const form = formOf({ state }, response.formId)
  const isCounted = response.status === 'submitted' || settings.unspecified.draftDeletion === 'countLowered'
  // Drafts were never counted, so that with `countLowered` there can be more deletions than responses.
  if (isCounted) state.forms.put({ ...form, responseCount: Math.max(0, form.responseCount - 1) })
  events.emit('change', { type: 'response.deleted', formId: form.id, responseId: response.id })
}

/** Returns the form of a response. That it is missing is a fault of the store, not a 404. */
function formOf({ state }: Pick<Context, 'state'>, id: string): FormRecord {
  const form = state.forms.get(id)
  if (!form) throw new Error(`The response's form ${id} does not exist.`)
  return form
}
