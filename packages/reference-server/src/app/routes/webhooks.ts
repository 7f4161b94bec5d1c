import { LIMITS } from '@formwire/contract'
import { item } from '../../http/answers.ts'
import { readJsonObject } from '../../http/body.ts'
import type { Route, RouteCall } from '../../http/route.ts'
import type { Deliveries } from '../deliveries.ts'
import type { Webhooks } from '../webhooks.ts'
import { pathId, wholeList } from './shared.ts'

const ENDPOINTS = '/_app/forms/:id/webhooks'
const ENDPOINT = `${ENDPOINTS}/:webhookId`

/** A form's webhooks page under `/_app`. */
export const webhookControlRoutes = (webhooks: Webhooks, deliveries: Deliveries): Route[] => [
  { method: 'GET', pattern: ENDPOINTS, run: ({ params }) => wholeList(webhooks.list(params.id ?? '')) },
  {
    method: 'POST',
    pattern: ENDPOINTS,
    run: async ({ params, request }) => {
      webhooks.list(params.id ?? '')
      const { url } = await readJsonObject(request, LIMITS.bodyMaxBytes)
      return item(await webhooks.create(params.id ?? '', { url: url as string }), 201)
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
    run: ({ params }) => wholeList(deliveries.list(params.id ?? '', pathId(params.webhookId))),
  },
]

function onEndpoint(act: (formId: string, id: number) => unknown, status = 200) {
  return ({ params }: RouteCall) => item(act(params.id ?? '', pathId(params.webhookId)), status)
}
