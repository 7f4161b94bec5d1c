import { prefixOf } from '../domain/key.ts'

/** Shortens keys to their prefix. A key outside `Authorization` grants no access (AUTH-02) but is still a secret. */
export function withoutKeys(text: string): string {
  if (!text.includes('_') && !text.includes('%')) return text
  return text.replace(ANY_KEY, (key) => `${prefixOf(decode(key))}…`)
}

/** Matches a key whose characters may be percent-encoded, once or repeatedly. */
const ANY_KEY =
  /(?:s|%(?:25)*[57]3)(?:v|%(?:25)*[57]6)(?:c|%(?:25)*[46]3)(?:_|%(?:25)*5f)(?:[0-9a-z]|%(?:25)*(?:3[0-9]|[46][1-9a-f]|[57][0-9a]))+/gi

/** Decodes every character in one pass, however often it is encoded. */
function decode(key: string): string {
  return key.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Shortens keys to their prefix, and leaves out the secrets of endpoints. */
export const withoutSecrets = (text: string): string => withoutKeys(text).replace(/whsec_\w+/g, 'whsec_…')

/** Names of headers that may hold a credential. */
const CREDENTIAL = /auth|cookie|key|password|secret|session|signature|token/

/** Returns the value of a header, its name in lower case. Of one that may hold a credential, no more than the scheme and the prefix of a key. */
export function maskedHeader(name: string, value: string): string {
  if (!CREDENTIAL.test(name)) return withoutSecrets(value)
  const [scheme = '', key] = /^(?:(basic|bearer) +)?(svc_\w{6})?/i.exec(value)?.[0].split(/ +/) ?? []
  return key === undefined ? `${scheme.startsWith('svc_') ? scheme : ''}…` : `${scheme} ${key}…`
}
