import type { Delivery, FormEndpoint } from '@formwire/contract/control'
import type { Explanation } from './explain-delivery.ts'
import { catchUp, DOCS, type Reason, reasonWith } from './reason.ts'

/**
 * Explains why no delivery has failed: all succeeded, or none was sent. Pure.
 * @param notSent Number of responses that are never sent, by the id of the endpoint
 */
export function explainNothing(
  endpoints: readonly FormEndpoint[],
  deliveries: readonly Delivery[],
  notSent: ReadonlyMap<number, number> = new Map(),
): Explanation {
  const count = [...notSent.values()].reduce((sum, one) => sum + one, 0)
  const reasons = reasonsFor(endpoints, deliveries, count)
  return {
    outcome: deliveries.length > 0 ? 'no delivery has failed' : outcomeOfNone(endpoints),
    causes: reasons.map(({ name, cause }) => ({ name, text: cause })),
    evidence: {
      deliveries: byStatus(deliveries),
      endpoints: endpoints.map(({ id, form_id, url, active, health }) => ({
        id,
        form_id,
        url,
        active,
        not_sent: notSent.get(id) ?? health.not_sent,
      })),
    },
    change: reasons.flatMap(({ change }) => change),
    docs: reasons.flatMap(({ docs }) => docs),
  }
}

/** The log of an endpoint is removed with it, so that deliveries may have been sent before. */
const outcomeOfNone = ({ length }: readonly FormEndpoint[]): string =>
  length === 0 ? 'no delivery is logged' : 'nothing has been sent'

function byStatus(deliveries: readonly Delivery[]): Partial<Record<Delivery['status'], number>> {
  const counts: Partial<Record<Delivery['status'], number>> = {}
  for (const { status } of deliveries) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function reasonsFor(
  endpoints: readonly FormEndpoint[],
  { length: sent }: readonly Delivery[],
  notSent: number,
): Reason[] {
  if (endpoints.length === 0) return sent > 0 ? [] : [NO_ENDPOINT]
  if (endpoints.every(({ active }) => !active)) return sent > 0 && notSent === 0 ? [] : [paused(notSent)]
  if (notSent > 0) return [neverSent(notSent)]
  return sent > 0 ? [] : [NO_RESPONSE]
}

const NO_ENDPOINT = reasonWith(
  'no_endpoint',
  'No form has a webhook endpoint. The delivery log of an endpoint is removed with it.',
  ['docs/reference/rules.md#dlv-01'],
  'Add one: tool form, action add_webhook with url.',
)

const NO_RESPONSE = reasonWith(
  'no_response',
  'No response has been submitted since an endpoint was added: earlier responses and drafts are not sent.',
  ['docs/reference/rules.md#dlv-01', 'docs/reference/rules.md#dlv-02'],
  'Submit a response (tool submit), or send a test event (tool form, action test).',
)

const paused = (notSent: number): Reason =>
  reasonWith(
    'paused',
    `Every endpoint is paused: responses that are submitted meanwhile are never sent${notSent > 0 ? `, so far ${notSent}` : ''}.`,
    [DOCS.missed, DOCS.paused],
    'Resume the endpoint (tool form, action resume), then submit a response.',
    ...catchUp(notSent),
  )

const neverSent = (notSent: number): Reason =>
  reasonWith(
    'never_sent',
    `${notSent === 1 ? '1 response was' : `${notSent} responses were`} submitted while an endpoint was paused, or before it was added, and will never be sent to it.`,
    [DOCS.missed, DOCS.paused],
    ...catchUp(notSent),
  )
