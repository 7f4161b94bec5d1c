import { WebhookVerificationError } from './errors.ts'

/** An endpoint's secret, or several during a rotation. The HMAC key is the whole text, including `whsec_`. */
export type SecretInput = string | readonly string[]

/** White space and NUL bytes only. HMAC pads keys with NUL bytes, so a secret of NUL bytes equals the empty key. */
const BLANK = /^[\s\0]*$/

/**
 * Returns the secrets as a list. White space around a secret is kept, since it is part of the key. A blank secret is a
 * configuration error that would let anyone sign.
 * @throws WebhookVerificationError code "invalid_secret".
 */
export function readSecrets(secret: SecretInput): readonly string[] {
  if (typeof secret === 'string') {
    checkSecret(secret, 'The secret')
    return [secret]
  }
  if (!Array.isArray(secret)) throw invalid(`The secret must be a string, got ${typeof secret}.`)
  if (secret.length === 0) throw invalid('The list of secrets is empty.')
  for (let index = 0; index < secret.length; index++)
    checkSecret(secret[index], `Secret ${index} of the list`)
  return secret as readonly string[]
}

function checkSecret(secret: unknown, which: string): void {
  if (typeof secret !== 'string') throw invalid(`${which} must be a string, got ${typeof secret}.`)
  if (BLANK.test(secret)) throw invalid(`${which} is ${secret === '' ? 'empty' : 'blank'}.`)
}

function invalid(message: string): WebhookVerificationError {
  return new WebhookVerificationError('invalid_secret', message)
}
