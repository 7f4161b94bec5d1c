import { WebhookVerificationError } from './errors.ts'
import { HEADER } from './header-names.ts'
import { shown } from './shown.ts'

const isOwn = Object.prototype.hasOwnProperty

/** One header's value as frameworks hand it over. */
type HeaderValue = string | readonly string[] | undefined

/**
 * Headers in any of the shapes that runtimes use: a plain object with names in any case (`IncomingMessage.headers`,
 * Lambda events), a `Headers`, a `Map`, `[name, value]` pairs, or the flat list of `IncomingMessage.rawHeaders`.
 */
export type HeadersInput =
  | { readonly [name: string]: HeaderValue }
  | { get(name: string): string | null; forEach(callback: (value: string, name: string) => void): void }
  | Iterable<readonly [string, HeaderValue]>
  | readonly string[]

/** The four headers of a delivery, not yet checked; `undefined` where one is not there. */
export interface RawDeliveryHeaders {
  event: string | undefined
  delivery: string | undefined
  timestamp: string | undefined
  signature: string | undefined
}

/**
 * Picks the delivery's headers. A header given twice is refused even when both values agree: which one another
 * component reads is anyone's guess.
 * @throws WebhookVerificationError code "malformed_header" or "invalid_option".
 */
export function readRawHeaders(headers: HeadersInput): RawDeliveryHeaders {
  if (headers === null || typeof headers !== 'object') {
    throw new WebhookVerificationError('invalid_option', `headers must be an object, got ${shown(headers)}.`)
  }
  const found: RawDeliveryHeaders = {
    event: undefined,
    delivery: undefined,
    timestamp: undefined,
    signature: undefined,
  }
  if (isHeaders(headers)) {
    found.event = headers.get(HEADER.event) ?? undefined
    found.delivery = headers.get(HEADER.delivery) ?? undefined
    found.timestamp = headers.get(HEADER.timestamp) ?? undefined
    found.signature = headers.get(HEADER.signature) ?? undefined
  } else if (Array.isArray(headers) && typeof headers[0] === 'string') {
    for (let index = 0; index < headers.length; index += 2) take(found, headers[index], headers[index + 1])
  } else if (Symbol.iterator in headers) {
    for (const pair of headers as Iterable<readonly [string, HeaderValue]>) {
      if (!Array.isArray(pair)) {
        throw new WebhookVerificationError(
          'invalid_option',
          'headers as a list must hold [name, value] pairs.',
        )
      }
      take(found, pair[0], pair[1])
    }
  } else {
    const record = headers as Record<string, HeaderValue>
    // Not Object.keys(), which would build an array at each delivery. The lengths are those of the four names.
    for (const name in record) {
      const { length } = name
      if (length === 19 || length === 18 || length === 15) {
        // Not Object.hasOwn(), which the compiler does not see through inside a loop over names.
        if (isOwn.call(record, name)) take(found, name, record[name])
      }
    }
  }
  return found
}

/** Only `Headers` joins repeated values and ignores case by itself; a `Map` has `get` and `forEach` too but does neither. */
function isHeaders(headers: HeadersInput): headers is Headers {
  const candidate = headers as { get?: unknown; forEach?: unknown }
  return (
    typeof candidate.get === 'function' &&
    typeof candidate.forEach === 'function' &&
    !(headers instanceof Map)
  )
}

/** Keeps the value when the name is one of the four. Written out for each: a computed slot costs three times as much. */
function take(found: RawDeliveryHeaders, name: unknown, value: unknown): void {
  switch (name) {
    case 'x-service-signature':
      found.signature = onlyValue(found.signature, name, value)
      return
    case 'x-service-timestamp':
      found.timestamp = onlyValue(found.timestamp, name, value)
      return
    case 'x-service-event':
      found.event = onlyValue(found.event, name, value)
      return
    case 'x-service-delivery':
      found.delivery = onlyValue(found.delivery, name, value)
      return
    default: {
      if (typeof name !== 'string') return
      const lowerCase = name.toLowerCase()
      if (lowerCase !== name) take(found, lowerCase, value)
    }
  }
}

/** The header's one value; `before` is what an earlier spelling of its name gave. */
function onlyValue(before: string | undefined, name: string, value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : singleValue(name, value)
  if (text !== undefined && before !== undefined) throw repeated(name)
  return text ?? before
}

function singleValue(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined
    if (value.length > 1) throw repeated(name)
    return singleValue(name, value[0])
  }
  if (typeof value === 'string') return value
  throw new WebhookVerificationError(
    'malformed_header',
    `The header ${name.toLowerCase()} is a ${typeof value}, not a string.`,
  )
}

function repeated(name: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'malformed_header',
    `The header ${name.toLowerCase()} was given more than once.`,
  )
}
