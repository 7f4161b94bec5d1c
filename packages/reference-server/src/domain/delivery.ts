import { type KnownEventType, LIMITS, RETRY_DELAYS_MS } from '@formwire/contract'
import type { AttemptError, DeliveryStatus } from '@formwire/contract/control'
import { type RandomSource, randomText } from '../random.ts'
import { LAST_INSTANT } from './instant.ts'

export type { AttemptError } from '@formwire/contract/control'

/** An attempt that has ended. */
interface AttemptRecord {
  /** From 1. */
  readonly number: number
  /** When it was signed and sent, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Duration in real milliseconds, whatever the clock. */
  readonly durationMs: number
  /** Response status, `null` without a response. */
  readonly httpStatus: number | null
  /** `null` for a success. */
  readonly error: AttemptError | null
  /** The `X-Service-Signature` that was sent. */
  readonly signature: string
  /** The `X-Service-Timestamp` that was sent, Unix seconds. */
  readonly timestamp: number
  /** First 300 characters of the response body, `null` without a response (DLV-07). */
  readonly receiverAnswer: string | null
}

/** A delivery as it is stored. Records are immutable. */
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
  /** The body of every attempt, `null` when the response was deleted before it was sent. */
  readonly body: Uint8Array | null
  readonly status: DeliveryStatus
  readonly attempts: readonly AttemptRecord[]
  /** When the next attempt is due, `null` after the last one. */
  readonly nextAttemptAt: number | null
  /** Set when the delivery is stopped during an attempt: no other attempt follows if this one fails. */
  readonly stopNote: string | null
  /** Why it failed before the last attempt, as a sentence. */
  readonly note: string | null
  readonly createdAt: number
}

/** The outcome of an attempt, without its number. */
export type AttemptOutcome = Omit<AttemptRecord, 'number'>

const ID_RANDOM_LENGTH = 20
const ID_PATTERN = new RegExp(`^dlv_[0-9A-Za-z]{${ID_RANDOM_LENGTH}}([0-9a-z]{1,10})$`)

/** Returns a new id: `dlv_`, random letters and digits, and the sequence, by which it is looked up. */
export function newDeliveryId(random: RandomSource, sequence: number): string {
  return `dlv_${randomText(random, ID_RANDOM_LENGTH)}${sequence.toString(36)}`
}

/** Returns the sequence at the end of a well-formed id. The delivery need not exist. */
export function sequenceOfId(id: string): number | undefined {
  const sequence = ID_PATTERN.exec(id)?.[1]
  return sequence === undefined ? undefined : Number.parseInt(sequence, 36)
}

/** What a delivery is from its creation on. */
type NewDelivery = Omit<DeliveryRecord, 'status' | 'attempts' | 'nextAttemptAt' | 'stopNote' | 'note'>

/** Returns a new delivery, due immediately (DLV-06). */
export const newDelivery = (facts: NewDelivery & { readonly body: Uint8Array }): DeliveryRecord =>
  withOutcome(facts, [], 'pending', facts.createdAt, null)

/**
 * Returns the delivery after an attempt: delivered, failed (after the sixth attempt, or when stopped meanwhile), or due
 * again after the scheduled delay, counted from `delayFrom` (DLV-05, DLV-06).
 */
export function recordAttempt(
  delivery: DeliveryRecord,
  outcome: AttemptOutcome,
  delayFrom: number,
): DeliveryRecord {
  requirePending(delivery, 'record an attempt')
  const attempt = attemptOf(delivery.attempts.length + 1, outcome)
  const attempts = delivery.attempts.length === 0 ? [attempt] : [...delivery.attempts, attempt]
  if (outcome.error === null) return withOutcome(delivery, attempts, 'delivered', null, delivery.note)
  const nextAttemptAt = nextAttemptAfter(attempts.length, delayFrom)
  if (delivery.stopNote !== null || nextAttemptAt === undefined) {
    return withOutcome(delivery, attempts, 'failed', null, delivery.stopNote)
  }
  if (nextAttemptAt > LAST_INSTANT) {
    return withOutcome(delivery, attempts, 'failed', null, STOP_NOTES.endOfTime)
  }
  return withOutcome(delivery, attempts, 'pending', nextAttemptAt, delivery.note)
}

/** Copied field by field, as in `attemptOf`. The stop note is cleared once it has had its effect. */
function withOutcome(
  delivery: NewDelivery,
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

/** Copied field by field: an object made by spreading needs several times the memory. */
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
 * Stops a pending delivery: it fails with a note, immediately or, during an attempt, unless that attempt succeeds
 * (HOOK-07).
 *
 * @param inFlight Whether an attempt is in flight.
 */
export function stopDelivery(delivery: DeliveryRecord, note: string, inFlight: boolean): DeliveryRecord {
  requirePending(delivery, 'be stopped')
  if (inFlight) return { ...delivery, stopNote: delivery.stopNote ?? note }
  return {
    ...delivery,
    status: 'failed',
    nextAttemptAt: null,
    stopNote: null,
    note: delivery.stopNote ?? note,
  }
}

/** Makes the next attempt of a pending delivery due at `now`, if it is due later. The schedule of further attempts stays. */
export function makeDue(delivery: DeliveryRecord, now: number): DeliveryRecord {
  requirePending(delivery, 'be retried')
  return { ...delivery, nextAttemptAt: Math.min(delivery.nextAttemptAt ?? now, now) }
}

/** Removes the payload of a delivery whose response was deleted. Such a delivery cannot be replayed. */
export function blankDelivery(delivery: DeliveryRecord): DeliveryRecord {
  return { ...delivery, body: null }
}

/** Whether it has passed the log's retention period: finished, and created more than 30 days ago (DLV-09). */
export function isExpired(delivery: DeliveryRecord, now: number): boolean {
  return delivery.status !== 'pending' && now - delivery.createdAt > RETENTION_MS
}

const RETENTION_MS = LIMITS.deliveryRetentionDays * 86_400_000

function requirePending(delivery: DeliveryRecord, verb: string): void {
  if (delivery.status !== 'pending') {
    throw new Error(`Delivery ${delivery.id} is ${delivery.status} and cannot ${verb}.`)
  }
}

/** Notes of deliveries that ended before their last attempt. */
export const STOP_NOTES = {
  paused: 'The endpoint is paused. Resume it and replay this delivery.',
  responseDeleted: 'The response was deleted before this delivery reached its receiver.',
  formTrashed: 'The form was moved to the trash before this delivery reached its receiver.',
  cancelled: 'The delivery was cancelled. Replay it to send it again.',
  endOfTime: 'The next attempt would be after the year 9999, where the clock ends.',
} as const

/** Returns the instant of the attempt after this many failed ones, or `undefined` when no more follows (DLV-06). */
function nextAttemptAfter(failedAttempts: number, delayFrom: number): number | undefined {
  const delay = RETRY_DELAYS_MS[failedAttempts - 1]
  return delay === undefined ? undefined : delayFrom + delay
}
