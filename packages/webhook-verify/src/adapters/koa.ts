import type { IncomingMessage } from 'node:http'
import type { VerifiedEvent } from '../event.ts'
import { createReceive, methodNotAllowed, type ReceiverOptions } from '../receiver.ts'
import { verifyWebhook } from '../verify.ts'
import type { RawRequest } from '../verify-options.ts'
import type { VerifyRequestOptions } from './node.ts'
import { readNodeRequest } from './raw-request.ts'

export type { EventHandlers, ReceiverOptions } from '../receiver.ts'
export type { VerifyRequestOptions } from './node.ts'

/** What is used of Koa's context. */
export interface KoaContextLike {
  readonly req: IncomingMessage
  /** Body parsers hang `body` and, the common one, `rawBody` onto it. */
  readonly request: object
  status: number
  body: unknown
  set(headers: Record<string, string>): void
}

/**
 * Verifies the delivery of a Koa context.
 * @throws WebhookVerificationError (as a rejection).
 */
export async function verifyRequest(
  context: KoaContextLike,
  options: VerifyRequestOptions,
): Promise<VerifiedEvent> {
  return verifyWebhook({ ...options, ...(await readKoaRequest(context, options.maxBodyBytes)) })
}

/** A Koa middleware that verifies, dedupes, handles and answers; it calls no further middleware. */
export function createReceiver(options: ReceiverOptions): (context: KoaContextLike) => Promise<void> {
  const receive = createReceive(options, verifyWebhook)
  return async (context) => {
    const answer =
      context.req.method === 'POST'
        ? await receive(() => readKoaRequest(context, options.maxBodyBytes))
        : methodNotAllowed()
    context.status = answer.status
    context.set(answer.headers)
    if (!context.req.complete) context.set({ connection: 'close' })
    context.body = answer.body
  }
}

/** Parsers hang their results onto `ctx.request`; the common one keeps the text too, as `rawBody`: that will do. */
function readKoaRequest(
  { req, request }: KoaContextLike,
  maxBodyBytes: number | undefined,
): Promise<RawRequest> {
  return readNodeRequest(req, request, maxBodyBytes)
}
