import { createHmac, createSecretKey, type KeyObject, randomUUID, timingSafeEqual } from 'node:crypto'
import { composeDelivery, type SignedDelivery, type SignOptions } from './signed-delivery.ts'

/** Cached keys: a receiver has few secrets. */
const keys = new Map<string, KeyObject>()
const MAX_KEYS = 256

function keyOf(secret: string): KeyObject {
  let key = keys.get(secret)
  if (key === undefined) {
    if (keys.size >= MAX_KEYS) keys.clear()
    key = createSecretKey(secret, 'utf8')
    keys.set(secret, key)
  }
  return key
}

/** Returns the hex HMAC-SHA256 of `timestamp "." body`, keyed with the whole secret (DLV-04). Does not copy the body. */
export function hmacHex(secret: string, timestampText: string, body: string | Uint8Array): string {
  return createHmac('sha256', keyOf(secret)).update(`${timestampText}.`).update(body).digest('hex')
}

const HEX_LENGTH = 64
/** Buffers for the comparison, reused because allocating two costs more than comparing them. */
const left = Buffer.alloc(HEX_LENGTH)
const right = Buffer.alloc(HEX_LENGTH)

/** Compares two hex digests of 64 characters in constant time (DLV-10). */
export function equalHex(a: string, b: string): boolean {
  if (a.length !== HEX_LENGTH || b.length !== HEX_LENGTH) return false
  left.write(a, 0, HEX_LENGTH, 'latin1')
  right.write(b, 0, HEX_LENGTH, 'latin1')
  // Latin-1 drops the high byte of a character, so "ı" would pass for "1". The second comparison only runs on equal
  // bytes, so its timing reveals nothing.
  return timingSafeEqual(left, right) && a === b
}

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
