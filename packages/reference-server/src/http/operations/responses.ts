import { RESPONSE_STATUSES } from '@formwire/contract'
import type { Context } from '../../context.ts'
import { deleteResponse } from '../../services/store-response.ts'
import { cachedItem, cachedList, item } from '../json-response.ts'
import { readChoice, readPage, readSince, refusePastEnd, refuseUnknown } from '../parameters.ts'
import { route } from '../router.ts'
import { type ApiRoute, findForm, findResponse } from './call.ts'

/** `GET /forms/{id}/responses`, `GET` and `DELETE` of one. */
export const responseRoutes = (context: Context): ApiRoute[] => [
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
