import { DELIVERY_ATTEMPTS, type KnownEventType, LIMITS, RETRY_DELAYS_MS } from '@formwire/contract'
import { LAST_INSTANT } from '../clock/range.ts'
import { type RandomSource, randomText } from '../random.ts'

/** The states of a delivery. `delivered` and `failed` are final (DLV-07). */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** Why an attempt failed. `http_<status>` is an answer other than 2xx, a redirect included (DLV-05). */
export type AttemptError =
  | 'timeout'
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'address_refused'
  | 'protocol'
  | `http_${number}`

/** One attempt, once it has ended. */
interface AttemptRecord {
  /** From 1. */
  readonly number: number
  /** Instant at which it was signed and sent, milliseconds since the epoch. */
  readonly startedAt: number
  /** Real milliseconds it took, whatever the clock. */
  readonly durationMs: number
  /** Status of the answer, `null` without one. */
  readonly httpStatus: number | null
  /** `null` when it succeeded. */
  readonly error: AttemptError | null
  /** The `X-Service-Signature` that was sent. */
  readonly signature: string
  /** The `X-Service-Timestamp` that was sent, Unix seconds. */
  readonly timestamp: number
  /** First 300 characters of the answer, `null` without one (DLV-07). */
  readonly receiverAnswer: string | null
}

/** A delivery as it is stored. Immutable: a change makes a new record. */
export interface DeliveryRecord {
  /** Position in the order of creation. */
  readonly sequence: number
  /** The `X-Service-Delivery` of every attempt. */
  readonly id: string
  readonly endpointId: number
  readonly formId: string
  readonly event: KnownEventType
  /** 0 for a test event (DLV-02). */
  readonly responseId: number
  /** The body of every attempt, made once; `null` when the response was deleted before it could be sent. */
  readonly body: Uint8Array | null
  readonly status: DeliveryStatus
  readonly attempts: readonly AttemptRecord[]
  /** When the next attempt is due, `null` when there is none. */
  readonly nextAttemptAt: number | null
  /** Set when the delivery was stopped during an attempt: should that one fail, it was the last. */
  readonly stopNote: string | null
  /** For people: why it failed without all its attempts. */
  readonly note: string | null
  readonly createdAt: number
}

/** What an attempt adds to a delivery: everything but its number. */
export type AttemptOutcome = Omit<AttemptRecord, 'number'>

const ID_RANDOM_LENGTH = 20
const ID_PATTERN = new RegExp(`^dlv_[0-9A-Za-z]{${ID_RANDOM_LENGTH}}([0-9a-z]{1,10})$`)

/** A new id, `dlv_` and letters and digits. It ends in the sequence: that is how it is found again. */
export function newDeliveryId(random: RandomSource, sequence: number): string {
  return `dlv_${randomText(random, ID_RANDOM_LENGTH)}${sequence.toString(36)}`
}

/** The sequence that an id ends in; whether there is such a delivery is another matter. */
export function sequenceOfId(id: string): number | undefined {
  const sequence = ID_PATTERN.exec(id)?.[1]
  return sequence === undefined ? undefined : Number.parseInt(sequence, 36)
}

/** A new delivery, due at once (DLV-06). */
export function newDelivery(
  facts: Pick<
    DeliveryRecord,
    'sequence' | 'id' | 'endpointId' | 'formId' | 'event' | 'responseId' | 'createdAt'
  > & {
    readonly body: Uint8Array
  },
): DeliveryRecord {
  return {
    sequence: facts.sequence,
    id: facts.id,
    endpointId: facts.endpointId,
    formId: facts.formId,
    event: facts.event,
    responseId: facts.responseId,
    body: facts.body,
    createdAt: facts.createdAt,
    status: 'pending',
    attempts: [],
    nextAttemptAt: facts.createdAt,
    stopNote: null,
    note: null,
  }
}

/**
 * The delivery after an attempt that ended at `now`: delivered, failed after the last of six or when it was stopped
 * meanwhile, else due again after the delay of its place in the schedule (DLV-05, DLV-06).
 */
