import { signatureHeader } from '@formwire/webhook-verify'
import type { Context } from '../../context.ts'
import { eventBody } from '../../delivery/index.ts'
import {
  type AttemptOutcome,
  type DeliveryRecord,
  newDelivery,
  newDeliveryId,
  recordAttempt,
  STOP_NOTES,
  stopDelivery,
} from '../../domain/delivery.ts'
import type { FormRecord } from '../../domain/form.ts'
import { eventResponse, type ResponseRecord } from '../../domain/response.ts'
import type { EndpointRecord } from '../../domain/webhook-endpoint.ts'
import { type Chance, createChance } from './chance.ts'
import { answerOf, durationOf, RECEIVERS, type ReceiverHistory, type ReceiverOutcome } from './receivers.ts'

type HistoryTarget = Pick<Context, 'state' | 'clock' | 'random' | 'settings'>

const WEEK_MS = 7 * 86_400_000
/** Most responses of a form that are looked at. */
const RESPONSES_MAX = 1_000
const CHANCE_SEED = 20_261_121

/** A response to deliver to an endpoint. */
interface Due {
  readonly endpoint: EndpointRecord
  readonly form: FormRecord
  readonly response: ResponseRecord
  readonly receiver: ReceiverHistory
}

/** Writes the deliveries of the last week, in the order in which they were created. Returns their ids. */
export function writeDeliveries(target: HistoryTarget): ReadonlyMap<string, DeliveryRecord> {
  const deliveries = new Map<string, DeliveryRecord>()
  const chance = createChance(CHANCE_SEED)
  const counts = new Map<number, number>()
  for (const due of dueOf(target)) {
    const position = counts.get(due.endpoint.id) ?? 0
    counts.set(due.endpoint.id, position + 1)
    const delivery = play(target, due, position, chance)
    target.state.deliveries.put(delivery)
    deliveries.set(delivery.id, delivery)
  }
  target.state.readLogs()
  return deliveries
}

/** Returns what was delivered, oldest first. Notes since when paused endpoints are, and what they missed. */
function dueOf({ state, clock }: HistoryTarget): Due[] {
  const now = clock.now()
  return state.endpoints
    .all()
    .flatMap((endpoint) => {
      const form = state.forms.get(endpoint.formId)
      const { host, pathname } = new URL(endpoint.url)
      const receiver = RECEIVERS.find((known) => host.startsWith(known.host) && pathname === known.path)
      if (!form || !receiver) return []
      const until = now - (receiver.pausedAgo ?? 0)
      const submitted = state.responses.list(
        form.id,
        'submitted',
        Math.max(now - WEEK_MS, endpoint.createdAt),
        0,
        RESPONSES_MAX,
      ).items
      if (!endpoint.active) {
        const notSent = submitted.filter(({ at }) => at >= until).length
        state.endpoints.put({ ...endpoint, pausedAt: until, notSent })
      }
      return submitted
        .filter(({ at }) => at < until)
        .map((response) => ({ endpoint, form, response, receiver }))
    })
    .sort((a, b) => a.response.at - b.response.at || a.endpoint.id - b.endpoint.id)
}

/** Plays a delivery up to now by the rules of the engine. */
function play(
  target: HistoryTarget,
  { endpoint, form, response, receiver }: Due,
  position: number,
  chance: Chance,
): DeliveryRecord {
  const { state, clock, random, settings } = target
  const now = clock.now()
  const pausedAt = receiver.pausedAgo === undefined ? Number.POSITIVE_INFINITY : now - receiver.pausedAgo
  const sequence = state.deliveries.nextSequence()
  const body = eventBody('response.submitted', form, eventResponse(response), settings.unspecified)
  let delivery = newDelivery({
    sequence,
    id: newDeliveryId(random, sequence),
    endpointId: endpoint.id,
    formId: form.id,
    event: 'response.submitted',
    responseId: response.id,
    createdAt: response.at,
    body,
  })
  while (delivery.status === 'pending') {
    const at = delivery.nextAttemptAt ?? response.at
    if (at > pausedAt) return stopDelivery(delivery, STOP_NOTES.paused, false)
    if (at > now) return delivery
    const facts = { ago: now - at, number: delivery.attempts.length + 1, delivery: position }
    const outcome = receiver.outcome(facts, chance)
    // No attempt is in flight when the server starts.
    const durationMs = Math.min(durationOf(outcome, settings.deliveryTimeoutMs, chance), now - at)
    const attempt = { ...attemptAt(at, outcome, { endpoint, body }, chance), durationMs }
    delivery = recordAttempt(delivery, attempt, at + durationMs)
  }
  return delivery
}

function attemptAt(
  startedAt: number,
  outcome: ReceiverOutcome,
  { endpoint: { secret }, body }: { readonly endpoint: EndpointRecord; readonly body: Uint8Array },
  chance: Chance,
): Omit<AttemptOutcome, 'durationMs'> {
  const timestamp = Math.floor(startedAt / 1000)
  const status = typeof outcome === 'number' ? outcome : null
  return {
    startedAt,
    httpStatus: status,
    error: typeof outcome === 'string' ? outcome : outcome < 300 ? null : `http_${outcome}`,
    signature: signatureHeader(secret, timestamp, body),
    timestamp,
    receiverAnswer: status === null ? null : answerOf(status, chance),
  }
}
