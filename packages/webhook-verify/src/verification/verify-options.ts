import type { BodyInput } from './body.ts'
import type { WebhookVerificationError } from './errors.ts'
import type { VerifiedEvent } from './event.ts'
import type { Now } from './freshness.ts'
import type { SecretInput } from './secrets.ts'

/** The value of one header, as frameworks pass it. */
export type HeaderValue = string | readonly string[] | undefined

/**
 * Headers in any shape that runtimes use: a plain object with names in any case (`IncomingMessage.headers`, Lambda
 * events), a `Headers`, a `Map`, `[name, value]` pairs, or the flat list of `IncomingMessage.rawHeaders`.
 */
export type HeadersInput =
  | { readonly [name: string]: HeaderValue }
  | { get(name: string): string | null; forEach(callback: (value: string, name: string) => void): void }
  | Iterable<readonly [string, HeaderValue]>
  | readonly string[]

/** How deliveries are verified, independent of the request. */
export interface VerifyPolicy {
  /** The endpoint's secret as shown when it was created, including `whsec_`. Pass several during a rotation. */
  secret: SecretInput
  /** Maximum difference between the timestamp and now, in seconds, in either direction. `Infinity` accepts any age. @default 300 */
  toleranceSeconds?: number | undefined
  /** The current time. @default the system clock */
  now?: Now | undefined
}

/** A request as received. */
export interface RawRequest {
  /** The request's headers, in any shape that runtimes use. */
  headers: HeadersInput
  /** The raw body as received. Never a parsed object: the signature covers bytes. */
  body: BodyInput
}

/** Options of `verifyWebhook`. */
export interface VerifyOptions extends VerifyPolicy, RawRequest {}

/** The result of `tryVerifyWebhook`. */
export type VerifyResult = { ok: true; event: VerifiedEvent } | { ok: false; error: WebhookVerificationError }

/** The result of `verifySignature`. It says nothing about the body's content. */
export interface VerifiedSignature {
  /** Index of the secret that matched. */
  secretIndex: number
  /** When this attempt was signed. */
  timestamp: Date
  /** `X-Service-Delivery`, which is not signed; `null` when missing. */
  deliveryId: string | null
}
