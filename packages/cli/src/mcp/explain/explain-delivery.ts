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
  return {
    outcome: outcomeOf(delivery, facts.clock),
    causes: reasons.map(({ name, cause }) => ({ name, text: cause })),
    evidence: evidenceOf(delivery, facts),
    change: isRepaired
      ? [`Nothing: its replay ${facts.replay?.id} was delivered.`]
      : [
          ...new Set([
            ...reasons.flatMap(({ change }) => change),
            ...nextSteps(delivery, facts, reasons),
            ...catchUp(facts.endpoint?.health.not_sent ?? 0),
          ]),
        ],
    docs: [...new Set(reasons.flatMap(({ docs }) => docs))],
  }
}

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
