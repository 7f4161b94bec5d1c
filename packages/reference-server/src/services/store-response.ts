import type { SubmittedAnswer } from '@formwire/contract/control'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import {
  keptOfDraft,
  newDraftToken,
  type ResponseContent,
  type ResponseRecord,
  writeResponse,
} from '../domain/response.ts'
import { deleteResponseOf } from '../domain/response-deletion.ts'

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
  const kept = draft && keptOfDraft(draft, settings.unspecified)
  if (draft) state.responses.delete(draft.id)
  const record = writeResponse(
    {
      ...response,
      id: kept?.id ?? state.responses.nextId(),
      status: 'submitted',
      startedAt: kept?.startedAt ?? response.startedAt,
      sequence: state.responses.nextSequence(),
      draft: null,
    },
    settings.unspecified,
  )
  state.responses.put(record)
  const touch = settings.unspecified.touchOnResponse === 'true'
  state.forms.put({
    ...form,
    // Drafts are not counted (FORM-12).
    responseCount: form.responseCount + 1,
    ...(touch && { updatedAt: clock.now() }),
  })
  if (deliver) {
    context.events.publish({
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
  const { state, settings, random } = context
  const record = writeResponse(
    {
      ...response,
      id: draft?.id ?? state.responses.nextId(),
      status: 'in_progress',
      startedAt: draft?.startedAt ?? response.startedAt,
      sequence: state.responses.nextSequence(),
      draft: { token: draft?.draft?.token ?? newDraftToken(random), answers },
    },
    settings.unspecified,
  )
  state.responses.put(record)
  return record
}

/** Deletes a response or draft with its answers and uploads, and lowers the form's count (RESP-04, FORM-12). */
export function deleteResponse({ state, settings, events }: Context, response: ResponseRecord): void {
  if (!state.responses.delete(response.id)) return
  state.uploads.deleteOfResponse(response.id)
  const { form, event } = deleteResponseOf(formOf({ state }, response.formId), response, settings.unspecified)
  state.forms.put(form)
  events.publish(event)
}

/** Returns the form of a response. That it is missing is a fault of the store, not a 404. */
function formOf({ state }: Pick<Context, 'state'>, id: string): FormRecord {
  const form = state.forms.get(id)
  if (!form) throw new Error(`The response's form ${id} does not exist.`)
  return form
}
