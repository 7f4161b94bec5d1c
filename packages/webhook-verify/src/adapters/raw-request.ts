import { DEFAULT_MAX_BODY_BYTES } from '../receiver.ts'
import type { RawRequest } from '../verify-options.ts'
import { type IncomingMessageLike, readRawBody, tooLarge } from './raw-body.ts'

/** Where frameworks hang what they made of a body. */
interface BodyHolder {
  /** Set by body parsers: bytes or text by a raw one, anything by the others. */
  body?: unknown
  /** Set beside the parsed body by some parsers and platforms. */
  rawBody?: unknown
}

/** A request of Node's, with what frameworks may have hung onto it. */
export interface NodeRequestLike extends IncomingMessageLike, BodyHolder {}

/**
 * Headers and raw body of a Node request: the bytes that a raw parser kept, else those of the stream.
 * @param holder where the framework keeps a body that was read already.
 * @throws WebhookVerificationError (as a rejection) code "body_already_parsed" when a parser left only its result.
 */
export async function readNodeRequest(
  request: IncomingMessageLike,
  holder: object,
  maxBodyBytes: number = DEFAULT_MAX_BODY_BYTES,
): Promise<RawRequest> {
  const { headers } = request
  const { rawBody, body } = holder as BodyHolder
  const kept = keptBody(rawBody) ?? keptBody(body)
  if (kept === undefined) return { headers, body: await readRawBody(request, { maxBodyBytes }) }
  return { headers, body: withinLimit(kept, maxBodyBytes) }
}

/** The body if it is bytes, or their text, as raw parsers leave it. */
export function keptBody(body: unknown): string | Uint8Array | undefined {
  return typeof body === 'string' || body instanceof Uint8Array ? body : undefined
}

/** @throws WebhookVerificationError code "body_too_large". Text has at most as many characters as bytes. */
export function withinLimit<Body extends string | Uint8Array>(body: Body, maxBodyBytes: number): Body {
  if (body.length > maxBodyBytes) throw tooLarge(maxBodyBytes)
  return body
}
