import { FORM_STATUSES, LIMITS, type Me, RESPONSE_STATUSES } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import { applyFormPatch, readFormPatch } from '../domain/form-update.ts'
import { createFormWriter } from '../domain/form-wire.ts'
import type { ResponseRecord } from '../domain/response.ts'
import { notFound, valueOrThrow } from '../domain/service-error.ts'
import type { EndpointRecord } from '../domain/webhook-endpoint.ts'
import type { Endpoints } from '../services/endpoints.ts'
import { deleteResponse } from '../services/store-response.ts'
import { readJsonObject } from './body.ts'
import { cachedItem, cachedList, item, jsonItem, jsonList, noContent } from './json-response.ts'
import { readChoice, readId, readPage, readSince, refusePastEnd, refuseUnknown } from './parameters.ts'
import { type Route, type RouteCall, route } from './router.ts'
import type { Caller } from './stages/authenticate.ts'

/** The arguments of an API operation. Key, rate limit, plan, scope and role have been checked. */
interface ApiCall extends RouteCall {
  readonly caller: Caller
}

/** A row of the API's route table. GET requires read access, every other method write access (AUTH-03). */
export type ApiRoute = Route<ApiCall>

/** The operations of version 1. */
export const apiRoutes = (context: Context, webhooks: Endpoints): readonly ApiRoute[] => [
  ...meRoutes(context),
  ...formRoutes(context),
  ...responseRoutes(context),
  ...webhookRoutes(context, webhooks),
]

/** `GET /me` (ME-01). */
const meRoutes = ({ settings }: Context): ApiRoute[] => [
  route('GET', '/api/v1/me', ({ caller: { user, workspace, role, key }, query }) => {
    refuseUnknown(settings.unspecified, query.keys(), [])
    const me: Me = {
      user: { id: user.id, name: user.name, email: user.email },
      workspace: { id: workspace.id, name: workspace.name, role },
      key: { id: key.id, name: key.name, prefix: key.prefix, scope: key.scope },
    }
    return item(me)
  }),
]

/** `GET /forms`, `GET` and `PATCH /forms/{id}`. */
function formRoutes(context: Context): ApiRoute[] {
  const { unspecified } = context.settings
  const write = createFormWriter(context.settings)
  return [
    route('GET', '/api/v1/forms', ({ query, caller }) => {
      refuseUnknown(unspecified, query.keys(), ['status', 'page', 'per_page'])
      const status = readChoice(query, 'status', FORM_STATUSES)
      const page = readPage(query)
      const now = context.clock.now()
      const { forms } = context.state
      const { items, total } = forms.list(caller.workspace.id, status, now, page.from, page.perPage)
      refusePastEnd(unspecified, page, total)
      const texts = items.map((form) => write(form, now))
      return jsonList(texts, page, total)
    }),
    route('GET', '/api/v1/forms/:id', (call) => {
      const form = findForm(context, call)
      refuseUnknown(unspecified, call.query.keys(), [])
      return jsonItem(write(form, context.clock.now()))
    }),
    route('PATCH', '/api/v1/forms/:id', async (call) => {
      findForm(context, call)
      refuseUnknown(unspecified, call.query.keys(), [])
      const body = await readJsonObject(call.request, LIMITS.bodyMaxBytes, unspecified)
      refuseUnknown(unspecified, Object.keys(body), ['status', 'title'])
      const patch = valueOrThrow(readFormPatch(body, unspecified))
      // Looked up again: the form may have changed while the body was received.
      const form = findLiveForm(context, call)
      const now = context.clock.now()
      const patched = valueOrThrow(applyFormPatch(form, patch, now, unspecified))
      const updated = { ...patched, revision: context.state.forms.nextRevision() }
      context.state.forms.put(updated)
      return jsonItem(write(updated, now))
    }),
  ]
}

