import type { Delivery, FormEndpoint } from '@formwire/contract/control'
import type { Explanation } from './explain-delivery.ts'
import type { Reason } from './reason.ts'

/** Explains why no delivery has failed: all succeeded, or none was sent. Pure. */
export function explainNothing(
  endpoints: readonly FormEndpoint[],
  deliveries: readonly Delivery[],
): Explanation {
  const reasons = deliveries.length > 0 ? [] : reasonsForNone(endpoints)
  return {
    outcome: deliveries.length > 0 ? 'no delivery has failed' : 'nothing has been sent',
    causes: reasons.map(({ name, cause }) => ({ name, text: cause })),
    evidence: {
      deliveries: count(deliveries),
      endpoints: endpoints.map(({ id, form_id, url, active, health }) => ({
        id,
        form_id,
        url,
        active,
        not_sent: health.not_sent,
      })),
    },
    change: reasons.flatMap(({ change }) => change),
    docs: reasons.flatMap(({ docs }) => docs),
  }
}

function count(deliveries: readonly Delivery[]): Partial<Record<Delivery['status'], number>> {
  const counts: Partial<Record<Delivery['status'], number>> = {}
  for (const { status } of deliveries) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const DOCS = ['docs/reference/rules.md#dlv-01']

function reasonsForNone(endpoints: readonly FormEndpoint[]): Reason[] {
  if (endpoints.length === 0)
    return [
      {
        name: 'no_endpoint',
        cause: 'No form has a webhook endpoint.',
        change: ['Add one: tool form, action add_webhook with url.'],
        docs: DOCS,
      },
    ]
  if (endpoints.every(({ active }) => !active))
    return [
      {
        name: 'paused',
        cause: 'Every endpoint is paused: responses that are submitted meanwhile are never sent.',
        change: ['Resume the endpoint (tool form, action resume), then submit a response.'],
        docs: ['docs/reference/rules.md#hook-07'],
      },
    ]
  return [
    {
      name: 'no_response',
      cause:
        'No response has been submitted since an endpoint was added: earlier responses and drafts are not sent.',
      change: ['Submit a response (tool submit), or send a test event (tool form, action test).'],
      docs: [...DOCS, 'docs/reference/rules.md#dlv-02'],
    },
  ]
}
