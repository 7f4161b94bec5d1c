import type { EventResponse } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import {
  type ResponseContent,
  type ResponseRecord,
  type SubmittedAnswer,
  writeResponse,
} from '../domain/response.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { randomText } from '../random.ts'

/** A response to be stored: checked, scored, and ready to be rendered. */
export interface NewResponse {
  readonly formId: string
  readonly content: ResponseContent
  readonly startedAt: number
  /** When it was submitted; for a draft: saved. */
  readonly at: number
}

/**
 * Stores a submitted response, counts it, and tells the delivery engine unless `deliver` is false. `draft` is the
 * draft that it grew out of: id and start stay (RESP-09).
 */
export function storeSubmission(
  context: Context,
  response: NewResponse,
  { deliver = true, draft }: { deliver?: boolean; draft?: ResponseRecord } = {},
): ResponseRecord {
  const { state, settings } = context
  const form = formOf(context, response.formId)
  const record = writeResponse(
    {
      id: draft?.id ?? state.responses.nextId(),
      formId: response.formId,
      status: 'submitted',
      startedAt: draft?.startedAt ?? response.startedAt,
      at: response.at,
      sequence: state.responses.nextSequence(),
      content: response.content,
      draft: null,
    },
    settings.unspecified,
  )
  state.responses.put(record)
  countResponse(context, form, 1, settings.unspecified.touchOnResponse === 'true')
  if (deliver) {
    context.publish({
      type: 'response.submitted',
      form: { id: form.id, title: form.title },
      response: eventResponse(context, record, response.content),
      submittedAt: record.at,
    })
  }
  return record
}

/** Stores a new draft, or saves one again: id, start and token stay. Sends nothing (DLV-01). */
export function storeDraft(
  context: Context,
  response: NewResponse,
  answers: readonly SubmittedAnswer[],
  draft?: ResponseRecord,
): ResponseRecord {
  const { state, settings, random } = context
  formOf(context, response.formId)
  const record = writeResponse(
    {
      id: draft?.id ?? state.responses.nextId(),
      formId: response.formId,
      status: 'in_progress',
      startedAt: draft?.startedAt ?? response.startedAt,
      at: response.at,
      sequence: state.responses.nextSequence(),
      content: response.content,
      draft: { token: draft?.draft?.token ?? randomText(random, DRAFT_TOKEN_LENGTH), answers },
    },
    settings.unspecified,
  )
  state.responses.put(record)
  return record
}

/** Deletes a response or draft for good, its uploads too; a submitted one lowers the form's count (RESP-04, FORM-12). */
export function deleteResponse(context: Context, response: ResponseRecord): void {
  if (!context.state.responses.delete(response.id)) return
  context.state.uploads.deleteOfResponse(response.id)
  if (response.status === 'submitted') countResponse(context, formOf(context, response.formId), -1, false)
  context.publish({ type: 'response.deleted', formId: response.formId, responseId: response.id })
}

const DRAFT_TOKEN_LENGTH = 32

function formOf(context: Context, id: string): FormRecord {
  const form = context.state.forms.get(id)
  if (!form) throw new Error(`form ${id} is gone: a response belongs to a form of the same state`)
  return form
}

function countResponse({ state, clock }: Context, form: FormRecord, change: number, touch: boolean): void {
  const touched = touch ? { updatedAt: clock.now(), revision: state.forms.nextRevision() } : {}
  state.forms.put({ ...form, responseCount: form.responseCount + change, ...touched })
}

function eventResponse(
  { settings }: Context,
  record: ResponseRecord,
  content: ResponseContent,
): EventResponse {
  return {
    id: record.id,
    submitted_at: formatTimestamp(record.at, settings.unspecified.timestamps),
    answers: [...content.answers],
    score: content.score,
    max_score: content.maxScore,
    meta: content.meta,
  }
}
