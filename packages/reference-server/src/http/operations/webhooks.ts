import { LIMITS } from '@formwire/contract'
import type { Context } from '../../context.ts'
import { notFound } from '../../domain/service-error.ts'
import type { EndpointRecord } from '../../domain/webhook-endpoint.ts'
import type { Endpoints } from '../../services/endpoints.ts'
import { readJsonObject } from '../body.ts'
import { item, jsonList, noContent } from '../json-response.ts'
import { readId, readPage, refusePastEnd, refuseUnknown } from '../parameters.ts'
import { route } from '../router.ts'
import { type ApiCall, type ApiRoute, findForm } from './call.ts'

/** `GET` and `POST /forms/{id}/webhooks`, `DELETE /forms/{id}/webhooks/{webhook_id}`. */
export const webhookRoutes = (context: Context, webhooks: Endpoints): ApiRoute[] => [
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

/** Like `findForm`, but also throws 404 for a trashed form, which some deployments show to reads. */
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
