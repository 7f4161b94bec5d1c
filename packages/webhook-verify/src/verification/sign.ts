import { randomUUID } from 'node:crypto'
import { hmacHex } from './hmac.ts'
import { composeDelivery, type SignedDelivery, type SignOptions } from './signed-delivery.ts'

/**
 * Returns a signed delivery as the service sends it (DLV-03, DLV-04), for testing a receiver or sending manually.
 * @example
 * const { headers, body } = signWebhook({ secret: 'whsec_test', event: 'response.submitted', payload: { form, response } })
 * await fetch(url, { method: 'POST', headers, body })
 * @throws WebhookVerificationError code "invalid_secret" or "invalid_option".
 */
export function signWebhook(options: SignOptions): SignedDelivery {
  const { secret, timestampText, body, withSignature } = composeDelivery(options, randomUUID)
  return withSignature(hmacHex(secret, timestampText, body))
}

/**
 * Returns the value of `X-Service-Signature` for an existing body: `sha256=` followed by 64 hex digits. The low-level
 * counterpart of {@link signWebhook}, for senders of many deliveries. Does not validate its arguments or copy the body.
 */
export function signatureHeader(secret: string, timestampSeconds: number, body: string | Uint8Array): string {
  return `sha256=${hmacHex(secret, String(timestampSeconds), body)}`
}
