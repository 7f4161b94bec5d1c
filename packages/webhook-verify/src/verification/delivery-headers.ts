import { readBody } from './body.ts'
import { checkOptions, type OptionNames } from './check-options.ts'
import { WebhookVerificationError } from './errors.ts'
import { HEADER, type HeadersInput, readRawHeaders } from './raw-headers.ts'
import type { VerifyOptions } from './verify-options.ts'

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
  if (!PLAIN_SECONDS.test(timestamp)) throw malformedTimestamp(timestamp)
  const timestampSeconds = Number(timestamp)
  if (timestampSeconds > MAX_SECONDS) throw malformedTimestamp(timestamp)
  if (event !== undefined && event !== 'response.submitted' && !TOKEN.test(event))
    throw malformedToken(HEADER.event, event)
  if (delivery !== undefined && !TOKEN.test(delivery)) throw malformedToken(HEADER.delivery, delivery)
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

function missing(name: string): WebhookVerificationError {
  return new WebhookVerificationError('missing_header', `The header ${name} is missing.`)
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
  return new WebhookVerificationError(
    'malformed_header',
    `The header ${HEADER.signature} is malformed: ${reason}.`,
  )
}

function malformedTimestamp(value: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'malformed_header',
    `The header ${HEADER.timestamp} must be plain decimal Unix seconds, got ${quote(value)}.`,
  )
}

function malformedToken(name: string, value: string): WebhookVerificationError {
  const reason = value.includes(',')
    ? 'contains a comma, which usually means that the header was sent twice'
    : 'must be 1 to 256 visible ASCII characters without white space'
  return new WebhookVerificationError(
    'malformed_header',
    `The header ${name} ${reason}, got ${quote(value)}.`,
  )
}

/** Shortens an untrusted value and escapes control characters. */
function quote(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
}
