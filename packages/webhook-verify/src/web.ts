import { readBody } from './body.ts'
import { checkDigits, type DeliveryHeaders, readDeliveryHeaders } from './delivery-headers.ts'
import { WebhookVerificationError } from './errors.ts'
import type { VerifiedEvent } from './event.ts'
import { checkFreshness } from './freshness.ts'
import { likelyMistakes, noMatch } from './likely-mistakes.ts'
import { parseEvent } from './parse-event.ts'
import { readSecrets } from './secrets.ts'
import { composeDelivery, type SignedDelivery, type SignOptions } from './signed-delivery.ts'
import type { VerifiedSignature, VerifyOptions, VerifyResult } from './verify-options.ts'
import { signedBytes, webHmacHex, webHmacMatches } from './web-hmac.ts'

export { ERROR_CODES, type WebhookErrorCode } from './error-codes.ts'
export { WebhookVerificationError } from './errors.ts'
export type {
  ResponseSubmittedEvent,
  TestPingEvent,
  UnknownEvent,
  UnknownEventType,
  VerifiedEvent,
} from './event.ts'
export type { SignedDelivery, SignedHeaders, SignOptions } from './signed-delivery.ts'
export { type Verification, verificationOf } from './verification.ts'
export type {
  RawRequest,
  VerifiedSignature,
  VerifyOptions,
  VerifyPolicy,
  VerifyResult,
} from './verify-options.ts'

/**
 * Verifies a delivery with WebCrypto, for runtimes without `node:crypto`: Workers, Deno, browsers. Same options, same
 * checks in the same order, same errors as the synchronous `verifyWebhook`.
 * @throws WebhookVerificationError (as a rejection).
 */
export async function verifyWebhook(options: VerifyOptions): Promise<VerifiedEvent> {
  const input = readBody(options.body)
  const headers = readDeliveryHeaders(options.headers)
  const { secretIndex, body } = await checkSignature(options, headers, input)
  return parseEvent(typeof body === 'string' ? body : toText(body), headers, secretIndex)
}

/** As {@link verifyWebhook}, with the error as a result instead of a rejection. */
export async function tryVerifyWebhook(options: VerifyOptions): Promise<VerifyResult> {
  try {
    return { ok: true, event: await verifyWebhook(options) }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { ok: false, error }
    throw error
  }
}

/** Verifies signature and timestamp and leaves the body unparsed: for proxies and queues that only pass bytes on. */
export async function verifySignature(options: VerifyOptions): Promise<VerifiedSignature> {
  const body = readBody(options.body)
  const headers = readDeliveryHeaders(options.headers)
  const { secretIndex } = await checkSignature(options, headers, body)
  return {
    secretIndex,
    timestamp: new Date(headers.timestampSeconds * 1000),
    deliveryId: headers.deliveryId ?? null,
  }
}

/** A signed delivery as the service sends it (DLV-03, DLV-04), signed with WebCrypto. */
export async function signWebhook(options: SignOptions): Promise<SignedDelivery> {
  const [secret] = readSecrets(options.secret) as [string]
  const delivery = composeDelivery(options, () => crypto.randomUUID())
  const signed = signedBytes(delivery.timestampText, delivery.body)
  return delivery.withSignature(await webHmacHex(secret, signed))
}

/** @returns which secret matched, and the body that it signs: a copy, where the caller's bytes may change meanwhile. */
async function checkSignature(
  options: VerifyOptions,
  headers: DeliveryHeaders,
  input: string | Uint8Array,
): Promise<{ secretIndex: number; body: string | Uint8Array }> {
  const { timestampText, signature } = headers
  const secrets = [...readSecrets(options.secret)]
  checkFreshness(headers.timestampSeconds, options.toleranceSeconds, options.now)
  checkDigits(headers)
  const signed = signedBytes(timestampText, input)
  const body = typeof input === 'string' ? input : signed.subarray(timestampText.length + 1)
  for (const [secretIndex, secret] of secrets.entries()) {
    if (await webHmacMatches(secret, signed, signature)) return { secretIndex, body }
  }
  for (const guess of likelyMistakes(secrets, body)) {
    if (await webHmacMatches(guess.secret, signedBytes(timestampText, guess.body), signature)) {
      throw noMatch(secrets, body, guess.hint)
    }
  }
  throw noMatch(secrets, body, undefined)
}

/** Keeps a byte order mark, as `Buffer.toString` does: both doors then refuse the same bodies. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
