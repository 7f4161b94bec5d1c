import { randomUUID } from 'node:crypto'
import { hmacHex } from './hmac.ts'
import { readSecrets } from './secrets.ts'
import { composeDelivery, type SignedDelivery, type SignOptions } from './signed-delivery.ts'

/**
 * A signed delivery as the service sends it (DLV-03, DLV-04): for tests of a receiver, and for sending by hand.
 * @throws WebhookVerificationError code "invalid_secret" or "invalid_option".
 */
export function signWebhook(options: SignOptions): SignedDelivery {
  const [secret] = readSecrets(options.secret) as [string]
  const delivery = composeDelivery(options, randomUUID)
  return delivery.withSignature(hmacHex(secret, delivery.timestampText, delivery.body))
}

/**
 * The value of `X-Service-Signature` for bytes that exist already, `sha256=` followed by 64 hex digits: the primitive
 * beneath {@link signWebhook}, for whoever sends many deliveries. Nothing is checked or copied.
 */
export function signatureHeader(secret: string, timestampSeconds: number, body: string | Uint8Array): string {
  return `sha256=${hmacHex(secret, String(timestampSeconds), body)}`
}
