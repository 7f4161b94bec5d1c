import { readBody } from '../verification/body.ts'
import { verifyWebhook } from '../verification/verify.ts'
import {
  createReceive,
  type ReceivedRequest,
  type ReceiverOptions,
  type ReceiverResponse,
} from './receiver.ts'

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
  const receive = createReceive(options, verifyWebhook)
  return (request) =>
    receive('POST', () => ({ headers: request.headers, body: readBody(request.body), url: request.url }))
}
