const keys = new Map<string, CryptoKey>()
const MAX_KEYS = 256
const encoder = new TextEncoder()

/**
 * Returns the imported key, from a cache because importing one costs more than a signature. The cache holds keys, not
 * promises: Workers cannot await a promise of another request, and a rejected promise would stay in the cache.
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

/** Returns the hex HMAC-SHA256 of the result of {@link signedBytes}, with WebCrypto (DLV-04). */
export async function webHmacHex(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.sign('HMAC', await keyOf(secret), signed)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether the 64 hex digits are the signature of these bytes. `subtle.verify` compares in constant time (DLV-10). */
export async function webHmacMatches(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatureHex: string,
): Promise<boolean> {
  const signature = Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(signatureHex.slice(2 * index, 2 * index + 2), 16),
  )
  return crypto.subtle.verify('HMAC', await keyOf(secret), signature, signed)
}

/**
 * Returns `timestamp "." body` as one buffer, since WebCrypto cannot hash in parts. The copy also ensures that the caller
 * cannot change the bytes while they are verified.
 */
export function signedBytes(timestampText: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const prefixLength = timestampText.length + 1
  const joined = new Uint8Array(prefixLength + bytes.length)
  encoder.encodeInto(`${timestampText}.`, joined)
  joined.set(bytes, prefixLength)
  return joined
}
