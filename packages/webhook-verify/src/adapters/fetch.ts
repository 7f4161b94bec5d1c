import type { VerifiedEvent } from '../verification/event.ts'
import { verifyWebhook } from '../web.ts'
import { readFetchRequest } from './raw-body.ts'
import {
  createReceive,
  type ReceiverOptions,
  type ReceiverResponse,
  type VerifyRequestOptions,
  verifyRead,
} from './receiver.ts'

export type * from '../types.ts'

/**
 * Reads the raw body of a `Request` and verifies the delivery with WebCrypto (Workers, Deno, Bun, Node).
 * @throws WebhookVerificationError (as a rejection).
 * @example
 * const event = await verifyRequest(request, { secret: env.FORMWIRE_WEBHOOK_SECRET })
 */
export function verifyRequest(request: Request, options: VerifyRequestOptions): Promise<VerifiedEvent> {
  return verifyRead(verifyWebhook, readFetchRequest, request, options)
}

/**
 * Creates a fetch handler that verifies, dedupes and handles deliveries. The handler never rejects.
 * @example
 * Deno.serve(createReceiver({ secret, on: { 'response.submitted': (event) => save(event.response) } }))
 */
export function createReceiver(options: ReceiverOptions): (request: Request) => Promise<Response> {
  const receive = createReceive(verifyWebhook, readFetchRequest, options)
  return async (request) => toResponse(await receive(request.method, request))
}

/** Converts a receiver's response to a fetch `Response`. */
export function toResponse({ status, headers, body }: ReceiverResponse): Response {
  return new Response(body, { status, headers })
}
