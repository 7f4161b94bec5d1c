/**
 * Controls (C0, C1, DEL), and the marks that turn the direction of text: what a title or an answer could use to move the
 * cursor, recolour the screen, or make text read differently from what it is.
 */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu
/** As above without the line feed: for cells that may hold several lines. */
const UNSAFE_IN_LINES = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu
const LINE_BREAKS = /\r\n|[\n\r\t\u2028\u2029\u0085]/g

/** Text from outside on one line, without control characters: line breaks and tabs become one space. */
export function safeLine(text: string): string {
  return text.replace(LINE_BREAKS, ' ').replace(UNSAFE, '').trim()
}

/** Text from outside that may keep its line feeds, without any other control character. */
export function safeLines(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(UNSAFE_IN_LINES, '')
}

/** JSON for people and pipes: the same value, with what a terminal could obey written as `\uXXXX`. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent)
  return text.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const KEYS_AND_SECRETS = /\b(svc_|whsec_)[^\s'",;:)\]}&]+/g

/** The text with every API key and endpoint secret cut down to its fixed prefix (AUTH-02). */
export function redact(text: string, known: readonly string[] = []): string {
  let result = text.replace(KEYS_AND_SECRETS, '$1[redacted]')
  for (const secret of known) if (secret.length >= 4) result = result.replaceAll(secret, '[redacted]')
  return result
}
