import { WebhookVerificationError } from './errors.ts'

/** An endpoint's secret, or several while one replaces the other. The HMAC key is the whole text, `whsec_` included. */
export type SecretInput = string | readonly string[]

/**
 * The secrets as a list. White space around one is kept, since it is part of the key; a blank one is a configuration
 * mistake that would let anybody sign.
 * @throws WebhookVerificationError code "invalid_secret".
 */
export function readSecrets(secret: SecretInput): readonly string[] {
  if (typeof secret === 'string') {
    checkSecret(secret, 'The secret')
    return [secret]
  }
  if (!Array.isArray(secret)) {
    throw new WebhookVerificationError('invalid_secret', `The secret must be a string, got ${typeof secret}.`)
  }
  if (secret.length === 0)
    throw new WebhookVerificationError('invalid_secret', 'The list of secrets is empty.')
  for (let index = 0; index < secret.length; index++)
    checkSecret(secret[index], `Secret ${index} of the list`)
  return secret as readonly string[]
}

function checkSecret(secret: unknown, which: string): void {
  if (typeof secret !== 'string') {
    throw new WebhookVerificationError('invalid_secret', `${which} must be a string, got ${typeof secret}.`)
  }
  // HMAC pads keys with zero bytes: a secret of nothing but those is the empty key in disguise.
  if (secret.trim() === '' || (secret.startsWith('\0') && secret.replaceAll('\0', '').trim() === '')) {
    throw new WebhookVerificationError('invalid_secret', `${which} is ${secret === '' ? 'empty' : 'blank'}.`)
  }
}
