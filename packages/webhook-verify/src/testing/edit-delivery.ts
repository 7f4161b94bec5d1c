import { hmacHex } from '../verification/hmac.ts'
import type { RequestParts } from './requests.ts'

/** A signed delivery to change. */
export interface Subject extends RequestParts {
  secret: string
  body: string
  timestampSeconds: number
}

/** Returns the parts with another value of a header. */
export function setHeader(
  parts: RequestParts,
  wanted: string,
  value: string | ((old: string) => string),
): RequestParts {
  return {
    ...parts,
    headers: parts.headers.map(([name, old]) =>
      name === wanted ? [name, typeof value === 'string' ? value : value(old)] : [name, old],
    ),
  }
}

/** Returns the parts without a header. */
export function removeHeader(parts: RequestParts, unwanted: string): RequestParts {
  return { ...parts, headers: parts.headers.filter(([name]) => name !== unwanted) }
}

/** Returns the delivery with another body, time or secret, and the signature that belongs to them. */
export function signAgain(
  subject: Subject,
  seconds: number,
  body: string = subject.body,
  secret: string = subject.secret,
): RequestParts {
  const dated = setHeader({ ...subject, body }, 'X-Service-Timestamp', String(seconds))
  return setHeader(dated, 'X-Service-Signature', `sha256=${hmacHex(secret, String(seconds), body)}`)
}
