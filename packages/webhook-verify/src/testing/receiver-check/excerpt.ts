import { replaceStray } from '@formwire/internal/invisible'

/** Bytes of a response body that are read for an excerpt. */
export const EXCERPT_BYTES = 1_024
/** Characters to look at: far fewer than are read, so that a secret at the end of these is still whole. */
const MAX_READ = 300
const MAX_SHOWN = 120
/** A shorter rest of a secret is an ordinary word. */
const MIN_HIDDEN = 8

/** Returns the start of a response body on one line, printable and without the secret. Empty for a page, whose start says nothing. */
export function excerptOf(text: string, secret: string): string {
  if (/^\s*<[!?a-z]/i.test(text)) return ''
  const rest = secret.replace(/^whsec_/, '')
  const parts = rest.length < MIN_HIDDEN ? [secret] : [secret, rest]
  const hidden = parts.reduce((shown, part) => shown.replaceAll(part, '(secret)'), text)
  const line = replaceStray(hidden.slice(0, MAX_READ), () => ' ').replace(/[\p{Cs}\s]+/gu, ' ')
  const characters = [...line.trim()]
  if (characters.length <= MAX_SHOWN) return characters.join('')
  return `${characters.slice(0, MAX_SHOWN).join('')}…`
}
