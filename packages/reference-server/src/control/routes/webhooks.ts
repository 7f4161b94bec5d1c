import { LIMITS } from '@formwire/contract'
import { readJsonObject } from '../../http/body.ts'
import { item } from '../../http/json-response.ts'
import type { Route, RouteCall } from '../../http/route.ts'
import type { Deliveries } from '../../services/deliveries.ts'
import type { Endpoints } from '../../services/endpoints.ts'
import { pathId, unpagedList } from './shared.ts'

const ENDPOINTS = '/_app/forms/:id/webhooks'
const ENDPOINT = `${ENDPOINTS}/:webhookId`

/** Routes of a form's endpoints under `/_app`. */
export const webhookControlRoutes = (webhooks: Endpoints, deliveries: Deliveries): Route[] => [
  { method: 'GET', pattern: ENDPOINTS, run: ({ params }) => unpagedList(webhooks.list(params.id ?? '')) },
  {
    method: 'POST',
    pattern: ENDPOINTS,
    run: async ({ params, request }) => {
      webhooks.list(params.id ?? '')
      return item(
        await webhooks.create(params.id ?? '', (await readJsonObject(request, LIMITS.bodyMaxBytes)) as never),
        201,
      )
    },
  },
  { method: 'GET', pattern: ENDPOINT, run: onEndpoint(webhooks.get) },
  { method: 'DELETE', pattern: ENDPOINT, run: onEndpoint(webhooks.delete) },
  { method: 'POST', pattern: `${ENDPOINT}/pause`, run: onEndpoint(webhooks.pause) },
  { method: 'POST', pattern: `${ENDPOINT}/resume`, run: onEndpoint(webhooks.resume) },
  { method: 'POST', pattern: `${ENDPOINT}/rotate-secret`, run: onEndpoint(webhooks.rotateSecret) },
  { method: 'POST', pattern: `${ENDPOINT}/test`, run: onEndpoint(webhooks.test, 201) },
  {
    method: 'GET',
    pattern: `${ENDPOINT}/deliveries`,
    run: ({ params }) => unpagedList(deliveries.list(params.id ?? '', pathId(params.webhookId))),
  },
]

function onEndpoint(act: (formId: string, id: number) => unknown, status = 200) {
  return ({ params }: RouteCall) => item(act(params.id ?? '', pathId(params.webhookId)), status)
}
