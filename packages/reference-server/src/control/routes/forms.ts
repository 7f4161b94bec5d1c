import { LIMITS, RESPONSE_STATUSES } from '@formwire/contract'
import type { App } from '../../app.ts'
import { invalid } from '../../domain/service-error.ts'
import { readJsonObject } from '../../http/body.ts'
import { cachedList, jsonItem } from '../../http/json-response.ts'
import { readChoice, readId, readPage } from '../../http/parameters.ts'
import { type Route, route } from '../../http/router.ts'
import { EXPORT_FORMATS } from '../../services/response-export.ts'
import { list, one, pathId, queryRoute, unpagedList, withBody } from './shared.ts'

const EXPORT_TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json' } as const
const ACTIONS = ['publish', 'close', 'reopen', 'archive', 'unarchive', 'trash', 'restore'] as const

/** Routes of forms, responses and their reports under `/_app`, across workspaces. */
export const formControlRoutes = (app: App): Route[] => [
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
  queryRoute('/_app/forms/:id/responses', ['status', 'page', 'per_page'], ({ params, query }) => {
    app.forms.get(params.id ?? '')
    const status = readChoice(query, 'status', RESPONSE_STATUSES)
    const page = readPage(query)
    const { items, total } = app.responses.list(params.id ?? '', status, page.from, page.perPage)
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
