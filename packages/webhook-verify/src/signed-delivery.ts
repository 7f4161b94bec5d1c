import type { EventForm, EventResponse, EventType } from '@formwire/contract'
import { isToken } from './delivery-headers.ts'
import { WebhookVerificationError } from './errors.ts'
import { SIGNED_HEADER } from './header-names.ts'
import { shown } from './shown.ts'

/** What a signed delivery is made of. */
export interface SignOptions {
  /** The endpoint's secret. The HMAC key is the whole text, `whsec_` included. */
  secret: string
  /** Kind of the event, such as `response.submitted`. */
  event: EventType
  /** Form and response of the event; `event` is added in front. Other members are kept. */
  payload: { form: EventForm; response: EventResponse } | Record<string, unknown>
  /** @default a random UUID */
  deliveryId?: string | undefined
  /** When it is signed: a `Date` or Unix seconds. @default the system clock */
  timestamp?: Date | number | undefined
}

/** A signed delivery, ready to be sent by POST. */
export interface SignedDelivery {
  headers: SignedHeaders
  /** JSON, the exact text that was signed. */
  body: string
}

/** The headers of a delivery, as the service spells them (DLV-04). */
export interface SignedHeaders extends Record<string, string> {
  'Content-Type': string
  'X-Service-Event': string
  'X-Service-Delivery': string
  'X-Service-Timestamp': string
  'X-Service-Signature': string
}

/** Everything of a delivery but its signature. */
export interface UnsignedDelivery {
  timestampText: string
  body: string
  withSignature(hex: string): SignedDelivery
}

/**
 * Puts a delivery together up to the signature, which node and web compute differently.
 * @throws WebhookVerificationError code "invalid_option".
 */
export function composeDelivery(options: SignOptions, newDeliveryId: () => string): UnsignedDelivery {
  const { event, payload } = options
  if (typeof event !== 'string' || !isToken(event))
    throw invalid(`event must be a name such as "test.ping", without white space, got ${shown(event)}.`)
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw invalid('payload must be an object such as { form, response }.')
  }
  const timestampText = String(toSeconds(options.timestamp))
  // First in the body, as the service writes it, whatever `event` the payload may have of its own.
  const body = JSON.stringify(Object.assign({ event }, payload, { event }))
  const deliveryId = options.deliveryId ?? newDeliveryId()
  if (typeof deliveryId !== 'string' || !isToken(deliveryId))
    throw invalid(`deliveryId must be 1 to 256 visible ASCII characters, got ${shown(deliveryId)}.`)
  return {
    timestampText,
    body,
    withSignature: (hex) => ({
      headers: {
        'Content-Type': 'application/json',
        [SIGNED_HEADER.event]: event,
        [SIGNED_HEADER.delivery]: deliveryId,
        [SIGNED_HEADER.timestamp]: timestampText,
        [SIGNED_HEADER.signature]: `sha256=${hex}`,
      },
      body,
    }),
  }
}

/** Whole Unix seconds; a fraction is cut off, as the service's header has none. */
function toSeconds(timestamp: Date | number = new Date()): number {
  const seconds = Math.floor(timestamp instanceof Date ? timestamp.getTime() / 1000 : timestamp)
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds
  throw invalid(`timestamp must be a valid Date or Unix seconds from 0, got ${shown(timestamp)}.`)
}

function invalid(message: string): WebhookVerificationError {
  return new WebhookVerificationError('invalid_option', message)
}
