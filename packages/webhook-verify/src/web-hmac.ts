const keys = new Map<string, Promise<CryptoKey>>()
const MAX_KEYS = 256
const encoder = new TextEncoder()

/** Imported keys, kept because importing one costs more than a signature. */
function keyOf(secret: string): Promise<CryptoKey> {
  let key = keys.get(secret)
  if (key === undefined) {
    if (keys.size >= MAX_KEYS) keys.clear()
    key = crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ])
    keys.set(secret, key)
  }
  return key
}

/** Hex HMAC-SHA256 of `timestamp "." body` with WebCrypto (DLV-04). */
export async function webHmacHex(
  secret: string,
  timestampText: string,
  body: string | Uint8Array,
): Promise<string> {
  const digest = await crypto.subtle.sign('HMAC', await keyOf(secret), signedBytes(timestampText, body))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether the 64 hex digits sign `timestamp "." body`; `subtle.verify` compares in constant time (DLV-10). */
export async function webHmacMatches(
  secret: string,
  timestampText: string,
  body: string | Uint8Array,
  signatureHex: string,
): Promise<boolean> {
  const signature = new Uint8Array(32)
  for (let index = 0; index < 32; index++) {
    signature[index] = Number.parseInt(signatureHex.slice(2 * index, 2 * index + 2), 16)
  }
  return crypto.subtle.verify('HMAC', await keyOf(secret), signature, signedBytes(timestampText, body))
}

/** WebCrypto hashes one buffer only, so this door copies the body where node's does not. */
function signedBytes(timestampText: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const prefixLength = timestampText.length + 1
  const joined = new Uint8Array(prefixLength + bytes.length)
  encoder.encodeInto(`${timestampText}.`, joined)
  joined.set(bytes, prefixLength)
  return joined
}
