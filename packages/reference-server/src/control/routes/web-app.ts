import { type KnownWorkspaceRole, LIMITS, RESPONSE_STATUSES } from '@formwire/contract'
import type { DeliveryState } from '@formwire/contract/control'
import type { App } from '../../app.ts'
import { invalid } from '../../domain/service-error.ts'
import { readJsonObject } from '../../http/body.ts'
import { cachedList, jsonItem, jsonText } from '../../http/json-response.ts'
import { readChoice, readCount, readId, readPage, readSearch } from '../../http/parameters.ts'
import { type Route, type RouteCall, route } from '../../http/router.ts'
import { DELIVERY_STATES } from '../../services/delivery-log.ts'
import { refuseUnknownFields } from '../../services/input.ts'
import { EXPORT_FORMATS } from '../../services/response-export.ts'
import { list, one, pathId, queryRoute, unpagedList, withBody } from './shared.ts'

/** Routes of what people do in the web app, across workspaces. */
export const webAppRoutes = (app: App): Route[] => [
  ...peopleRoutes(app),
  ...formRoutes(app),
  ...webhookRoutes(app),
  ...deliveryRoutes(app),
]

/** Routes of workspaces, users, members and keys. */
const peopleRoutes = (app: App): Route[] => [
  list('/_app/workspaces', () => app.workspaces.list()),
  withBody('POST', '/_app/workspaces', () => app.workspaces.create, 201),
  one('GET', '/_app/workspaces/:id', ({ params }) => app.workspaces.get(pathId(params.id))),
  withBody('PATCH', '/_app/workspaces/:id', ({ params }) => {
    const id = pathId(params.id)
    return (body) => app.workspaces.update(id, body)
  }),
  withBody(
    'PUT',
    '/_app/workspaces/:id/members/:userId',
    ({ params }) =>
      (body: { role: KnownWorkspaceRole }) => {
        refuseUnknownFields(body, ['role'])
        return app.members.set(pathId(params.id), pathId(params.userId), body.role)
      },
  ),
  one('DELETE', '/_app/workspaces/:id/members/:userId', ({ params }) =>
    app.members.remove(pathId(params.id), pathId(params.userId)),
  ),
  list('/_app/users', () => app.users.list()),
  withBody('POST', '/_app/users', () => app.users.create, 201),
  one('GET', '/_app/users/:id', ({ params }) => app.users.get(pathId(params.id))),
  one('POST', '/_app/users/:id/password', ({ params }) => app.users.changePassword(pathId(params.id))),
  list('/_app/keys', () => app.keys.list()),
  withBody('POST', '/_app/keys', () => app.keys.create, 201),
  one('DELETE', '/_app/keys/:id', ({ params }) => app.keys.revoke(pathId(params.id))),
]

const EXPORT_TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json' } as const
const ACTIONS = ['publish', 'close', 'reopen', 'archive', 'unarchive', 'trash', 'restore'] as const

/** Routes of forms, responses and their reports. */
const formRoutes = (app: App): Route[] => [
  queryRoute('/_app/forms', ['workspace_id'], ({ query }) => {
    const text = query.get('workspace_id')
    const id = readId(text)
    if (text !== undefined && id === undefined)
      throw invalid('workspace_id', 'workspace_id must be an integer of at least 1.')
    return unpagedList(app.forms.list(id === undefined ? {} : { workspace_id: id }))
  }),
  withBody('POST', '/_app/forms', () => app.forms.create, 201),
  one('GET', '/_app/forms/:id', ({ params }) => app.forms.get(params.id ?? '')),
  withBody('PATCH', '/_app/forms/:id', ({ params }) => {
    const { id } = app.forms.get(params.id ?? '')
    return (body) => app.forms.update(id, body)
  }),
  ...ACTIONS.map((action) =>
    one('POST', `/_app/forms/:id/${action}`, ({ params }) => app.forms[action](params.id ?? '')),
  ),
  queryRoute('/_app/forms/:id/responses', ['q', 'status', 'page', 'per_page'], async ({ params, query }) => {
    const { id } = app.forms.get(params.id ?? '')
    const text = readSearch(query)
    const status = readChoice(query, 'status', RESPONSE_STATUSES)
    const page = readPage(query)
    const { items, total } =
      text === undefined
        ? app.responses.list(id, status, page.from, page.perPage)
        : await app.responses.search(id, text, status, page.from, page.perPage)
    return cachedList(items, page, total)
  }),
  route('POST', '/_app/forms/:id/responses', async ({ request, params }) => {
    app.forms.get(params.id ?? '')
    const body = await readJsonObject(request, LIMITS.bodyMaxBytes)
    return jsonItem(app.responses.create(params.id ?? '', body).json, 201)
  }),
  route('GET', '/_app/forms/:id/responses/:responseId', ({ params }) =>
    jsonItem(app.responses.get(params.id ?? '', pathId(params.responseId)).json),
  ),
  one('DELETE', '/_app/forms/:id/responses/:responseId', ({ params }) =>
    app.responses.delete(params.id ?? '', pathId(params.responseId)),
  ),
  one('GET', '/_app/forms/:id/summary', ({ params }) => app.responses.summary(params.id ?? '')),
  queryRoute('/_app/forms/:id/export', ['format', 'status'], ({ params, query }) => {
    const { id, slug } = app.forms.get(params.id ?? '')
    const format = readChoice(query, 'format', EXPORT_FORMATS) ?? 'csv'
    const status = readChoice(query, 'status', RESPONSE_STATUSES) ?? 'submitted'
    const name = `${slug}${status === 'submitted' ? '' : '-drafts'}.${format}`
    return {
      status: 200,
      headers: {
        'content-type': EXPORT_TYPES[format],
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      },
      body: app.responses.export(id, format, status),
    }
  }),
  list('/_app/forms/:id/responses/:responseId/deliveries', ({ params }) => {
    const { formId, id } = app.responses.get(params.id ?? '', pathId(params.responseId))
    return app.deliveries.ofResponse(formId, id)
  }),
]

