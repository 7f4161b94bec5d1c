import type { EventForm, EventResponse, EventType } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { checkOption, checkOptions, invalidOption, type OptionNames } from './check-options.ts'
import { isToken } from './headers.ts'
import { readSecrets } from './secrets.ts'

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
  secret: string
  timestampText: string
  body: string
  withSignature(hex: string): SignedDelivery
}

/**
 * Builds a delivery except for its signature, which Node and WebCrypto compute differently.
 * @throws WebhookVerificationError code "invalid_option" or "invalid_secret".
 */
export function composeDelivery(options: SignOptions, newDeliveryId: () => string): UnsignedDelivery {
  checkOptions(options, SIGN_OPTIONS)
  const { event, payload } = options
  checkToken('event', 'a name such as "test.ping", without white space', event)
  if (!isObject(payload)) throw invalidOption('payload must be an object such as { form, response }.')
  const timestampText = String(toSeconds(options.timestamp))
  // First in the body, as the service writes it, even if the payload has an `event`.
  const body = JSON.stringify(Object.assign({ event }, payload, { event }))
  const deliveryId = options.deliveryId ?? newDeliveryId()
  checkToken('deliveryId', '1 to 256 visible ASCII characters', deliveryId)
  const [secret] = readSecrets(options.secret) as [string]
  return {
    secret,
    timestampText,
    body,
    withSignature: (hex) => ({
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Event': event,
        'X-Service-Delivery': deliveryId,
        'X-Service-Timestamp': timestampText,
        'X-Service-Signature': `sha256=${hex}`,
      },
      body,
    }),
  }
}

/** Returns whole Unix seconds, rounded down: the service's header has no fraction. */
function toSeconds(timestamp: Date | number = new Date()): number {
  const seconds = Math.floor(timestamp instanceof Date ? timestamp.getTime() / 1000 : timestamp)
  const holds = Number.isSafeInteger(seconds) && seconds >= 0
  checkOption(holds, 'timestamp', 'a valid Date or Unix seconds, 0 or more', timestamp)
  return seconds
}

function checkToken(name: string, wanted: string, value: unknown): void {
  checkOption(typeof value === 'string' && isToken(value), name, wanted, value)
}
