import type { DELIVERY_HEADERS } from '@formwire/contract'
import { invalidOption, shown } from './check-options.ts'
import { WebhookVerificationError } from './errors.ts'

/** Header names in lower case (DLV-04). A test compares them with the contract's table. */
export const HEADER: typeof DELIVERY_HEADERS = {
  event: 'x-service-event',
  delivery: 'x-service-delivery',
  timestamp: 'x-service-timestamp',
  signature: 'x-service-signature',
}

/** Header names as the service spells them, used when signing. */
export const SIGNED_HEADER = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  timestamp: 'X-Service-Timestamp',
  signature: 'X-Service-Signature',
} as const

const isOwn = Object.prototype.hasOwnProperty

/** The value of one header, as frameworks pass it. */
type HeaderValue = string | readonly string[] | undefined

/**
 * Headers in any shape that runtimes use: a plain object with names in any case (`IncomingMessage.headers`, Lambda
 * events), a `Headers`, a `Map`, `[name, value]` pairs, or the flat list of `IncomingMessage.rawHeaders`.
 */
export type HeadersInput =
  | { readonly [name: string]: HeaderValue }
  | { get(name: string): string | null; forEach(callback: (value: string, name: string) => void): void }
  | Iterable<readonly [string, HeaderValue]>
  | readonly string[]

/** The four headers of a delivery, not validated yet; `undefined` when missing. */
export interface RawDeliveryHeaders {
  event: string | undefined
  delivery: string | undefined
  timestamp: string | undefined
  signature: string | undefined
}

/**
 * Picks the delivery's headers. A repeated header is refused even when the values are equal, since components differ in
 * which one they read.
 * @throws WebhookVerificationError code "malformed_header" or "invalid_option".
 */
export function readRawHeaders(headers: HeadersInput): RawDeliveryHeaders {
  if (headers === null || typeof headers !== 'object') {
    throw invalidOption(`headers must be an object, got ${shown(headers)}.`)
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
    for (let index = 0; index < headers.length; index += 2) collect(found, headers[index], headers[index + 1])
  } else if (Symbol.iterator in headers) {
    for (const pair of headers as Iterable<readonly [string, HeaderValue]>) {
      if (!Array.isArray(pair)) {
        throw invalidOption('headers as a list must hold [name, value] pairs.')
      }
      collect(found, pair[0], pair[1])
    }
  } else {
    const record = headers as Record<string, HeaderValue>
    // Object.keys() would build an array per delivery, and V8 does not inline Object.hasOwn() in a loop over names.
    for (const name in record) if (isOwn.call(record, name)) collect(found, name, record[name])
  }
  return found
}

/** A `Map` has `get` too, but unlike `Headers` it neither joins repeated values nor ignores case. */
function isHeaders(headers: HeadersInput): headers is Headers {
  return typeof (headers as { get?: unknown }).get === 'function' && !(headers instanceof Map)
}

/** Stores the value if the name is one of the four. */
function collect(found: RawDeliveryHeaders, name: unknown, value: unknown): void {
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
      if (lowerCase !== name) collect(found, lowerCase, value)
    }
  }
}

/** Returns the header's only value. `before` is the value of an earlier spelling of its name. */
function onlyValue(before: string | undefined, name: string, value: unknown): string | undefined {
  const text = singleValue(name, value)
  if (text !== undefined && before !== undefined) throw repeated(name)
  return text ?? before
}

function singleValue(name: string, value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) {
    if (value.length > 1) throw repeated(name)
    return singleValue(name, value[0])
  }
  throw new WebhookVerificationError(
    'malformed_header',
    `The header ${name} is a ${typeof value}, not a string.`,
  )
}

function repeated(name: string): WebhookVerificationError {
  return new WebhookVerificationError('malformed_header', `The header ${name} was given more than once.`)
}
