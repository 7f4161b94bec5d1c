import type { VerifiedEvent } from '../verification/event.ts'
import { verifyWebhook } from '../web.ts'
import { readFetchBody } from './raw-body.ts'
import {
  createReceive,
  type ReceiverOptions,
  type ReceiverResponse,
  requestPolicy,
  type VerifyRequestOptions,
} from './receiver.ts'

export type * from '../types.ts'

/**
 * Reads the raw body of a `Request` and verifies the delivery with WebCrypto (Workers, Deno, Bun, Node).
 * @throws WebhookVerificationError (as a rejection).
 * @example
 * const event = await verifyRequest(request, { secret: env.FORMWIRE_WEBHOOK_SECRET })
 */
export async function verifyRequest(request: Request, options: VerifyRequestOptions): Promise<VerifiedEvent> {
  const policy = requestPolicy(options)
  const body = await readFetchBody(request, options.maxBodyBytes)
  return verifyWebhook({ ...policy, headers: request.headers, body })
}

/**
 * Creates a fetch handler that verifies, dedupes and handles deliveries. The handler never rejects.
 * @example
 * Deno.serve(createReceiver({ secret, on: { 'response.submitted': (event) => save(event.response) } }))
 */
export function createReceiver(options: ReceiverOptions): (request: Request) => Promise<Response> {
  const receive = createReceive(options, verifyWebhook)
  return async (request) => {
    const { method, headers, url } = request
    const read = async () => ({ headers, body: await readFetchBody(request, options.maxBodyBytes), url })
    return toResponse(await receive(method, read))
  }
}

/** Converts a receiver's response to a fetch `Response`. */
export function toResponse({ status, headers, body }: ReceiverResponse): Response {
  return new Response(body, { status, headers })
}
