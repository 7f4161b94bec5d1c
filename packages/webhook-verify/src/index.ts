import {
  createReceive,
  type ReceivedRequest,
  type ReceiverOptions,
  type ReceiverResponse,
} from './adapters/receiver.ts'
import { DEFAULT_MAX_BODY_BYTES, readBody } from './verification/body.ts'
import { verifyWebhook } from './verification/verify.ts'

export type * from './types.ts'
export { ERROR_CODES, WebhookVerificationError } from './verification/errors.ts'
export { DEFAULT_TOLERANCE_SECONDS } from './verification/freshness.ts'
export { signatureHeader, signWebhook } from './verification/hmac.ts'
export { verificationOf } from './verification/verification.ts'
export { tryVerifyWebhook, verifySignature } from './verification/verify.ts'
export { DEFAULT_MAX_BODY_BYTES, verifyWebhook }

/**
 * Creates a receiver for frameworks without an adapter: pass headers and raw body, send the returned status, headers and
 * body. The receiver never rejects.
 * @example
 * const receive = createReceiver({ secret, on: { 'response.submitted': (event) => save(event.response) } })
 * const { status, headers, body } = await receive({ headers: request.headers, body: rawBody })
 */
export function createReceiver(
  options: ReceiverOptions,
): (request: ReceivedRequest) => Promise<ReceiverResponse> {
  const read = ({ headers, body, url }: ReceivedRequest) => ({ headers, body: readBody(body), url })
  const receive = createReceive(verifyWebhook, read, options)
  return (request) => receive('POST', request)
}
