import type { IncomingMessage, ServerResponse } from 'node:http'
import type { VerifiedEvent } from '../verification/event.ts'
import { verifyWebhook } from '../verification/verify.ts'
import { readNodeRequest } from './raw-body.ts'
import { createReceive, type ReceiverOptions, type VerifyRequestOptions, verifyRead } from './receiver.ts'

export type * from '../types.ts'
export { readRawBody } from './raw-body.ts'

/**
 * Reads the raw body and verifies the delivery. Call it before anything else reads the request.
 * @throws WebhookVerificationError (as a rejection).
 * @example
 * const event = await verifyRequest(request, { secret: process.env.FORMWIRE_WEBHOOK_SECRET })
 */
export function verifyRequest(
  request: IncomingMessage,
  options: VerifyRequestOptions,
): Promise<VerifiedEvent> {
  return verifyRead(verifyWebhook, readNodeRequest, request, options)
}

/**
 * Creates a request listener for `node:http` that verifies, dedupes and handles deliveries. It never rejects.
 * @example
 * http.createServer(createReceiver({ secret, on: { 'response.submitted': (event) => save(event.response) } })).listen(4000)
 */
export function createReceiver(
  options: ReceiverOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const receive = createReceive(verifyWebhook, readNodeRequest, options)
  return async (request, response) => {
    const { status, headers, body } = await receive(request.method, request)
    if (response.headersSent || response.destroyed) return
    // Closes the connection if part of the body was not read, so that an endless sender is cut off.
    if (!request.complete) response.setHeader('connection', 'close')
    response.writeHead(status, headers).end(body)
  }
}
