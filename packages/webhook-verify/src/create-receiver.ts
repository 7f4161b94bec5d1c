import { readBody } from './body.ts'
import { createReceive, type ReceiverAnswer, type ReceiverOptions } from './receiver.ts'
import { verifyWebhook } from './verify.ts'
import type { RawRequest } from './verify-options.ts'

/**
 * A receiver without a framework: headers and raw body in, status, headers and text out. For frameworks that have no
 * door of their own here. It never rejects.
 */
export function createReceiver(options: ReceiverOptions): (request: RawRequest) => Promise<ReceiverAnswer> {
  const receive = createReceive(options, verifyWebhook)
  return (request) => receive(() => ({ headers: request.headers, body: readBody(request.body) }))
}
