import { escapeStray, replaceStray } from '@formwire/internal/invisible'

const LINE_BREAKS = /\r\n|[\n\r\t\u2028\u2029\u0085]/g

/**
 * Returns untrusted text on one line, without stray invisible characters, with which a title or an answer could move the cursor,
 * change colours, or disguise text. Line breaks and tabs become a space.
 */
export function safeLine(text: string): string {
  return replaceStray(text.replace(LINE_BREAKS, ' '), () => '').trim()
}

/** Returns untrusted text on one line, as {@link safeLine}, but with the spaces at its start. */
export function safeIndented(text: string): string {
  return text.replace(/^( *).*/s, '$1') + safeLine(text)
}

/** Returns untrusted text without stray invisible characters other than line feeds. */
export function safeLines(text: string): string {
  const lines = text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n').replace(/\t/g, ' ')
  return replaceStray(lines, (character) => (character === '\n' ? character : ''))
}

/** Returns the value as JSON, with stray invisible characters escaped as `\uXXXX`. */
export function safeJson(value: unknown, indent?: number): string {
  return escapeStray(JSON.stringify(value, null, indent))
}

const KEYS_AND_SECRETS = /\b(svc_|whsec_)(?!\[redacted\])[^\s'",;:)\]}&]+/g

/** Too short, or an ordinary word such as "wrong": redacting it would only damage messages that have nothing to do with it. */
const NOT_SECRET = /^(?:.{0,3}|[a-z]{4,7})$/i

/** Returns the text with every API key and endpoint secret redacted, except its fixed prefix (AUTH-02). */
export function redact(text: string, known: readonly string[] = []): string {
  let result = text.replace(KEYS_AND_SECRETS, '$1[redacted]')
  for (const secret of known) if (!NOT_SECRET.test(secret)) result = result.replaceAll(secret, '[redacted]')
  return result
}

/** Returns the message of any thrown value, also of one that throws when it is read. */
export function textOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error)
  } catch {
    return 'an error that cannot be described'
  }
}
