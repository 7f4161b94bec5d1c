import { WebhookVerificationError } from './errors.ts'
import { HEADER } from './header-names.ts'
import { type HeadersInput, readRawHeaders } from './raw-headers.ts'

/** A delivery's headers after the grammar check, and before any of them is proven. */
export interface DeliveryHeaders {
  /** 64 characters, without `sha256=`. Whether they are lowercase hex digits is {@link checkDigits}'s to say. */
  signature: string
  /** The timestamp as it was written: these characters are what is signed. */
  timestampText: string
  /** The timestamp in Unix seconds. */
  timestampSeconds: number
  /** Not signed: only ever compared with the body. */
  event: string | undefined
  /** Not signed: whoever holds one captured delivery can send it again under another id. */
  deliveryId: string | undefined
}

const SIGNATURE_PREFIX = 'sha256='
const SIGNATURE_LENGTH = 71
const DIGITS = /^[0-9a-f]{64}$/
const PLAIN_SECONDS = /^(?:0|[1-9][0-9]{0,12})$/
/** The last instant that a `Date` can hold. */
const MAX_SECONDS = 8_640_000_000_000
/** Visible ASCII without a comma, which is what joins the values of a repeated header. */
const TOKEN = /^[\x21-\x2b\x2d-\x7e]{1,256}$/

/** Whether the verifier takes this text as the value of the event or the delivery header. */
export function isToken(value: string): boolean {
  return TOKEN.test(value)
}

/**
 * Reads and checks the delivery's headers (DLV-04). Strict, because every spelling that is tolerated is one that
 * somebody else in the chain may read differently.
 * @throws WebhookVerificationError code "missing_header" or "malformed_header".
 */
export function readDeliveryHeaders(headers: HeadersInput): DeliveryHeaders {
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
 * Refuses digits that are not lowercase hex. Only what did not match needs the look, since the right signature is
 * written so; a verifier that decodes digits must look first.
 * @throws WebhookVerificationError code "malformed_header".
 */
export function checkDigits({ signature }: DeliveryHeaders): void {
  if (!DIGITS.test(signature)) throw malformedSignature(SIGNATURE_PREFIX + signature)
}

function missing(name: string): WebhookVerificationError {
  return new WebhookVerificationError('missing_header', `The header ${name} is missing.`)
}

/** Says what is wrong without repeating the value: it may hold half of a right signature. */
function malformedSignature(value: string): WebhookVerificationError {
  const reason = value.includes(',')
    ? 'it holds a comma, as when the header was sent twice'
    : /\s/.test(value)
      ? 'it holds white space'
      : /^sha256=[0-9a-fA-F]{64}$/.test(value)
        ? 'its hex digits must be lowercase'
        : value.startsWith(SIGNATURE_PREFIX)
          ? `after "sha256=" come ${value.length - SIGNATURE_PREFIX.length} characters that are not 64 lowercase hex digits`
          : 'it does not begin "sha256="'
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
    ? 'holds a comma, as when the header was sent twice'
    : 'must be 1 to 256 visible ASCII characters without white space'
  return new WebhookVerificationError(
    'malformed_header',
    `The header ${name} ${reason}, got ${quote(value)}.`,
  )
}

/** Shortens what a stranger may have sent, and makes control characters visible. */
function quote(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
}
