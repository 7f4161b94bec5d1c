import { WebhookVerificationError } from './errors.ts'
import type { VerifiedEvent } from './event.ts'
import { checkFreshness } from './freshness.ts'
import { checkDigits, type DeliveryHeaders, readDelivery, verifiedSignature } from './headers.ts'
import { equalHex, hmacHex } from './hmac.ts'
import { likelyMistakes, noMatch } from './likely-mistakes.ts'
import { parseEvent } from './parse-event.ts'
import { readSecrets } from './secrets.ts'
import type { VerifiedSignature, VerifyOptions, VerifyResult } from './verify-options.ts'

/**
 * Verifies a delivery and returns its event (DLV-10). Headers and timestamp are validated strictly, the signature over the
 * raw bytes is compared in constant time, and only then is the body parsed.
 * @throws WebhookVerificationError with a `code`, a `hint` about the likely cause and the `status` to respond with.
 * @example
 * const event = verifyWebhook({ secret: process.env.FORMWIRE_WEBHOOK_SECRET, headers: request.headers, body: rawBody })
 * if (event.type === 'response.submitted') await save(event.response)
 */
export function verifyWebhook(options: VerifyOptions): VerifiedEvent {
  const { body, headers } = readDelivery(options)
  const secretIndex = checkSignature(options, headers, body)
  return parseEvent(typeof body === 'string' ? body : toText(body), headers, secretIndex)
}

/**
 * Verifies a delivery like {@link verifyWebhook}, but returns a result instead of throwing.
 * @example
 * const result = tryVerifyWebhook({ secret, headers, body })
 * if (!result.ok) return new Response(result.error.code, { status: result.error.status })
 */
export function tryVerifyWebhook(options: VerifyOptions): VerifyResult {
  try {
    return { ok: true, event: verifyWebhook(options) }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { ok: false, error }
    throw error
  }
}

/**
 * Verifies signature and timestamp without parsing the body, for proxies and queues that only forward the payload.
 * @throws WebhookVerificationError like {@link verifyWebhook}, except for errors about the parsed body.
 */
export function verifySignature(options: VerifyOptions): VerifiedSignature {
  const { body, headers } = readDelivery(options)
  return verifiedSignature(headers, checkSignature(options, headers, body))
}

function checkSignature(options: VerifyOptions, headers: DeliveryHeaders, body: string | Uint8Array): number {
  const secrets = readSecrets(options.secret)
  try {
    checkFreshness(headers.timestampSeconds, options.toleranceSeconds, options.now)
  } catch (error) {
    // The format of the headers comes first. A signature that matches has valid digits, so only refusals pay for this.
    checkDigits(headers)
    throw error
  }
  for (let index = 0; index < secrets.length; index++) {
    const secret = secrets[index] as string
    if (equalHex(hmacHex(secret, headers.timestampText, body), headers.signature)) return index
  }
  checkDigits(headers)
  const mistake = likelyMistakes(secrets, body).find((guess) =>
    equalHex(hmacHex(guess.secret, headers.timestampText, guess.body), headers.signature),
  )
  throw noMatch(secrets, body, mistake?.hint)
}

function toText(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString('utf8')
}
