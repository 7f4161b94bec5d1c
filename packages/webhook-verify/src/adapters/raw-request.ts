import { type IncomingMessageLike, readWithin, tooLarge } from './raw-body.ts'
import { DEFAULT_MAX_BODY_BYTES, type ReceivedRequest } from './receiver.ts'

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
): ReceivedRequest | Promise<ReceivedRequest> {
  const { headers } = request
  const { rawBody, body } = holder as BodyHolder
  const kept = keptBody(rawBody) ?? keptBody(body)
  const url = request.originalUrl ?? request.url
  if (kept === undefined)
    return readWithin(request, maxBodyBytes).then((bytes) => ({ headers, body: bytes, url }))
  return { headers, body: withinLimit(kept, maxBodyBytes), url }
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
