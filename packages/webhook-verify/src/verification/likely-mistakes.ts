import type { Given } from '@formwire/internal/given'
import { DEFAULT_MAX_BODY_BYTES } from './body.ts'
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

/**
 * Returns the common mistakes that would explain a signature mismatch. They only change the hint of the error: the
 * delivery is refused in any case. Nearly always empty, so that an untrusted request costs one HMAC.
 */
export function likelyMistakes(secrets: readonly string[], body: string | Uint8Array): LikelyMistake[] {
  // A better hint is not worth hashing larger bodies again.
  if (body.length > DEFAULT_MAX_BODY_BYTES) return []
  return secrets.flatMap((secret) => {
    const trimmed = secret.trim()
    // With neither secret nor body, the mistake cannot have been made.
    const guesses: Array<Given<LikelyMistake> & Pick<LikelyMistake, 'hint'>> = [
      {
        secret: trimmed === secret ? undefined : trimmed,
        hint: 'The secret has leading or trailing white space; it matches without it. Trim it where it is read.',
      },
      {
        secret: /^(["'])(.*)\1$/s.exec(trimmed)?.[2],
        hint: 'The secret has quotation marks around it; it matches without them. Remove them where it is set.',
      },
      {
        secret: trimmed.startsWith('whsec_') ? undefined : `whsec_${trimmed}`,
        hint: 'The secret lacks the whsec_ prefix, which is part of the key; it matches with the prefix.',
      },
      {
        body: withoutFinalNewline(body),
        hint: 'A newline was added at the end of the body; it matches without it. Pass the bytes as received.',
      },
      {
        body: fromBase64(body),
        hint: 'The body is still base64, as API Gateway passes it (isBase64Encoded); it matches once decoded. Use @formwire/webhook-verify/lambda.',
      },
    ]
    const possible = guesses.filter((guess) => guess.secret || guess.body !== undefined)
    return possible.map((guess) => ({
      secret: guess.secret ?? secret,
      body: guess.body ?? body,
      hint: guess.hint,
    }))
  })
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
