import { WebhookVerificationError } from './errors.ts'

/** One thing that may have gone wrong: if this secret and body match, it has. */
interface LikelyMistake {
  secret: string
  body: string | Uint8Array
  hint: string
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
/** Beyond it the second look would cost more than it helps: the text of a hint is not worth hashing megabytes. */
const MAX_BODY_LENGTH = 1_048_576

/**
 * The usual mistakes behind a signature that does not match, for a second look that only ever changes the error's hint:
 * whatever is found, the delivery stays refused. Nearly always empty, so that a stranger's request costs one HMAC.
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
        hint: 'The secret has white space or a newline around it; it matches without. Trim it where it is read.',
      })
    }
    const unquoted = /^(["'])(.*)\1$/s.exec(trimmed)?.[2]
    if (unquoted) {
      mistakes.push({
        secret: unquoted,
        body,
        hint: 'The secret has quotation marks around it; it matches without. Remove them where it is set.',
      })
    }
    if (!trimmed.startsWith('whsec_')) {
      mistakes.push({
        secret: `whsec_${trimmed}`,
        body,
        hint: 'The secret lacks its whsec_ prefix, which is part of the key; it matches with it.',
      })
    }
    const changed = withoutFinalNewline(body)
    if (changed !== undefined) {
      mistakes.push({
        secret,
        body: changed,
        hint: 'A newline was added at the end of the body; it matches without. Pass the bytes as received.',
      })
    }
    const decoded = fromBase64(body)
    if (decoded !== undefined) {
      mistakes.push({
        secret,
        body: decoded,
        hint: 'The body is still base64, as API Gateway hands it over (isBase64Encoded); it matches once decoded. Use @formwire/webhook-verify/lambda.',
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
  // JSON begins with a brace: one look at the first character spares nearly every body the rest.
  const first = typeof body === 'string' ? body.charCodeAt(0) : body[0]
  if (first === undefined || first === 0x7b || body.length % 4 !== 0) return undefined
  const text = typeof body === 'string' ? body : new TextDecoder('latin1').decode(body)
  if (!BASE64.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** The refusal, with the hint of the mistake that was recognised, if one was. */
export function noMatch(
  secrets: readonly string[],
  body: string | Uint8Array,
  hint: string | undefined,
): WebhookVerificationError {
  const tried = secrets.length === 1 ? 'the secret' : `any of the ${secrets.length} secrets`
  return new WebhookVerificationError(
    'no_match',
    `The signature does not match the ${body.length} ${typeof body === 'string' ? 'characters' : 'bytes'} of the body with ${tried}.`,
    hint === undefined ? {} : { hint },
  )
}
