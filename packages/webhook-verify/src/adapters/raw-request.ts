import { HEADER } from '../verification/header-names.ts'
import { type IncomingMessageLike, readWithin, tooLarge } from './raw-body.ts'
import { DEFAULT_MAX_BODY_BYTES, type ReadRequest } from './receiver.ts'

/** Where frameworks store a body that they have read. */
interface BodyHolder {
  /** Set by body parsers: raw parsers store bytes or text, others a parsed value. */
  body?: unknown
  /** Set in addition to the parsed body by some parsers and platforms. */
  rawBody?: unknown
}

/** A Node request, with the members that frameworks may add. */
export interface NodeRequestLike extends IncomingMessageLike, BodyHolder {}

/**
 * Reads headers and raw body of a Node request. Prefers a raw body kept by a parser to the stream.
 * @param holder the object on which the framework stores a body that it has read.
 * @throws WebhookVerificationError (at once or as a rejection) code "body_already_parsed" if a parser kept only the parsed value.
 */
export function readNodeRequest(
  request: IncomingMessageLike,
  holder: object,
  maxBodyBytes: number = DEFAULT_MAX_BODY_BYTES,
): ReadRequest | Promise<ReadRequest> {
  const { headers } = request
  // Node writes the names in lower case. Iterating over all of them would cost more than the other checks of the headers.
  const deliveryHeaders = {
    [HEADER.event]: headers[HEADER.event],
    [HEADER.delivery]: headers[HEADER.delivery],
    [HEADER.timestamp]: headers[HEADER.timestamp],
    [HEADER.signature]: headers[HEADER.signature],
  }
  const { rawBody, body } = holder as BodyHolder
  const kept = keptBody(rawBody) ?? keptBody(body)
  const url = request.originalUrl ?? request.url
  if (kept !== undefined) return { headers, deliveryHeaders, body: withinLimit(kept, maxBodyBytes), url }
  return readWithin(request, maxBodyBytes).then((read) => ({ headers, deliveryHeaders, body: read, url }))
}

/** Returns the body if it is bytes or text, as raw parsers store it. */
export function keptBody(body: unknown): string | Uint8Array | undefined {
  return typeof body === 'string' || body instanceof Uint8Array ? body : undefined
}

/** @throws WebhookVerificationError code "body_too_large". The length of a text is a lower bound of its bytes. */
export function withinLimit<Body extends string | Uint8Array>(body: Body, maxBodyBytes: number): Body {
  if (body.length > maxBodyBytes) throw tooLarge(maxBodyBytes)
  return body
}
