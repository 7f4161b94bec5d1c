import { invalid } from '../../domain/service-error.ts'
import { readId } from '../../http/parameters.ts'
import type { Route } from '../../http/router.ts'
import type { Deliveries } from '../../services/deliveries.ts'
import { one, queryRoute } from './shared.ts'

/** Routes of deliveries under `/_app`. The stream comes first, since the next route would read `stream` as an id. */
export const deliveryControlRoutes = (deliveries: Deliveries): Route[] => [
  queryRoute('/_app/deliveries/stream', ['form_id', 'webhook_id'], ({ query, request }) => {
    const webhook = query.get('webhook_id')
    const endpointId = readId(webhook)
    if (webhook !== undefined && endpointId === undefined) {
      throw invalid('webhook_id', 'webhook_id must be the numeric id of an endpoint.')
    }
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      body: deliveries.stream(
        { formId: query.get('form_id'), endpointId },
        { lastEventId: request.headers.get('last-event-id'), signal: request.signal },
      ),
    }
  }),
  one('GET', '/_app/deliveries/:id', ({ params }) => deliveries.get(params.id ?? '')),
  one('POST', '/_app/deliveries/:id/replay', ({ params }) => deliveries.replay(params.id ?? ''), 201),
  one('POST', '/_app/deliveries/:id/retry', ({ params }) => deliveries.retry(params.id ?? '')),
  one('POST', '/_app/deliveries/:id/cancel', ({ params }) => deliveries.cancel(params.id ?? '')),
]
