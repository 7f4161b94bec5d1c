import type { IncomingMessage, ServerResponse } from 'node:http'
import type { VerifiedEvent } from '../event.ts'
import { createReceive, methodNotAllowed, type ReceiverAnswer, type ReceiverOptions } from '../receiver.ts'
import { verifyWebhook } from '../verify.ts'
import type { VerifyPolicy } from '../verify-options.ts'
import { readNodeRequest } from './raw-request.ts'

export type { EventHandlers, ReceiverOptions } from '../receiver.ts'
export { readRawBody } from './raw-body.ts'

/** How a request is verified and how large its body may be. */
export interface VerifyRequestOptions extends VerifyPolicy {
  /** Largest body in bytes. @default 1_048_576 (1 MiB) */
  maxBodyBytes?: number | undefined
}

/**
 * Reads the raw body and verifies the delivery. Call it before anything else reads the request.
 * @throws WebhookVerificationError (as a rejection).
 */
export async function verifyRequest(
  request: IncomingMessage,
  options: VerifyRequestOptions,
): Promise<VerifiedEvent> {
  return verifyWebhook({ ...options, ...(await readNodeRequest(request, request, options.maxBodyBytes)) })
}

/** A request listener for `node:http` that verifies, dedupes, handles and answers. It never rejects. */
export function createReceiver(
  options: ReceiverOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const receive = createReceive(options, verifyWebhook)
  return async (request, response) => {
    const answer =
      request.method === 'POST'
        ? await receive(() => readNodeRequest(request, request, options.maxBodyBytes))
        : methodNotAllowed()
    send(request, response, answer)
  }
}

/** Closes the connection when part of the body was left unread, so that a sender without end is cut off. */
function send(request: IncomingMessage, response: ServerResponse, answer: ReceiverAnswer): void {
  if (response.headersSent || response.destroyed) return
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(answer.status, answer.headers).end(answer.body)
}
