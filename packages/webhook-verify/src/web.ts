import { WebhookVerificationError } from './verification/errors.ts'
import type { VerifiedEvent } from './verification/event.ts'
import { checkFreshness } from './verification/freshness.ts'
import { checkDigits, type DeliveryHeaders, readDelivery, verifiedSignature } from './verification/headers.ts'
import { likelyMistakes, noMatch } from './verification/likely-mistakes.ts'
import { parseEvent } from './verification/parse-event.ts'
import { readSecrets } from './verification/secrets.ts'
import { composeDelivery, type SignedDelivery, type SignOptions } from './verification/signed-delivery.ts'
import type { VerifiedSignature, VerifyOptions, VerifyResult } from './verification/verify-options.ts'
import { signedBytes, webHmacHex, webHmacMatches } from './verification/web-hmac.ts'

export type * from './types.ts'
export { ERROR_CODES, WebhookVerificationError } from './verification/errors.ts'
export { verificationOf } from './verification/verification.ts'

/**
 * Verifies a delivery with WebCrypto, for runtimes without `node:crypto`: Workers, Deno, browsers. Options, checks and
 * errors are those of the synchronous `verifyWebhook`.
 * @example
 * const event = await verifyWebhook({ secret: env.FORMWIRE_WEBHOOK_SECRET, headers: request.headers, body: await request.text() })
 * @throws WebhookVerificationError (as a rejection).
 */
export async function verifyWebhook(options: VerifyOptions): Promise<VerifiedEvent> {
  const { body: input, headers } = readDelivery(options)
  const { secretIndex, body } = await checkSignature(options, headers, input)
  return parseEvent(typeof body === 'string' ? body : toText(body), headers, secretIndex)
}

/** Verifies a delivery like {@link verifyWebhook}, but resolves to a result instead of rejecting. */
export async function tryVerifyWebhook(options: VerifyOptions): Promise<VerifyResult> {
  try {
    return { ok: true, event: await verifyWebhook(options) }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { ok: false, error }
    throw error
  }
}

/** Verifies signature and timestamp without parsing the body, for proxies and queues that only forward the payload. */
export async function verifySignature(options: VerifyOptions): Promise<VerifiedSignature> {
  const { body, headers } = readDelivery(options)
  const { secretIndex } = await checkSignature(options, headers, body)
  return verifiedSignature(headers, secretIndex)
}

/** Returns a delivery as the service sends it (DLV-03, DLV-04), signed with WebCrypto. */
export async function signWebhook(options: SignOptions): Promise<SignedDelivery> {
  const newDeliveryId = () => crypto.randomUUID()
  const { secret, timestampText, body, withSignature } = composeDelivery(options, newDeliveryId)
  return withSignature(await webHmacHex(secret, signedBytes(timestampText, body)))
}

/** @returns the index of the matching secret, and the signed body: a copy, since the caller may change its bytes meanwhile. */
async function checkSignature(
  options: VerifyOptions,
  headers: DeliveryHeaders,
  input: string | Uint8Array,
): Promise<{ secretIndex: number; body: string | Uint8Array }> {
  const { timestampText, signature } = headers
  const secrets = [...readSecrets(options.secret)]
  checkDigits(headers)
  checkFreshness(headers.timestampSeconds, options.toleranceSeconds, options.now)
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

/** Keeps a byte order mark, as `Buffer.toString` does, so that both entry points refuse the same bodies. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