export function recordAttempt(
  delivery: DeliveryRecord,
  outcome: AttemptOutcome,
  now: number,
): DeliveryRecord {
  requirePending(delivery, 'take an attempt')
  const attempt = attemptOf(delivery.attempts.length + 1, outcome)
  const attempts = delivery.attempts.length === 0 ? [attempt] : [...delivery.attempts, attempt]
  if (outcome.error === null) return afterAttempt(delivery, attempts, 'delivered', null, delivery.note)
  if (delivery.stopNote !== null || attempts.length >= DELIVERY_ATTEMPTS) {
    return afterAttempt(delivery, attempts, 'failed', null, delivery.stopNote)
  }
  const nextAttemptAt = now + (RETRY_DELAYS_MS[attempts.length - 1] as number)
  if (nextAttemptAt > LAST_INSTANT) {
    return afterAttempt(delivery, attempts, 'failed', null, STOP_NOTES.endOfTime)
  }
  return afterAttempt(delivery, attempts, 'pending', nextAttemptAt, delivery.note)
}

/** Written out, as an attempt is. No stop note is left: one that was set has had its effect. */
function afterAttempt(
  delivery: DeliveryRecord,
  attempts: readonly AttemptRecord[],
  status: DeliveryStatus,
  nextAttemptAt: number | null,
  note: string | null,
): DeliveryRecord {
  return {
    sequence: delivery.sequence,
    id: delivery.id,
    endpointId: delivery.endpointId,
    formId: delivery.formId,
    event: delivery.event,
    responseId: delivery.responseId,
    body: delivery.body,
    createdAt: delivery.createdAt,
    status,
    attempts,
    nextAttemptAt,
    stopNote: null,
    note,
  }
}

/** Written out: to spread the outcome would take several times the memory of the record. */
function attemptOf(number: number, outcome: AttemptOutcome): AttemptRecord {
  return {
    number,
    startedAt: outcome.startedAt,
    durationMs: outcome.durationMs,
    httpStatus: outcome.httpStatus,
    error: outcome.error,
    signature: outcome.signature,
    timestamp: outcome.timestamp,
    receiverAnswer: outcome.receiverAnswer,
  }
}

/**
 * Ends a waiting delivery: failed at once with a note, or, during an attempt, unless that one succeeds (HOOK-07).
 *
 * @param inFlight Whether an attempt is running.
 */
export function stopDelivery(delivery: DeliveryRecord, note: string, inFlight: boolean): DeliveryRecord {
  requirePending(delivery, 'be stopped')
  if (inFlight) return { ...delivery, stopNote: delivery.stopNote ?? note }
  return { ...delivery, status: 'failed', nextAttemptAt: null, stopNote: null, note }
}

/** Takes the payload out of a delivery whose response was deleted. Without it, it cannot be replayed. */
export function blankDelivery(delivery: DeliveryRecord): DeliveryRecord {
  return { ...delivery, body: null }
}

/** Whether the log has let go of it: finished, and created more than 30 days ago (DLV-09). */
export function isExpired(delivery: DeliveryRecord, now: number): boolean {
  return delivery.status !== 'pending' && now - delivery.createdAt > RETENTION_MS
}

const RETENTION_MS = LIMITS.deliveryRetentionDays * 86_400_000

function requirePending(delivery: DeliveryRecord, verb: string): void {
  if (delivery.status !== 'pending') {
    throw new Error(`Delivery ${delivery.id} is ${delivery.status} and cannot ${verb}.`)
  }
}

/** Notes of deliveries that ended without all their attempts. */
export const STOP_NOTES = {
  paused: 'The endpoint is paused. Resume it and replay this delivery.',
  responseDeleted: 'The response was deleted before this delivery reached its receiver.',
  formTrashed: 'The form was moved to the trash before this delivery reached its receiver.',
  endOfTime: 'The next attempt would lie past the year 9999, where the clock ends.',
} as const
