import { DELIVERY_HEADERS } from '@formwire/contract'
import type { DeliveryRecord } from '../domain/delivery.ts'

/**
 * Returns the headers of an attempt as a flat list of names and values (DLV-04). `X-Service-Event` equals the event of the body
 * (DLV-13), and the delivery id is the same in every attempt (DLV-06).
 */
export function deliveryHeaders(delivery: DeliveryRecord, timestamp: number, signature: string): string[] {
  return [
    'content-type',
    'application/json',
    'accept',
    '*/*',
    'accept-encoding',
    'identity',
    'user-agent',
    'Formwire-Webhooks/1',
    DELIVERY_HEADERS.event,
    delivery.event,
    DELIVERY_HEADERS.delivery,
    delivery.id,
    DELIVERY_HEADERS.timestamp,
    String(timestamp),
    DELIVERY_HEADERS.signature,
    signature,
  ]
}
