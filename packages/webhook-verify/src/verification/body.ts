import { WebhookVerificationError } from './errors.ts'

/** The raw body, exactly as received. A string represents its UTF-8 bytes. */
export type BodyInput = string | Uint8Array | ArrayBuffer

/** Default of `maxBodyBytes`: 2.5 MiB. A form accepts a submission of 1 MiB, whose event has each answer twice, as value and as text. */
export const DEFAULT_MAX_BODY_BYTES = 2_621_440

/**
 * Returns the raw body as a string or bytes, without copying it.
 * @throws WebhookVerificationError code "missing_body" or "body_already_parsed".
 */
export function readBody(body: BodyInput): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  return unusualBody(body)
}

function unusualBody(body: unknown): Uint8Array {
  if (body === undefined || body === null) {
    throw new WebhookVerificationError(
      'missing_body',
      `The body is ${String(body)}: the raw body was never read.`,
    )
  }
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (isArrayBuffer(body)) return new Uint8Array(body)
  throw new WebhookVerificationError(
    'body_already_parsed',
    `The body must be a string, Uint8Array or ArrayBuffer, got ${typeof body}: it was parsed before it could be verified.`,
  )
}

/** Checks the tag, since `instanceof` fails for buffers of another realm, as test runners create them. */
function isArrayBuffer(body: unknown): body is ArrayBuffer {
  const tag = Object.prototype.toString.call(body)
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]'
}
