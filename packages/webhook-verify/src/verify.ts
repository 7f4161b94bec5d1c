import { type BodyInput, readBody } from './body.ts'
import { type DeliveryHeaders, readDeliveryHeaders } from './delivery-headers.ts'
import { WebhookVerificationError } from './errors.ts'
import type { VerifiedEvent } from './event.ts'
import { checkFreshness, type Now } from './freshness.ts'
import { equalHex, hmacHex } from './hmac.ts'
import { likelyMistakes } from './likely-mistakes.ts'
import { parseEvent } from './parse-event.ts'
import type { HeadersInput } from './raw-headers.ts'
import { readSecrets, type SecretInput } from './secrets.ts'

/** What is needed to verify one delivery. */
export interface VerifyOptions {
  /** The endpoint's secret as shown at its creation, `whsec_` included; several while one replaces the other. */
  secret: SecretInput
  /** The request's headers, in any of the shapes that runtimes use. */
  headers: HeadersInput
  /** The raw body as received. Never a parsed object: the signature covers bytes. */
  body: BodyInput
  /** How far the timestamp may be from now, in seconds, in both directions; `Infinity` accepts any age. @default 300 */
  toleranceSeconds?: number | undefined
  /** The current instant. @default the system clock */
  now?: Now | undefined
}

/** What {@link tryVerifyWebhook} gives. */
export type VerifyResult = { ok: true; event: VerifiedEvent } | { ok: false; error: WebhookVerificationError }

/**
 * Verifies a delivery and gives its event (DLV-10): headers and timestamp are read strictly, the signature is compared
 * in constant time over the raw bytes, and only then is the body parsed.
 * @throws WebhookVerificationError with a `code`, a `hint` at the likely mistake and the `status` to answer with.
 */
export function verifyWebhook(options: VerifyOptions): VerifiedEvent {
  const body = readBody(options.body)
  const headers = readDeliveryHeaders(options.headers)
  const secretIndex = checkSignature(options, headers, body)
  return parseEvent(typeof body === 'string' ? body : toText(body), headers, secretIndex)
}

/** As {@link verifyWebhook}, with the error as a result instead of a throw. */
export function tryVerifyWebhook(options: VerifyOptions): VerifyResult {
  try {
    return { ok: true, event: verifyWebhook(options) }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { ok: false, error }
    throw error
  }
}

/** What {@link verifySignature} proves: the signature and its time, nothing about the body's content. */
export interface VerifiedSignature {
  /** Which of the secrets matched. */
  secretIndex: number
  /** When this attempt was signed. */
  timestamp: Date
  /** `X-Service-Delivery`, which is not signed; `null` when missing. */
  deliveryId: string | null
}

/**
 * Verifies signature and timestamp and leaves the body unparsed: for proxies and queues that only pass bytes on.
 * @throws WebhookVerificationError as {@link verifyWebhook}, save for what needs the parsed body.
 */
export function verifySignature(options: VerifyOptions): VerifiedSignature {
  const body = readBody(options.body)
  const headers = readDeliveryHeaders(options.headers)
  const secretIndex = checkSignature(options, headers, body)
  return {
    secretIndex,
    timestamp: new Date(headers.timestampSeconds * 1000),
    deliveryId: headers.deliveryId ?? null,
  }
}

function checkSignature(options: VerifyOptions, headers: DeliveryHeaders, body: string | Uint8Array): number {
  const secrets = readSecrets(options.secret)
  checkFreshness(headers.timestampSeconds, options.toleranceSeconds, options.now)
  for (let index = 0; index < secrets.length; index++) {
    const secret = secrets[index] as string
    if (equalHex(hmacHex(secret, headers.timestampText, body), headers.signature)) return index
  }
  throw noMatch(secrets, headers, body)
}

function noMatch(
  secrets: readonly string[],
  headers: DeliveryHeaders,
  body: string | Uint8Array,
): WebhookVerificationError {
  const mistake = likelyMistakes(secrets, body).find(({ secret, body }) =>
    equalHex(hmacHex(secret, headers.timestampText, body), headers.signature),
  )
  const tried = secrets.length === 1 ? 'the secret' : `any of the ${secrets.length} secrets`
  return new WebhookVerificationError(
    'no_match',
    `The signature does not match the ${body.length} ${typeof body === 'string' ? 'characters' : 'bytes'} of the body with ${tried}.`,
    mistake && { hint: mistake.hint },
  )
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
