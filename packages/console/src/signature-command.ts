import { fromEnvironment, printCommand, shellQuote } from './shell.ts'

/** Placeholder for a secret that was not shown in this tab. */
export const SECRET_PLACEHOLDER = 'whsec_…'

/**
 * Returns a command for a POSIX shell that recomputes a signature: it prints the expected `X-Service-Signature` (DLV-04).
 *
 * @param secret The endpoint's secret, including `whsec_`. If `undefined`, the command reads an environment variable.
 */
export function signatureCommand(timestamp: number, rawBody: string, secret: string | undefined): string {
  const key = secret === undefined ? `"${fromEnvironment('FORMWIRE_WEBHOOK_SECRET')}"` : shellQuote(secret)
  return `${printCommand(`${timestamp}.${rawBody}`)} | openssl dgst -sha256 -hmac ${key} | sed 's/^.*= /sha256=/'`
}
