const keys = new Map<string, CryptoKey>()
const MAX_KEYS = 256
const encoder = new TextEncoder()

/**
 * Imported keys, kept because importing one costs more than a signature. Never the promise of one: Workers refuse to wait
 * for a promise that another request made, and one that rejected would be kept for good.
 */
async function keyOf(secret: string): Promise<CryptoKey> {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  )
  if (keys.size >= MAX_KEYS) keys.clear()
  keys.set(secret, key)
  return key
}

/** Hex HMAC-SHA256 of what {@link signedBytes} gives, with WebCrypto (DLV-04). */
export async function webHmacHex(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.sign('HMAC', await keyOf(secret), signed)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether the 64 hex digits sign these bytes; `subtle.verify` compares in constant time (DLV-10). */
export async function webHmacMatches(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatureHex: string,
): Promise<boolean> {
  const signature = new Uint8Array(32)
  for (let index = 0; index < 32; index++) {
    signature[index] = Number.parseInt(signatureHex.slice(2 * index, 2 * index + 2), 16)
  }
  return crypto.subtle.verify('HMAC', await keyOf(secret), signature, signed)
}

/**
 * `timestamp "." body` as one buffer, since WebCrypto hashes one only: so this door copies the body where node's does not.
 * The copy is also what makes waiting safe, as nobody else can change it meanwhile.
 */
export function signedBytes(timestampText: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const prefixLength = timestampText.length + 1
  const joined = new Uint8Array(prefixLength + bytes.length)
  encoder.encodeInto(`${timestampText}.`, joined)
  joined.set(bytes, prefixLength)
  return joined
}
