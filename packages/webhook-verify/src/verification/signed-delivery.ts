import type { EventForm, EventResponse, EventType } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { checkOptions, invalidOption, type OptionNames, shown } from './check-options.ts'
import { isToken } from './delivery-headers.ts'
import { SIGNED_HEADER } from './raw-headers.ts'

/** Options of `signWebhook`. */
export interface SignOptions {
  /** The endpoint's secret. The HMAC key is the whole text, including `whsec_`. */
  secret: string
  /** Type of the event, such as `response.submitted`. */
  event: EventType
  /** Form and response of the event. `event` is added as the first member; other members are kept. */
  payload: { form: EventForm; response: EventResponse } | Record<string, unknown>
  /** @default a random UUID */
  deliveryId?: string | undefined
  /** Time of the signature: a `Date` or Unix seconds. @default the system clock */
  timestamp?: Date | number | undefined
}

/** The names of {@link SignOptions}. */
export const SIGN_OPTIONS: OptionNames<SignOptions> = {
  secret: true,
  event: true,
  payload: true,
  deliveryId: true,
  timestamp: true,
}

/** A signed delivery, ready to POST. */
export interface SignedDelivery {
  headers: SignedHeaders
  /** JSON: the exact text that was signed. */
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

/** A delivery without its signature. */
export interface UnsignedDelivery {
  timestampText: string
  body: string
  withSignature(hex: string): SignedDelivery
}

/**
 * Builds a delivery except for its signature, which Node and WebCrypto compute differently.
 * @throws WebhookVerificationError code "invalid_option".
 */
export function composeDelivery(options: SignOptions, newDeliveryId: () => string): UnsignedDelivery {
  checkOptions(options, SIGN_OPTIONS)
  const { event, payload } = options
  if (typeof event !== 'string' || !isToken(event))
    throw invalidOption(`event must be a name such as "test.ping", without white space, got ${shown(event)}.`)
  if (!isObject(payload)) {
    throw invalidOption('payload must be an object such as { form, response }.')
  }
  const timestampText = String(toSeconds(options.timestamp))
  // First in the body, as the service writes it, even if the payload has an `event`.
  const body = JSON.stringify(Object.assign({ event }, payload, { event }))
  const deliveryId = options.deliveryId ?? newDeliveryId()
  if (typeof deliveryId !== 'string' || !isToken(deliveryId))
    throw invalidOption(`deliveryId must be 1 to 256 visible ASCII characters, got ${shown(deliveryId)}.`)
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

/** Returns whole Unix seconds, rounded down: the service's header has no fraction. */
function toSeconds(timestamp: Date | number = new Date()): number {
  const seconds = Math.floor(timestamp instanceof Date ? timestamp.getTime() / 1000 : timestamp)
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds
  throw invalidOption(`timestamp must be a valid Date or Unix seconds, 0 or more, got ${shown(timestamp)}.`)
}
