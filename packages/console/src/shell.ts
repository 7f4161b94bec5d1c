import { hasInvisible, replaceInvisible } from '@formwire/internal/invisible'
import { shellQuote } from '@formwire/internal/shell-word'

/** Returns the bytes of a character as escapes for `printf '%b'`: `\0342\0200\0256`. */
const octal = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')

/**
 * Returns a word of the shell with exactly this text, which must not end with a line end. Invisible characters, and those that
 * reverse the text after them, are written as escapes, so that the word looks the same in the browser, a terminal and the shell.
 */
export function shellWord(text: string): string {
  if (!hasInvisible(text)) return shellQuote(text)
  return `"$(printf '%b' ${shellQuote(replaceInvisible(text.replaceAll('\\', '\\\\'), octal))})"`
}
