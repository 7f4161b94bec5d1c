import type { Context } from '../../context.ts'
import type { FormRecord } from '../../domain/form.ts'
import type { ResponseRecord } from '../../domain/response.ts'
import { notFound } from '../errors.ts'
import { readId } from '../parameters.ts'
import type { ApiCall } from './call.ts'

/** The form of the path, if the key reaches it. Throws the one 404 for all else (AUTH-12, FORM-03). */
export function findForm(context: Context, { caller, params }: ApiCall): FormRecord {
  const form = context.state.forms.get(params.id ?? '')
  if (!form || form.workspaceId !== caller.workspace.id) throw notFound()
  if (form.trashedAt !== null && context.settings.unspecified.trashedById === '404') throw notFound()
  return form
}

/** The response of the path, if it is one of this form's (RESP-03). */
export function findResponse(context: Context, form: FormRecord, { params }: ApiCall): ResponseRecord {
  const id = readId(params.responseId)
  const response = id === undefined ? undefined : context.state.responses.get(id)
  if (response?.formId !== form.id) throw notFound()
  return response
}
