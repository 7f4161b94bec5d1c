import type { BodyInput } from './body.ts'
import type { WebhookVerificationError } from './errors.ts'
import type { VerifiedEvent } from './event.ts'
import type { Now } from './freshness.ts'
import type { HeadersInput } from './raw-headers.ts'
import type { SecretInput } from './secrets.ts'

/** How deliveries are verified, whatever the request looks like. */
export interface VerifyPolicy {
  /** The endpoint's secret as shown at its creation, `whsec_` included; several while one replaces the other. */
  secret: SecretInput
  /** How far the timestamp may be from now, in seconds, in both directions; `Infinity` accepts any age. @default 300 */
  toleranceSeconds?: number | undefined
  /** The current instant. @default the system clock */
  now?: Now | undefined
}

/** One request as it arrived. */
export interface RawRequest {
  /** The request's headers, in any of the shapes that runtimes use. */
  headers: HeadersInput
  /** The raw body as received. Never a parsed object: the signature covers bytes. */
  body: BodyInput
}

/** What is needed to verify one delivery. */
export interface VerifyOptions extends VerifyPolicy, RawRequest {}

/** What `tryVerifyWebhook` gives. */
export type VerifyResult = { ok: true; event: VerifiedEvent } | { ok: false; error: WebhookVerificationError }

/** What `verifySignature` proves: the signature and its time, nothing about the body's content. */
export interface VerifiedSignature {
  /** Which of the secrets matched: its index in the list. */
  secretIndex: number
  /** When this attempt was signed. */
  timestamp: Date
  /** `X-Service-Delivery`, which is not signed; `null` when missing. */
  deliveryId: string | null
}
