import type { DELIVERY_HEADERS } from '@formwire/contract'
import { signatureHeader } from '@formwire/webhook-verify'
import type { RawDelivery } from './receiver.ts'

/** An event to sign. */
export interface EventToSign {
  body: Buffer
  /** Value of the event header; null sends none. */
  event: string | null
  deliveryId: string
}

/** Returns a delivery with the headers that the service sends (DLV-04), signed at `now`, in milliseconds. */
export function signedDelivery(
  { body, event, deliveryId }: EventToSign,
  secret: string,
  now: number,
): RawDelivery {
  const timestamp = Math.floor(now / 1000)
  const rawHeaders = [
    'Content-Type',
    'application/json',
    ...(event === null ? [] : [HEADER_NAMES.event, event]),
    HEADER_NAMES.delivery,
    deliveryId,
    HEADER_NAMES.timestamp,
    String(timestamp),
    HEADER_NAMES.signature,
    signatureHeader(secret, timestamp, body),
  ]
  return { rawHeaders, body }
}

/** As the service spells them. */
const HEADER_NAMES: Record<keyof typeof DELIVERY_HEADERS, string> = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  timestamp: 'X-Service-Timestamp',
  signature: 'X-Service-Signature',
}
