import { hasInvisible, replaceInvisible } from '@formwire/internal/invisible'

/** Quotes a text as one shell word. Inside single quotes, everything except the quote itself is literal. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the bytes of a character as escapes for `printf '%b'`: `\0342\0200\0256`. */
const octal = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')

/**
 * Returns a command that prints exactly this text. Invisible characters, and those that reverse the text after them, are
 * written as escapes, so that the command looks the same in the browser, a terminal and the shell.
 */
export function printCommand(text: string): string {
  if (!hasInvisible(text)) return `printf '%s' ${shellQuote(text)}`
  return `printf '%b' ${shellQuote(replaceInvisible(text.replaceAll('\\', '\\\\'), octal))}`
}

/** Returns a word of the shell with exactly this text, which must not end with a line end. */
export const shellWord = (text: string): string =>
  hasInvisible(text) ? `"$(${printCommand(text)})"` : shellQuote(text)

/** Returns the value of an environment variable, for a word in double quotes. A command fails with its name if it is not set. */
export const fromEnvironment = (name: string): string => `\${${name}:?is not set}`
