import { DELIVERY_ATTEMPTS } from '@formwire/contract'
import type { ClockState, Delivery, DeliveryDetail, FormEndpoint } from '@formwire/contract/control'
import { pick } from '../../output/pick.ts'
import { untrusted } from '../untrusted.ts'
import { attemptReason, catchUp, DOCS, type Reason, reasonWith } from './reason.ts'
import {
  hasSameBytes,
  isGuess,
  isSignedWith,
  type SignatureFacts,
  secondsAhead,
  signatureReason,
} from './signature-reason.ts'

/** What is known besides the delivery. */
export interface DeliveryFacts extends SignatureFacts {
  /** The endpoint, unless it was deleted. */
  endpoint?: FormEndpoint | undefined
  /** The newest replay of the delivery. */
  replay?: Pick<Delivery, 'id' | 'status'> | undefined
}

/** What became of a delivery, why, and what to change. */
export interface Explanation {
  outcome: string
  /** The first is the most specific. Empty if nothing failed. */
  causes: { name: string; text: string }[]
  evidence: Record<string, unknown>
  change: string[]
  /** Pages for the tool `docs`. */
  docs: string[]
}

/** Explains a delivery from what the server has recorded (DLV-05, DLV-06, DLV-07). Pure. */
export function explainDelivery(delivery: DeliveryDetail, facts: DeliveryFacts): Explanation {
  const reasons = reasonsOf(delivery, facts)
  const isRepaired = delivery.status === 'failed' && facts.replay?.status === 'delivered'
  const steps = [...nextSteps(delivery, facts, reasons), ...catchUp(facts.endpoint?.health.not_sent ?? 0)]
  const all = explanation(outcomeOf(delivery, facts.clock), reasons, evidenceOf(delivery, facts), steps)
  return isRepaired ? { ...all, change: [`Nothing: its replay ${facts.replay?.id} was delivered.`] } : all
}

/** @param steps what to do after what the reasons advise */
const explanation = (
  outcome: string,
  reasons: readonly Reason[],
  evidence: Record<string, unknown>,
  steps: readonly string[] = [],
): Explanation => ({
  outcome,
  causes: reasons.map(({ name, cause }) => ({ name, text: cause })),
  evidence,
  change: [...new Set([...reasons.flatMap(({ change }) => change), ...steps])],
  docs: [...new Set(reasons.flatMap(({ docs }) => docs))],
})

function reasonsOf(delivery: DeliveryDetail, facts: DeliveryFacts): Reason[] {
  const last = delivery.attempts.at(-1)
  if (delivery.status === 'delivered') return []
  const stop = stopReason(delivery, facts)
  const failed = last?.error
    ? failedReasons(scriptReason(facts) ?? signatureReason(delivery, last, facts), attemptReason(last.error))
    : []
  return stop === undefined ? failed : [stop, ...failed]
}

/** What is known makes the general advice about a status superfluous; a guess does not. */
function failedReasons(known: Reason | undefined, general: Reason): Reason[] {
  if (known === undefined) return [general]
  return isGuess(known) ? [known, general] : [known, { ...general, change: [], docs: [] }]
}

/** A mock receiver that had nothing against the signature did what its script says. */
function scriptReason({ received }: DeliveryFacts): Reason | undefined {
  if (!received || received.verified === false) return undefined
  const did = received.status === null ? 'send no response' : `respond with ${received.status}`
  return reasonWith(
    'scripted',
    `The mock receiver got this attempt, and its script made it ${did}.`,
    ['docs/how-to/test-kit.md#assertions-and-waiting'],
    'Nothing, if that is the test. Each step of a script is used once, then 200 follows (tool receiver, action script).',
  )
}

/** Why no further attempt follows. */
function stopReason(
  { status, note, attempts, raw_body: body }: DeliveryDetail,
  { endpoint }: DeliveryFacts,
): Reason | undefined {
  if (status !== 'failed') return undefined
  if (note === null) return attempts.length < DELIVERY_ATTEMPTS ? undefined : EXHAUSTED
  const [, stop] = STOPS.find(([pattern]) => pattern.test(note)) ?? []
  if (stop === PAUSED && endpoint?.active) return PAUSED_THEN
  return stop ?? (body === null ? RESPONSE_DELETED : reasonWith('stopped', note, [DOCS.retries]))
}

const EXHAUSTED = reasonWith('exhausted', 'All six attempts failed, and no other follows.', [
  DOCS.retries,
  DOCS.missed,
])

const RESPONSE_DELETED = reasonWith(
  'response_deleted',
  'The response was deleted before this delivery reached its receiver. Its payload is gone, so it cannot be replayed.',
  ['docs/decisions/0038-deliveries-of-a-deleted-response.md'],
  'Nothing, if the response was deleted on purpose: receivers must not expect an event of every response.',
)

const PAUSED = reasonWith(
  'paused',
  'The endpoint was paused: pending deliveries fail then, and responses that are submitted meanwhile are never sent.',
  [DOCS.paused, DOCS.missed, 'docs/decisions/0035-an-attempt-in-flight-at-a-pause.md'],
  'Resume the endpoint (tool form, action resume), then replay this delivery.',
)

