import type { DELIVERY_HEADERS } from '@formwire/contract'
import { readBody } from './body.ts'
import { checkOption, checkOptions, invalidOption, type OptionNames } from './check-options.ts'
import { WebhookVerificationError } from './errors.ts'
import type { HeadersInput, HeaderValue, VerifiedSignature, VerifyOptions } from './verify-options.ts'

/** Header names in lower case (DLV-04). A test compares them with the contract's table. */
export const HEADER: typeof DELIVERY_HEADERS = {
  event: 'x-service-event',
  delivery: 'x-service-delivery',
  timestamp: 'x-service-timestamp',
  signature: 'x-service-signature',
}

/** The four headers of a delivery, not validated yet; `undefined` when missing. */
type RawDeliveryHeaders = Record<keyof typeof HEADER, string | undefined>

/** The headers of a delivery: well-formed, but not verified yet. */
export interface DeliveryHeaders {
  /** 64 characters, without `sha256=`. {@link checkDigits} checks that they are lowercase hex digits. */
  signature: string
  /** The timestamp as received: these characters are signed. */
  timestampText: string
  /** The timestamp in Unix seconds. */
  timestampSeconds: number
  /** Not signed: only compared with the body. */
  event: string | undefined
  /** Not signed: an attacker can resend a captured delivery under another id. */
  deliveryId: string | undefined
}

const SIGNATURE_PREFIX = 'sha256='
const SIGNATURE_LENGTH = 71
const DIGITS = /^[0-9a-f]{64}$/
const PLAIN_SECONDS = /^(?:0|[1-9][0-9]{0,12})$/
/** The last instant that a `Date` can represent. */
const MAX_SECONDS = 8_640_000_000_000
/** Visible ASCII without a comma, since a comma joins the values of a repeated header. */
const TOKEN = /^[\x21-\x2b\x2d-\x7e]{1,256}$/

/** Whether the verifier accepts this text as the event name or the delivery id. */
export function isToken(value: string): boolean {
  return TOKEN.test(value)
}

const VERIFY_OPTIONS: OptionNames<VerifyOptions> = {
  secret: true,
  headers: true,
  body: true,
  toleranceSeconds: true,
  now: true,
}

/**
 * Checks the options of a verifier, and reads what it verifies.
 * @throws WebhookVerificationError code "invalid_option", or one about the body or the headers.
 */
export function readDelivery(options: VerifyOptions): {
  body: string | Uint8Array
  headers: DeliveryHeaders
} {
  checkOptions(options, VERIFY_OPTIONS)
  return { body: readBody(options.body), headers: readDeliveryHeaders(options.headers) }
}

/** Returns what a valid signature proves. */
export function verifiedSignature(headers: DeliveryHeaders, secretIndex: number): VerifiedSignature {
  const { timestampSeconds, deliveryId } = headers
  return { secretIndex, timestamp: new Date(timestampSeconds * 1000), deliveryId: deliveryId ?? null }
}

/**
 * Reads and validates the delivery's headers (DLV-04). Strict, because another component on the path may interpret a
 * lenient spelling differently.
 * @throws WebhookVerificationError code "missing_header" or "malformed_header".
 */
function readDeliveryHeaders(headers: HeadersInput): DeliveryHeaders {
  const { signature, timestamp, event, delivery } = readRawHeaders(headers)
  if (signature === undefined) throw missing(HEADER.signature)
  if (timestamp === undefined) throw missing(HEADER.timestamp)
  if (signature.length !== SIGNATURE_LENGTH || !signature.startsWith(SIGNATURE_PREFIX))
    throw malformedSignature(signature)
  const timestampSeconds = Number(timestamp)
  if (!PLAIN_SECONDS.test(timestamp) || timestampSeconds > MAX_SECONDS)
    throw malformed(HEADER.timestamp, `must be plain decimal Unix seconds, got ${quote(timestamp)}`)
  if (event !== 'response.submitted') checkToken(HEADER.event, event)
  checkToken(HEADER.delivery, delivery)
  return {
    signature: signature.slice(SIGNATURE_PREFIX.length),
    timestampText: timestamp,
    timestampSeconds,
    event,
    deliveryId: delivery,
  }
}

/**
 * Refuses digits that are not lowercase hex. A verifier that compares text only needs this after a mismatch, for the
 * error; a verifier that decodes the digits must check first.
 * @throws WebhookVerificationError code "malformed_header".
 */
export function checkDigits({ signature }: DeliveryHeaders): void {
  if (!DIGITS.test(signature)) throw malformedSignature(SIGNATURE_PREFIX + signature)
}

function checkToken(name: string, value: string | undefined): void {
  if (value === undefined || TOKEN.test(value)) return
  const reason = value.includes(',')
    ? 'contains a comma, which usually means that the header was sent twice'
    : 'must be 1 to 256 visible ASCII characters without white space'
  throw malformed(name, `${reason}, got ${quote(value)}`)
}

function missing(name: string): WebhookVerificationError {
  return new WebhookVerificationError('missing_header', `The header ${name} is missing.`)
}

function malformed(name: string, reason: string): WebhookVerificationError {
  return new WebhookVerificationError('malformed_header', `The header ${name} ${reason}.`)
}

/** Describes the problem without the value, which may contain part of a valid signature. */
function malformedSignature(value: string): WebhookVerificationError {
  const reason = value.includes(',')
    ? 'it contains a comma, which usually means that the header was sent twice'
    : /\s/.test(value)
      ? 'it contains white space'
      : /^sha256=[0-9a-fA-F]{64}$/.test(value)
        ? 'its hex digits must be lowercase'
        : value.startsWith(SIGNATURE_PREFIX)
          ? `"sha256=" must be followed by 64 lowercase hex digits, got ${value.length - SIGNATURE_PREFIX.length} characters`
          : 'it does not start with "sha256="'
  return malformed(HEADER.signature, `is malformed: ${reason}`)
}

/** Shortens an untrusted value and escapes control characters. */
function quote(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
}

const isOwn = Object.prototype.hasOwnProperty

/**
 * Picks the delivery's headers. A repeated header is refused even when the values are equal, since components differ in
 * which one they read.
 * @throws WebhookVerificationError code "malformed_header" or "invalid_option".
 */
function readRawHeaders(headers: HeadersInput): RawDeliveryHeaders {
  checkOption(headers !== null && typeof headers === 'object', 'headers', 'an object', headers)
  const found: RawDeliveryHeaders = {
    event: undefined,
    delivery: undefined,
    timestamp: undefined,
    signature: undefined,
  }
  if (isHeaders(headers)) {
    for (const member of Object.keys(HEADER) as Array<keyof typeof HEADER>)
      found[member] = headers.get(HEADER[member]) ?? undefined
  } else if (Array.isArray(headers) && typeof headers[0] === 'string') {
    for (let index = 0; index < headers.length; index += 2) collect(found, headers[index], headers[index + 1])
  } else if (Symbol.iterator in headers) {
    for (const pair of headers as Iterable<readonly [string, HeaderValue]>) {
      if (!Array.isArray(pair)) throw invalidOption('headers as a list must hold [name, value] pairs.')
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

/** Stores the value if the name is one of the four. Faster than a lookup in a table. */
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
  if (!Array.isArray(value)) throw malformed(name, `is a ${typeof value}, not a string`)
  if (value.length > 1) throw repeated(name)
  return singleValue(name, value[0])
}

function repeated(name: string): WebhookVerificationError {
  return malformed(name, 'was given more than once')
}
