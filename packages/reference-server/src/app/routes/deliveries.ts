import { item } from '../../http/answers.ts'
import { invalid } from '../../http/errors.ts'
import { readId } from '../../http/parameters.ts'
import type { Route } from '../../http/route.ts'
import type { Deliveries } from '../deliveries.ts'

/** The delivery log under `/_app`. The stream's row stands first: its path would be an id of the next one. */
export const deliveryControlRoutes = (deliveries: Deliveries): Route[] => [
  {
    method: 'GET',
    pattern: '/_app/deliveries/stream',
    run: ({ query, request }) => {
      const webhook = query.get('webhook_id')
      const endpointId = readId(webhook)
      if (webhook !== undefined && endpointId === undefined) {
        throw invalid('webhook_id', 'webhook_id takes the id of a webhook endpoint.')
      }
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
        body: deliveries.stream(
          { formId: query.get('form_id'), endpointId },
          { lastEventId: request.headers.get('last-event-id'), signal: request.signal },
        ),
      }
    },
  },
  {
    method: 'GET',
    pattern: '/_app/deliveries/:id',
    run: ({ params }) => item(deliveries.get(params.id ?? '')),
  },
  {
    method: 'POST',
    pattern: '/_app/deliveries/:id/replay',
    run: ({ params }) => item(deliveries.replay(params.id ?? ''), 201),
  },
]
