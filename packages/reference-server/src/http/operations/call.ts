import type { KnownWorkspaceRole } from '@formwire/contract'
import type { Context } from '../../context.ts'
import type { FormRecord } from '../../domain/form.ts'
import type { ApiKey } from '../../domain/key.ts'
import type { User, Workspace } from '../../domain/person.ts'
import type { ResponseRecord } from '../../domain/response.ts'
import { notFound } from '../../domain/service-error.ts'
import { readId } from '../parameters.ts'
import type { Route, RouteCall } from '../router.ts'

/** The caller: its key and what determines the key's rights. */
export interface Caller {
  readonly key: ApiKey
  readonly user: User
  readonly workspace: Workspace
  readonly role: KnownWorkspaceRole
}

/** The arguments of an API operation. Key, rate limit, plan, scope and role have been checked. */
export interface ApiCall extends RouteCall {
  readonly caller: Caller
}

/** A row of the API's route table. GET requires read access, every other method write access (AUTH-03). */
export type ApiRoute = Route<ApiCall>

/** Returns the form in the path. Throws the same 404 for an unknown form and for another workspace's (AUTH-12, FORM-03). */
export function findForm(context: Context, { caller, params }: ApiCall): FormRecord {
  const form = context.state.forms.get(params.id ?? '')
  if (!form || form.workspaceId !== caller.workspace.id) throw notFound()
  if (form.trashedAt !== null && context.settings.unspecified.trashedById === '404') throw notFound()
  return form
}

/** Returns the response in the path. Throws 404 unless it belongs to this form (RESP-03). */
export function findResponse(context: Context, form: FormRecord, { params }: ApiCall): ResponseRecord {
  const id = readId(params.responseId)
  const response = id === undefined ? undefined : context.state.responses.get(id)
  if (response?.formId !== form.id) throw notFound()
  return response
}
