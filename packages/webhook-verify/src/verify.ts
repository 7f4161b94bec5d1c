import { readBody } from './body.ts'
import { checkDigits, type DeliveryHeaders, readDeliveryHeaders } from './delivery-headers.ts'
import { WebhookVerificationError } from './errors.ts'
import type { VerifiedEvent } from './event.ts'
import { checkFreshness } from './freshness.ts'
import { equalHex, hmacHex } from './hmac.ts'
import { likelyMistakes, noMatch } from './likely-mistakes.ts'
import { parseEvent } from './parse-event.ts'
import { readSecrets } from './secrets.ts'
import type { VerifiedSignature, VerifyOptions, VerifyResult } from './verify-options.ts'

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
