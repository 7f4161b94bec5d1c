import { DELIVERY_ATTEMPTS } from '@formwire/contract'
import type {
  ClockState,
  Delivery,
  DeliveryAttempt,
  DeliveryDetail,
  FormEndpoint,
  ReceiverDelivery,
} from '@formwire/contract/control'
import { DEFAULT_TOLERANCE_SECONDS, ERROR_CODES, signatureHeader } from '@formwire/webhook-verify'
import { pick } from '../../output/output.ts'
import { untrusted } from '../untrusted.ts'
import { attemptReason, catchUp, DOCS, REASONS, type Reason, reasonWith } from './reason.ts'

/** What is known besides the delivery. */
export interface DeliveryFacts {
  /** The endpoint, unless it was deleted. */
  endpoint?: FormEndpoint | undefined
  /** The newest replay of the delivery. */
  replay?: Pick<Delivery, 'id' | 'status'> | undefined
  /** Secret of the endpoint, if this session has created it. */
  secret?: string | undefined
  /** What a mock receiver of the local server has recorded of the last attempt. */
  received?: ReceiverDelivery | undefined
  /** Id of the last delivery of the endpoint that was accepted with a signature of an earlier secret. */
  acceptedBefore?: string | undefined
  clock: ClockState
  /** Real time, in milliseconds since the epoch: with a manual clock, when the last attempt was first seen. */
  realNow: number
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

/** Why no further attempt follows, and why the last one failed. */
function reasonsOf(delivery: DeliveryDetail, facts: DeliveryFacts): Reason[] {
  const last = delivery.attempts.at(-1)
  if (delivery.status === 'delivered') return []
  const stop = stopReason(delivery, facts)
  if (!last?.error) return stop
  const known = scriptReason(facts) ?? signatureReason(delivery, last, facts)
  const general = attemptReason(last.error)
  if (known === undefined) return [...stop, general]
  // What is known makes the general advice about a status superfluous; a guess does not.
  return [...stop, known, known === REASONS.no_match ? general : { ...general, change: [], docs: [] }]
}

/** What stops a delivery before its last attempt, by the note in the log. */
const STOPS = [
  [/paused/, REASONS.paused],
  [/response was deleted/, REASONS.response_deleted],
  [/trash/, REASONS.form_trashed],
  [/cancelled/, REASONS.cancelled],
] as const

function stopReason(
  { status, note, attempts, raw_body: body }: DeliveryDetail,
  { endpoint }: DeliveryFacts,
): Reason[] {
  if (status !== 'failed') return []
  if (note === null) return attempts.length < DELIVERY_ATTEMPTS ? [] : [REASONS.exhausted]
  const [, stop] = STOPS.find(([pattern]) => pattern.test(note)) ?? []
  if (stop === undefined)
    return [body === null ? REASONS.response_deleted : reasonWith('stopped', note, [DOCS.retries])]
  if (stop !== REASONS.paused || !endpoint?.active) return [stop]
  const cause = `${stop.cause} It is active again, which does not send this delivery.`
  return [{ ...stop, cause, change: [] }]
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

/** Statuses with which receivers refuse a signature. */
const REFUSALS: ReadonlySet<number | null> = new Set([400, 401, 403])

/** The codes of webhook-verify, with which its receivers respond. */
const CODES = new RegExp(`\\b(?:${Object.keys(ERROR_CODES).join('|')})\\b`)

/** A response body of a receiver that is about the signature. */
const ABOUT_SIGNATURES = /signature|timestamp|hmac|secret|verify|verified|verification/i

/** Returns why the receiver refused the signature of an attempt, if its status may mean that. The surest reason is the only one. */
function signatureReason(
  delivery: DeliveryDetail,
  attempt: DeliveryAttempt,
  facts: DeliveryFacts,
): Reason | undefined {
  const { secret, received, acceptedBefore } = facts
  const answer = attempt.receiver_answer ?? ''
  const [code] = CODES.exec(answer) ?? []
  if (!REFUSALS.has(attempt.http_status) && code === undefined) return undefined
  // The error of a mock receiver is certain.
  if (received) {
    const recorded = received.verification_error ?? 'no_match'
    if (recorded !== 'no_match' || !hasSameBytes(delivery, received)) return codeReason(recorded)
    return acceptedBefore === undefined ? REASONS.wrong_secret : secretReplacedSince(acceptedBefore)
  }
  const isAbout = code !== undefined || ABOUT_SIGNATURES.test(answer)
  if (attempt.http_status === 400 && answer.trim() !== '' && !isAbout) return undefined
  if (secret !== undefined && !isSignedWith(secret, delivery, attempt)) return REASONS.secret_replaced
  const ahead = secondsAhead(attempt, facts)
  const isOff = Math.abs(ahead) > DEFAULT_TOLERANCE_SECONDS
  if (isOff && (code === undefined || code.startsWith('timestamp_'))) return clockReason(ahead)
  if (code !== undefined && code !== 'no_match') return codeReason(code)
  if (acceptedBefore !== undefined) return secretReplacedSince(acceptedBefore)
  const refused =
    'The receiver responded that the signature does not match: it has another secret, or does not hash the bytes that were sent.'
  return isAbout ? { ...REASONS.no_match, cause: refused } : REASONS.no_match
}

/** Returns how many seconds the clock of the server was ahead of real time at an attempt. */
const secondsAhead = ({ timestamp }: DeliveryAttempt, { clock, realNow }: DeliveryFacts): number =>
  // A real clock runs as real time does, so the difference is that of the attempt.
  (clock.mode === 'real' ? Math.round(Date.parse(clock.now) / 1000) : timestamp) - Math.floor(realNow / 1000)

/** Whether a secret may have given the signature of an attempt. Nothing speaks against it once the bytes are gone with a deleted response. */
export const isSignedWith = (
  secret: string,
  { raw_body: body }: DeliveryDetail,
  attempt: DeliveryAttempt,
): boolean => body === null || signatureHeader(secret, attempt.timestamp, body) === attempt.signature

/** Whether a receiver received the bytes that were sent. */
const hasSameBytes = ({ raw_body: body }: DeliveryDetail, received: ReceiverDelivery): boolean =>
  body !== null && Buffer.from(received.body_base64, 'base64').equals(Buffer.from(body))

/** By a code of webhook-verify. */
function codeReason(code: string): Reason {
  const { meaning, hint } = ERROR_CODES[code as keyof typeof ERROR_CODES] ?? ERROR_CODES.no_match
  return reasonWith(code, meaning, [`docs/how-to/troubleshooting.md#${code}`], hint)
}

/** The secret was replaced before the attempt. */
const secretReplacedSince = (delivery: string): Reason => ({
  ...REASONS.secret_replaced,
  cause: `The secret of the endpoint was replaced after ${delivery}, which the receiver accepted. The receiver probably still verifies with the earlier secret.`,
  change: [
    'Give the receiver the new secret: the tool form, action rotate_secret, returned it. If it is lost, the same action creates another.',
  ],
})

function clockReason(ahead: number): Reason {
  const [name, direction] = ahead > 0 ? ['timestamp_in_future', 'ahead of'] : ['timestamp_too_old', 'behind']
  return reasonWith(
    name,
    `The signature is dated by the clock of the local server, ${Math.abs(ahead)} seconds ${direction} real time. A receiver that uses real time refuses more than ${DEFAULT_TOLERANCE_SECONDS}.`,
    [`docs/how-to/troubleshooting.md#${name}`],
    'Give the receiver the time of the server in tests (option now of webhook-verify), or a wider tolerance.',
    'Or start the server with {"clock": "real"}, and start retries with the tool deliveries, action retry.',
  )
}

/** Returns the seconds until an instant, none if there is no such instant. */
const secondsUntil = (next: string | null, { now }: ClockState): number =>
  next === null ? 0 : Math.ceil((Date.parse(next) - Date.parse(now)) / 1000)

function outcomeOf({ status, attempts, next_attempt_at: next }: DeliveryDetail, clock: ClockState): string {
  const count = attempts.length
  if (status === 'delivered')
    return count === 1
      ? 'delivered with the first attempt'
      : `delivered with attempt ${count}, after ${count - 1} failed`
  if (status === 'failed') return `failed after ${count} of ${DELIVERY_ATTEMPTS} attempts`
  const attempt = `pending: attempt ${count + 1} of ${DELIVERY_ATTEMPTS}`
  const seconds = secondsUntil(next, clock)
  return seconds > 0
    ? `${attempt} is due at ${next}, in ${seconds} s of the server's clock`
    : `${attempt} is in flight or about to start`
}

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
  const seconds = secondsUntil(next, clock)
  if (seconds <= 0) return ['Ask again: an attempt ends after at most 10 seconds.']
  // Another attempt is signed by the same clock.
  if (reasons.some(({ name }) => name.startsWith('timestamp_'))) return []
  return clock.mode === 'manual'
    ? [`Then advance the clock: tool clock, {"advance": "${seconds}s"}.`]
    : [`Then start the next attempt now: tool deliveries, {"action": "retry", "delivery": "${id}"}.`]
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
          ...pick(endpoint, ['id', 'url', 'active']),
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
        ...pick(received, ['verified', 'verification_error']),
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
  deliveries: readonly Pick<Delivery, 'status'>[],
  notSent: ReadonlyMap<number, number>,
): Explanation {
  const counts: Partial<Record<Delivery['status'], number>> = {}
  for (const { status } of deliveries) counts[status] = (counts[status] ?? 0) + 1
  const never = [...notSent.values()].reduce((sum, one) => sum + one, 0)
  // The log of an endpoint is removed with it, so that deliveries may have been sent before.
  const none = endpoints.length === 0 ? 'no delivery is logged' : 'nothing has been sent'
  const outcome = deliveries.length > 0 ? 'no delivery has failed' : none
  return explanation(outcome, reasonsFor(endpoints, deliveries.length, never), {
    deliveries: counts,
    endpoints: endpoints.map((endpoint) => ({
      ...pick(endpoint, ['id', 'form_id', 'url', 'active']),
      not_sent: notSent.get(endpoint.id) ?? endpoint.health.not_sent,
    })),
  })
}

function reasonsFor(endpoints: readonly FormEndpoint[], sent: number, notSent: number): Reason[] {
  if (sent > 0 && notSent === 0) return []
  if (endpoints.length === 0) return sent > 0 ? [] : [REASONS.no_endpoint]
  const docs = [DOCS.missed, DOCS.paused]
  if (endpoints.every(({ active }) => !active)) {
    const cause = `Every endpoint is paused: responses that are submitted meanwhile are never sent${notSent > 0 ? `, so far ${notSent}` : ''}.`
    const resume = 'Resume the endpoint (tool form, action resume), then submit a response.'
    return [reasonWith('paused', cause, docs, resume, ...catchUp(notSent))]
  }
  if (notSent === 0) return [REASONS.no_response]
  const responses = notSent === 1 ? '1 response was' : `${notSent} responses were`
  const cause = `${responses} submitted while an endpoint was paused, or before it was added, and will never be sent to it.`
  return [reasonWith('never_sent', cause, docs, ...catchUp(notSent))]
}
