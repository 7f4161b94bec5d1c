import { INVISIBLE } from './invisible.ts'

/** Quotes a text as one shell word. Inside single quotes, everything except the quote itself is literal. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Placeholder for a secret that was not shown in this tab. */
export const SECRET_PLACEHOLDER = 'whsec_…'

/** Returns the bytes of a character as escapes for `printf '%b'`: `\0342\0200\0256`. */
const octal = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')

/**
 * Returns a command that prints exactly this text. Invisible characters, and those that reverse the text after them, are
 * written as escapes, so that the command looks the same in the browser, a terminal and the shell.
 */
function printCommand(text: string): string {
  if (text.search(INVISIBLE) === -1) return `printf '%s' ${shellQuote(text)}`
  return `printf '%b' ${shellQuote(text.replaceAll('\\', '\\\\').replace(INVISIBLE, octal))}`
}

/**
 * Returns a command for a POSIX shell that recomputes a signature: it prints the expected `X-Service-Signature` (DLV-04).
 *
 * @param secret The endpoint's secret, including `whsec_`. If `undefined`, the command reads an environment variable.
 */
export function signatureCommand(timestamp: number, rawBody: string, secret: string | undefined): string {
  const key = secret === undefined ? `"$FORMWIRE_WEBHOOK_SECRET"` : shellQuote(secret)
  return `${printCommand(`${timestamp}.${rawBody}`)} | openssl dgst -sha256 -hmac ${key} | sed 's/^.*= /sha256=/'`
}
