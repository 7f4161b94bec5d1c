import type { KnownEventType, Timestamp } from '@formwire/contract'
import type { AttemptError, DeliveryRecord, DeliveryStatus } from '../domain/delivery.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { Unspecified } from '../unspecified.ts'

/** A line of the delivery log (DLV-07). */
export interface DeliveryEntry {
  /** The `X-Service-Delivery` of its attempts. */
  id: string
  event: KnownEventType
  status: DeliveryStatus
  /** 0 for a test event. */
  response_id: number
  /** The event that is sent; empty when the response was deleted before it could be. */
  payload: Record<string, unknown>
  /** Status of the last attempt's answer, `null` without one. */
  http_status: number | null
  /** First 300 characters of the last attempt's answer, `null` without one. */
  receiver_answer: string | null
  /** How many attempts have ended. */
  attempts: number
  next_attempt_at: Timestamp | null
  /** Why it failed without all its attempts. */
  note: string | null
  created_at: Timestamp
  /** What it belongs to: a stream of all endpoints would else not tell. */
  form_id: string
  webhook_id: number
}

/** One attempt of a delivery, once it has ended. */
export interface DeliveryAttempt {
  /** From 1. */
  number: number
  started_at: Timestamp
  /** Real milliseconds, whatever the clock. */
  duration_ms: number
  http_status: number | null
  /** `null` when it succeeded. */
  error: AttemptError | null
  signature: string
  /** Unix seconds. */
  timestamp: number
  receiver_answer: string | null
}

/** A delivery with all that is kept of it. */
export interface DeliveryDetail extends Omit<DeliveryEntry, 'attempts'> {
  /** The body as it is sent, byte for byte; `null` when the response was deleted before it could be. */
  raw_body: string | null
  attempts: DeliveryAttempt[]
}

type Style = Pick<Unspecified, 'timestamps'>

/** A delivery as the log shows it. */
export function writeEntry(delivery: DeliveryRecord, { timestamps }: Style): DeliveryEntry {
  const last = delivery.attempts.at(-1)
  const body = rawBody(delivery)
  return {
    id: delivery.id,
    event: delivery.event,
    status: delivery.status,
    response_id: delivery.responseId,
    payload: body === null ? {} : JSON.parse(body),
    http_status: last?.httpStatus ?? null,
    receiver_answer: last?.receiverAnswer ?? null,
    attempts: delivery.attempts.length,
    next_attempt_at:
      delivery.nextAttemptAt === null ? null : formatTimestamp(delivery.nextAttemptAt, timestamps),
    note: delivery.note,
    created_at: formatTimestamp(delivery.createdAt, timestamps),
    form_id: delivery.formId,
    webhook_id: delivery.endpointId,
  }
}

/** A delivery with its attempts and its raw body. */
export function writeDetail(delivery: DeliveryRecord, style: Style): DeliveryDetail {
  return {
    ...writeEntry(delivery, style),
    raw_body: rawBody(delivery),
    attempts: delivery.attempts.map((attempt) => ({
      number: attempt.number,
      started_at: formatTimestamp(attempt.startedAt, style.timestamps),
      duration_ms: attempt.durationMs,
      http_status: attempt.httpStatus,
      error: attempt.error,
      signature: attempt.signature,
      timestamp: attempt.timestamp,
      receiver_answer: attempt.receiverAnswer,
    })),
  }
}

function rawBody({ body }: DeliveryRecord): string | null {
  return body === null ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
}
