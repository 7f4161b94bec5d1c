import type { DeliveryDetail, Delivery as DeliveryEntry } from '@formwire/contract/control'
import type { DeliveryRecord } from '../domain/delivery.ts'
import { formatTimestamp } from '../domain/instant.ts'
import type { Unspecified } from '../unspecified.ts'

export type { Delivery as DeliveryEntry, DeliveryAttempt, DeliveryDetail } from '@formwire/contract/control'

type Style = Pick<Unspecified, 'timestamps'>

/** Returns a delivery as the log shows it. */
export function writeEntry(delivery: DeliveryRecord, style: Style): DeliveryEntry {
  const body = rawBody(delivery)
  return { ...writeListed(delivery, style), payload: body === null ? {} : JSON.parse(body) }
}

/** Returns `writeEntry` as JSON, without parsing and writing the payload. */
export function writeEntryText(delivery: DeliveryRecord, style: Style): string {
  return `{"payload":${rawBody(delivery) ?? '{}'},${JSON.stringify(writeListed(delivery, style)).slice(1)}`
}

/** Returns a delivery without its payload. */
export function writeListed(delivery: DeliveryRecord, { timestamps }: Style): Omit<DeliveryEntry, 'payload'> {
  const last = delivery.attempts.at(-1)
  return {
    id: delivery.id,
    event: delivery.event,
    status: delivery.status,
    response_id: delivery.responseId,
    http_status: last?.httpStatus ?? null,
    error: last?.error ?? null,
    earlier_errors: delivery.attempts.slice(0, -1).flatMap(({ error }) => error ?? []),
    duration_ms: last?.durationMs ?? null,
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

/** Returns a delivery with its attempts and its raw body. */
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

/** Returns the body as text, `null` if the response was deleted before it was sent. */
export function rawBody({ body }: DeliveryRecord): string | null {
  return body === null ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
}
