import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

/** Prepared keys: making one costs as much as hashing 200 bytes, and a receiver has few secrets. */
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

/** Hex HMAC-SHA256 of `timestamp "." body`, keyed with the whole secret (DLV-04). The body is hashed where it lies, not copied. */
export function hmacHex(secret: string, timestampText: string, body: string | Uint8Array): string {
  const hmac = createHmac('sha256', keyOf(secret)).update(`${timestampText}.`, 'latin1')
  return (typeof body === 'string' ? hmac.update(body, 'utf8') : hmac.update(body)).digest('hex')
}

/** Compares two hex digests of 64 characters in constant time (DLV-10). */
export function equalHex(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'))
}
