import { prefixOf } from '../domain/key.ts'

/**
 * Shortens keys to their prefix, and leaves out the secrets of endpoints, and user and password in URLs. A key outside `Authorization`
 * grants no access (AUTH-02) but is still a secret.
 */
export function withoutSecrets(text: string): string {
  if (!text.includes('_') && !text.includes('%') && !text.includes('\\') && !text.includes('@')) return text
  return text
    .replace(ANY_KEY, (key) => `${prefixOf(decode(key))}…`)
    .replace(ANY_SECRET, 'whsec_…')
    .replace(URL_CREDENTIAL, '$1…@')
}

/** How a character may be encoded, before its code: in a URL, once or repeatedly, or in JSON. */
const ESCAPE = String.raw`(?:%(?:25)*|\\{1,4}u00)`

/** Matches characters, each as it is or encoded. */
const anyOf = (text: string, codes: string): string => `(?:${text}|${ESCAPE}${codes})`

/** Matches a text in any case, each of its characters as it is or encoded. */
const spelled = (text: string): string =>
  Array.from(text, (one) => anyOf(one, `(?:${hex(one)}|${hex(one.toUpperCase())})`)).join('')

const hex = (character: string): string => character.charCodeAt(0).toString(16)

/** Matches a key with more characters than its prefix has. */
const ANY_KEY = new RegExp(
  `${spelled('svc_')}${anyOf('[0-9a-z]', '(?:3[0-9]|[46][1-9a-f]|[57][0-9a])')}{7,}`,
  'gi',
)

/** A secret ends at a space or at the quotation mark of a JSON string. */
const ANY_SECRET = new RegExp(`${spelled('whsec_')}(?:\\\\.|[^\\s"\\\\])+`, 'gi')

/** How often it may be encoded is bounded, so that the time that all matches take is linear. */
const SLASH = String.raw`\\{0,3}\/|%(?:25){0,3}2f|\\{1,4}u002f`

/** Ends before a slash that is encoded like those before it: a slash in a password is encoded once more. */
const URL_CREDENTIAL = new RegExp(
  `(${anyOf(':', '3a')}(${SLASH})\\2)(?:(?!\\2)[^\\s/?#"])+${anyOf('@', '40')}`,
  'gi',
)

const ENCODED = new RegExp(`${ESCAPE}([0-9a-f]{2})`, 'gi')

/** Decodes every character in one pass, however often it is encoded. */
function decode(key: string): string {
  return key.replace(ENCODED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Names of headers that may hold a credential. */
const CREDENTIAL = /auth|cookie|credential|jwt|key|password|secret|session|signature|token/

/** Returns the value of a header, its name in lower case. Of one that may hold a credential, no more than the scheme and the prefix of a key. */
export function maskedHeader(name: string, value: string): string {
  if (!CREDENTIAL.test(name)) return withoutSecrets(value)
  const [scheme = '', key] = /^(?:(basic|bearer) +)?(svc_\w{6})?/i.exec(value)?.[0].split(/ +/) ?? []
  return key === undefined ? `${scheme.startsWith('svc_') ? scheme : ''}…` : `${scheme} ${key}…`
}