const ENDPOINTS = '/_app/forms/:id/webhooks'
const ENDPOINT = `${ENDPOINTS}/:webhookId`

/** Routes of a form's endpoints. */
const webhookRoutes = ({ webhooks, deliveries }: App): Route[] => [
  list(ENDPOINTS, ({ params }) => webhooks.list(params.id ?? '')),
  withBody(
    'POST',
    ENDPOINTS,
    ({ params: { id = '' } }) => {
      // Refuses an unknown form before its body is read.
      webhooks.list(id)
      return (body: { url: string }) => webhooks.create(id, body)
    },
    201,
  ),
  onEndpoint('GET', ENDPOINT, webhooks.get),
  onEndpoint('DELETE', ENDPOINT, webhooks.delete),
  onEndpoint('POST', `${ENDPOINT}/pause`, webhooks.pause),
  onEndpoint('POST', `${ENDPOINT}/resume`, webhooks.resume),
  onEndpoint('POST', `${ENDPOINT}/rotate-secret`, webhooks.rotateSecret),
  onEndpoint('POST', `${ENDPOINT}/test`, webhooks.test, 201),
  list(`${ENDPOINT}/deliveries`, ({ params }) => deliveries.list(params.id ?? '', pathId(params.webhookId))),
]

const onEndpoint = (
  method: Route['method'],
  pattern: string,
  act: (formId: string, id: number) => unknown,
  status?: number,
): Route => one(method, pattern, ({ params }) => act(params.id ?? '', pathId(params.webhookId)), status)

/** Routes of deliveries. The stream comes first, since the next route would read `stream` as an id. */
const deliveryRoutes = ({ deliveries }: App): Route[] => [
  queryRoute('/_app/deliveries/stream', ['form_id', 'webhook_id'], ({ query, request }) => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    body: deliveries.stream(
      { formId: query.get('form_id'), endpointId: readEndpoint(query) },
      { lastEventId: request.headers.get('last-event-id'), signal: request.signal },
    ),
  })),
  queryRoute(
    '/_app/deliveries',
    ['form_id', 'webhook_id', 'state', 'ids', 'q', 'cursor', 'limit'],
    ({ query }) => {
      const page = deliveries.search({
        formId: query.get('form_id'),
        endpointId: readEndpoint(query),
        state: readChoice(query, 'state', Object.keys(DELIVERY_STATES) as DeliveryState[]),
        ids: query.get('ids')?.split(','),
        text: readSearch(query),
        cursor: query.get('cursor'),
        limit: readCount(query, 'limit', 100, 1_000),
      })
      return jsonText(200, JSON.stringify(page))
    },
  ),
  one('GET', '/_app/deliveries/:id', ({ params }) => deliveries.get(params.id ?? '')),
  one('POST', '/_app/deliveries/:id/replay', ({ params }) => deliveries.replay(params.id ?? ''), 201),
  one('POST', '/_app/deliveries/:id/retry', ({ params }) => deliveries.retry(params.id ?? '')),
  one('POST', '/_app/deliveries/:id/cancel', ({ params }) => deliveries.cancel(params.id ?? '')),
]

function readEndpoint(query: RouteCall['query']): number | undefined {
  const text = query.get('webhook_id')
  const id = readId(text)
  if (text !== undefined && id === undefined)
    throw invalid('webhook_id', 'webhook_id must be the numeric id of an endpoint.')
  return id
}
