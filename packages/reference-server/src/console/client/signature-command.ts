import { UNSEEN } from './unseen.ts'

/** A text as one shell word: everything inside single quotes is literal but the quote itself. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** What stands for a secret that this tab does not know. */
export const SECRET_PLACEHOLDER = 'whsec_…'

/** The bytes of a character as `printf '%b'` takes them: `\0342\0200\0256`. */
const octal = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')

/**
 * A command that prints exactly this text. A text with characters that cannot be seen, or that turn what stands after
 * them, is written with escapes: the line then reads the same on a screen, in a terminal and in the shell.
 */
function printCommand(text: string): string {
  if (text.search(UNSEEN) === -1) return `printf '%s' ${shellQuote(text)}`
  return `printf '%b' ${shellQuote(text.replaceAll('\\', '\\\\').replace(UNSEEN, octal))}`
}

/**
 * A line for a POSIX shell that recomputes a signature: it prints what `X-Service-Signature` has to be (DLV-04).
 *
 * @param secret The endpoint's secret, `whsec_` included; without it a placeholder is left to be filled in.
 */
export function signatureCommand(timestamp: number, rawBody: string, secret: string | undefined): string {
  const key = secret === undefined ? `"$FORMWIRE_WEBHOOK_SECRET"` : shellQuote(secret)
  return `${printCommand(`${timestamp}.${rawBody}`)} | openssl dgst -sha256 -hmac ${key} | sed 's/^.*= /sha256=/'`
}
