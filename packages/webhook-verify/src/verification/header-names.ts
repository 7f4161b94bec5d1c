import type { DELIVERY_HEADERS } from '@formwire/contract'

/** Header names in lower case (DLV-04). A test compares them with the contract's table. */
export const HEADER: typeof DELIVERY_HEADERS = {
  event: 'x-service-event',
  delivery: 'x-service-delivery',
  timestamp: 'x-service-timestamp',
  signature: 'x-service-signature',
}

/** Header names as the service spells them, used when signing. */
export const SIGNED_HEADER = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  timestamp: 'X-Service-Timestamp',
  signature: 'X-Service-Signature',
} as const