/** The endpoint has been resumed since. */
const PAUSED_THEN: Reason = {
  ...PAUSED,
  cause: `${PAUSED.cause} It is active again, which does not send this delivery.`,
  change: [],
}

const TRASHED = reasonWith(
  'form_trashed',
  'The form was moved to the trash, which cancels its pending deliveries.',
  ['docs/reference/rules.md#dlv-06'],
  'Restore the form (tool form, action restore), then replay this delivery.',
)

const CANCELLED = reasonWith('cancelled', 'The delivery was cancelled.', [DOCS.retries])

/** What stops a delivery before its last attempt, by the note in the log. */
const STOPS: readonly (readonly [note: RegExp, reason: Reason])[] = [
  [/paused/, PAUSED],
  [/response was deleted/, RESPONSE_DELETED],
  [/trash/, TRASHED],
  [/cancelled/, CANCELLED],
]

function outcomeOf({ status, attempts, next_attempt_at: next }: DeliveryDetail, { now }: ClockState): string {
  const count = attempts.length
  if (status === 'delivered')
    return count === 1
      ? 'delivered with the first attempt'
      : `delivered with attempt ${count}, after ${count - 1} failed`
  if (status === 'failed') return `failed after ${count} of ${DELIVERY_ATTEMPTS} attempts`
  if (next === null || Date.parse(next) <= Date.parse(now))
    return `pending: attempt ${count + 1} of ${DELIVERY_ATTEMPTS} is in flight or about to start`
  return `pending: attempt ${count + 1} of ${DELIVERY_ATTEMPTS} is due at ${next}, in ${secondsUntil(next, now)} s of the server's clock`
}

const secondsUntil = (next: string, now: string): number =>
  Math.ceil((Date.parse(next) - Date.parse(now)) / 1000)

/** What to do once the cause is removed. */
function nextSteps(
  { id, status, next_attempt_at: next, raw_body: body }: DeliveryDetail,
  { clock, replay }: DeliveryFacts,
  reasons: readonly Reason[],
): string[] {
  if (status === 'failed' && replay) return [`Its replay ${replay.id} is ${replay.status}: explain that one.`]
  if (status === 'failed' && body !== null)
    return [
      `Then replay it: tool deliveries, {"action": "replay", "delivery": "${id}"}. The copy has a new id.`,
    ]
  if (status !== 'pending') return []
  if (next === null || Date.parse(next) <= Date.parse(clock.now))
    return ['Ask again: an attempt ends after at most 10 seconds.']
  // Another attempt is signed by the same clock.
  if (reasons.some(({ name }) => name.startsWith('timestamp_'))) return []
  const wait =
    clock.mode === 'manual'
      ? `advance the clock: tool clock, {"advance": "${secondsUntil(next, clock.now)}s"}`
      : `start the next attempt now: tool deliveries, {"action": "retry", "delivery": "${id}"}`
  return [`Then ${wait}.`]
}

const SHOWN_OF_ATTEMPT = ['number', 'started_at', 'duration_ms', 'http_status', 'error']

function evidenceOf(delivery: DeliveryDetail, facts: DeliveryFacts): Record<string, unknown> {
  const { endpoint, secret, received, replay } = facts
  const last = delivery.attempts.at(-1)
  return {
    delivery: delivery.id,
    event: delivery.event,
    response_id: delivery.response_id,
    endpoint: endpoint
      ? {
          id: endpoint.id,
          url: endpoint.url,
          active: endpoint.active,
          health: endpoint.health.state,
          ...(endpoint.active ? {} : { not_sent: endpoint.health.not_sent }),
        }
      : { id: delivery.webhook_id, deleted: true },
    attempts: delivery.attempts.map((attempt) => pick(attempt, SHOWN_OF_ATTEMPT)),
    ...(delivery.note === null ? {} : { note: delivery.note }),
    ...(replay && { replay: { id: replay.id, status: replay.status } }),
    ...(last?.receiver_answer ? { receiver_answer: untrusted(last.receiver_answer) } : {}),
    ...(last && {
      timestamp_minus_real_time_s: secondsAhead(last, facts),
      ...(secret !== undefined &&
        delivery.raw_body !== null && { signed_with_current_secret: isSignedWith(secret, delivery, last) }),
    }),
    ...(received && {
      received: {
        verified: received.verified,
        verification_error: received.verification_error,
        same_bytes: hasSameBytes(delivery, received),
      },
    }),
  }
}

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
  const outcome = deliveries.length > 0 ? 'no delivery has failed' : outcomeOfNone(endpoints)
  return explanation(outcome, reasons, {
    deliveries: byStatus(deliveries),
    endpoints: endpoints.map((endpoint) => ({
      ...pick(endpoint, ['id', 'form_id', 'url', 'active']),
      not_sent: notSent.get(endpoint.id) ?? endpoint.health.not_sent,
    })),
  })
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
