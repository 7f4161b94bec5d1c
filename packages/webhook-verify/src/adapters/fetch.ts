import type { VerifiedEvent } from '../event.ts'
import { createReceive, methodNotAllowed, type ReceiverAnswer, type ReceiverOptions } from '../receiver.ts'
import type { VerifyPolicy } from '../verify-options.ts'
import { verifyWebhook } from '../web.ts'
import { readFetchBody } from './raw-fetch-body.ts'

export type { EventHandlers, ReceiverOptions } from '../receiver.ts'

/** How a request is verified and how large its body may be. */
export interface VerifyRequestOptions extends VerifyPolicy {
  /** Largest body in bytes. @default 1_048_576 (1 MiB) */
  maxBodyBytes?: number | undefined
}

/**
 * Reads the raw body of a `Request` and verifies the delivery, with WebCrypto: Workers, Deno, Bun, Node.
 * @throws WebhookVerificationError (as a rejection).
 */
export async function verifyRequest(request: Request, options: VerifyRequestOptions): Promise<VerifiedEvent> {
  const body = await readFetchBody(request, options.maxBodyBytes)
  return verifyWebhook({ ...options, headers: request.headers, body })
}

/** A `(request) => Response` that verifies, dedupes, handles and answers. It never rejects. */
export function createReceiver(options: ReceiverOptions): (request: Request) => Promise<Response> {
  const receive = createReceive(options, verifyWebhook)
  return async (request) => {
    if (request.method !== 'POST') return toResponse(methodNotAllowed())
    return toResponse(
      await receive(async () => ({
        headers: request.headers,
        body: await readFetchBody(request, options.maxBodyBytes),
      })),
    )
  }
}

/** The answer as a `Response`. */
export function toResponse({ status, headers, body }: ReceiverAnswer): Response {
  return new Response(body, { status, headers })
}
