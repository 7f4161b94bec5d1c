/** A text as one shell word: everything inside single quotes is literal but the quote itself. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** What stands for a secret that this tab does not know. */
export const SECRET_PLACEHOLDER = 'whsec_…'

/**
 * A line for a POSIX shell that recomputes a signature: it prints what `X-Service-Signature` has to be (DLV-04).
 *
 * @param secret The endpoint's secret, `whsec_` included; without it a placeholder is left to be filled in.
 */
export function signatureCommand(timestamp: number, rawBody: string, secret: string | undefined): string {
  const key = secret === undefined ? `"$FORMWIRE_WEBHOOK_SECRET"` : shellQuote(secret)
  return `printf '%s' ${shellQuote(`${timestamp}.${rawBody}`)} | openssl dgst -sha256 -hmac ${key} | sed 's/^.*= /sha256=/'`
}
