import { WebhookVerificationError } from './errors.ts'

/** One possible mistake. It was made if this secret and body match. */
interface LikelyMistake {
  secret: string
  body: string | Uint8Array
  hint: string
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
/** A better hint is not worth hashing larger bodies again. */
const MAX_BODY_LENGTH = 1_048_576

/**
 * Returns the common mistakes that would explain a signature mismatch. They only change the hint of the error: the
 * delivery is refused in any case. Nearly always empty, so that an untrusted request costs one HMAC.
 */
export function likelyMistakes(secrets: readonly string[], body: string | Uint8Array): LikelyMistake[] {
  if (body.length > MAX_BODY_LENGTH) return []
  const mistakes: LikelyMistake[] = []
  for (const secret of secrets) {
    const trimmed = secret.trim()
    if (trimmed !== secret) {
      mistakes.push({
        secret: trimmed,
        body,
        hint: 'The secret has leading or trailing white space; it matches without it. Trim it where it is read.',
      })
    }
    const unquoted = /^(["'])(.*)\1$/s.exec(trimmed)?.[2]
    if (unquoted) {
      mistakes.push({
        secret: unquoted,
        body,
        hint: 'The secret has quotation marks around it; it matches without them. Remove them where it is set.',
      })
    }
    if (!trimmed.startsWith('whsec_')) {
      mistakes.push({
        secret: `whsec_${trimmed}`,
        body,
        hint: 'The secret lacks the whsec_ prefix, which is part of the key; it matches with the prefix.',
      })
    }
    const changed = withoutFinalNewline(body)
    if (changed !== undefined) {
      mistakes.push({
        secret,
        body: changed,
        hint: 'A newline was added at the end of the body; it matches without it. Pass the bytes as received.',
      })
    }
    const decoded = fromBase64(body)
    if (decoded !== undefined) {
      mistakes.push({
        secret,
        body: decoded,
        hint: 'The body is still base64, as API Gateway passes it (isBase64Encoded); it matches once decoded. Use @formwire/webhook-verify/lambda.',
      })
    }
  }
  return mistakes
}

function withoutFinalNewline(body: string | Uint8Array): string | Uint8Array | undefined {
  if (typeof body === 'string') return body.endsWith('\n') ? body.replace(/\r?\n$/, '') : undefined
  if (body.at(-1) !== NEWLINE) return undefined
  return body.subarray(0, body.at(-2) === CARRIAGE_RETURN ? -2 : -1)
}

function fromBase64(body: string | Uint8Array): Uint8Array | undefined {
  // JSON starts with a brace, so the first character rules out nearly every body.
  const first = typeof body === 'string' ? body.charCodeAt(0) : body[0]
  if (first === 0x7b || body.length % 4 !== 0) return undefined
  const text = typeof body === 'string' ? body : new TextDecoder('latin1').decode(body)
  if (!BASE64.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Returns the refusal, with the hint of the recognized mistake if there is one. */
export function noMatch(
  secrets: readonly string[],
  body: string | Uint8Array,
  hint: string | undefined,
): WebhookVerificationError {
  if (body.length === 0) {
    return new WebhookVerificationError(
      'no_match',
      'The body is empty, so the signature does not match; a body parser probably consumed the body first.',
      {
        hint: 'Mount the webhook route before any body parser, or pass the raw bytes that the parser received.',
      },
    )
  }
  const tried = secrets.length === 1 ? 'the secret' : `any of the ${secrets.length} secrets`
  return new WebhookVerificationError(
    'no_match',
    `The signature does not match the ${body.length} ${typeof body === 'string' ? 'characters' : 'bytes'} of the body with ${tried}.`,
    { hint },
  )
}
