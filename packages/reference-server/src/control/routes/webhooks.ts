import type { App } from '../../app.ts'
import type { Route } from '../../http/router.ts'
import { list, one, pathId, withBody } from './shared.ts'

const ENDPOINTS = '/_app/forms/:id/webhooks'
const ENDPOINT = `${ENDPOINTS}/:webhookId`

/** Routes of a form's endpoints under `/_app`. */
export const webhookControlRoutes = ({ webhooks, deliveries }: App): Route[] => [
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
