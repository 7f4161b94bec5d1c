import { hmacHex } from '../verification/hmac.ts'
import type { RequestParts } from './requests.ts'

/** A signed delivery to change. */
export interface Subject extends RequestParts {
  secret: string
  body: string
  timestampSeconds: number
}

/** Returns the parts with another value of a header. */
export function setHeader<Parts extends RequestParts>(
  parts: Parts,
  wanted: string,
  value: string | ((old: string) => string),
): Parts {
  const changed = (old: string) => (typeof value === 'string' ? value : value(old))
  const headers = parts.headers.map(([name, old]) => [name, name === wanted ? changed(old) : old] as const)
  return { ...parts, headers }
}

/** Returns the parts without a header. */
export function removeHeader<Parts extends RequestParts>(parts: Parts, unwanted: string): Parts {
  return { ...parts, headers: parts.headers.filter(([name]) => name !== unwanted) }
}

/** Returns the delivery with another time, body or secret, and the signature that belongs to them. */
export function signAgain(
  subject: Subject,
  { timestampSeconds, body, secret }: Partial<Pick<Subject, 'timestampSeconds' | 'body' | 'secret'>>,
): Subject {
  const seconds = timestampSeconds ?? subject.timestampSeconds
  const text = body ?? subject.body
  const signature = `sha256=${hmacHex(secret ?? subject.secret, String(seconds), text)}`
  const dated = setHeader({ ...subject, body: text }, 'X-Service-Timestamp', String(seconds))
  return setHeader(dated, 'X-Service-Signature', signature)
}