/** `GET /forms/{id}/responses`, `GET` and `DELETE` of one. */
const responseRoutes = (context: Context): ApiRoute[] => [
  route('GET', '/api/v1/forms/:id/responses', (call) => {
    const { query } = call
    const form = findForm(context, call)
    const { unspecified } = context.settings
    refuseUnknown(unspecified, query.keys(), ['status', 'since', 'page', 'per_page'])
    const status = readChoice(query, 'status', RESPONSE_STATUSES) ?? 'submitted'
    const since = readSince(query)
    const page = readPage(query)
    const { items, total } = context.state.responses.list(form.id, status, since, page.from, page.perPage)
    refusePastEnd(unspecified, page, total)
    return cachedList(items, page, total)
  }),
  route('GET', '/api/v1/forms/:id/responses/:responseId', (call) => {
    const response = findResponse(context, findForm(context, call), call)
    refuseUnknown(context.settings.unspecified, call.query.keys(), [])
    return cachedItem(response)
  }),
  route('DELETE', '/api/v1/forms/:id/responses/:responseId', (call) => {
    const response = findResponse(context, findForm(context, call), call)
    refuseUnknown(context.settings.unspecified, call.query.keys(), [])
    deleteResponse(context, response)
    return item({ id: response.id, deleted: true })
  }),
]

/** `GET` and `POST /forms/{id}/webhooks`, `DELETE /forms/{id}/webhooks/{webhook_id}`. */
const webhookRoutes = (context: Context, webhooks: Endpoints): ApiRoute[] => [
  route('GET', '/api/v1/forms/:id/webhooks', (call) => {
    const form = findForm(context, call)
    const { unspecified } = context.settings
    refuseUnknown(unspecified, call.query.keys(), ['page', 'per_page'])
    const page = readPage(call.query)
    const all = webhooks.list(form.id)
    refusePastEnd(unspecified, page, all.length)
    const extras =
      unspecified.webhookListExtras === 'true' ? { form_id: form.id, events: ['response.submitted'] } : {}
    const shown = all.slice(page.from, page.from + page.perPage)
    const texts = shown.map((endpoint) => JSON.stringify({ ...endpoint, ...extras }))
    return jsonList(texts, page, all.length)
  }),
  route('POST', '/api/v1/forms/:id/webhooks', async (call) => {
    findLiveForm(context, call)
    const { unspecified } = context.settings
    refuseUnknown(unspecified, call.query.keys(), [])
    const body = await readJsonObject(call.request, LIMITS.bodyMaxBytes, unspecified)
    refuseUnknown(unspecified, Object.keys(body), ['url'])
    const form = findLiveForm(context, call)
    return item(await webhooks.create(form.id, { url: body.url as string }), 201)
  }),
  route('DELETE', '/api/v1/forms/:id/webhooks/:webhookId', (call) => {
    const form = findForm(context, call)
    const { id } = findEndpoint(context, call)
    const { unspecified } = context.settings
    refuseUnknown(unspecified, call.query.keys(), [])
    const deleted = webhooks.delete(form.id, id)
    return unspecified.webhookDelete === '204' ? noContent() : item(deleted)
  }),
]

/** Returns the form in the path. Throws the same 404 for an unknown form and for another workspace's (AUTH-12, FORM-03). */
function findForm(context: Context, { caller, params }: ApiCall): FormRecord {
  const form = context.state.forms.get(params.id ?? '')
  if (!form || form.workspaceId !== caller.workspace.id) throw notFound()
  if (form.trashedAt !== null && context.settings.unspecified.trashedById === '404') throw notFound()
  return form
}

/** Returns the response in the path. Throws 404 unless it belongs to this form (RESP-03). */
function findResponse(context: Context, form: FormRecord, { params }: ApiCall): ResponseRecord {
  const id = readId(params.responseId)
  const response = id === undefined ? undefined : context.state.responses.get(id)
  if (response?.formId !== form.id) throw notFound()
  return response
}

/** Like `findForm`, but also throws 404 for a trashed form, which some deployments show to reads: it is not changed until it is restored. */
function findLiveForm(context: Context, call: ApiCall) {
  const form = findForm(context, call)
  if (form.trashedAt !== null) throw notFound()
  return form
}

/** Returns the endpoint in the path. Throws 404 unless it belongs to this form. */
function findEndpoint(context: Context, call: ApiCall): EndpointRecord {
  const id = readId(call.params.webhookId)
  const endpoint = id === undefined ? undefined : context.state.endpoints.get(id)
  if (endpoint?.formId !== call.params.id) throw notFound()
  return endpoint as EndpointRecord
}
