import type { IncomingMessage } from 'node:http'
import type { VerifiedEvent } from '../verification/event.ts'
import { verifyWebhook } from '../verification/verify.ts'
import { readNodeRequest } from './raw-request.ts'
import {
  createReceive,
  methodNotAllowed,
  type ReceivedRequest,
  type ReceiverOptions,
  requestPolicy,
  type VerifyRequestOptions,
} from './receiver.ts'

export type { EventHandlers, ReceiverOptions, VerifyRequestOptions } from './receiver.ts'

/** The part of Koa's context that is used. */
export interface KoaContextLike {
  readonly req: IncomingMessage
  /** Body parsers add `body`; `@koa/bodyparser` adds `rawBody` too. */
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
  const policy = requestPolicy(options)
  const { headers, body } = await readKoaRequest(context, options.maxBodyBytes)
  return verifyWebhook({ ...policy, headers, body })
}

/**
 * Creates a Koa middleware that verifies, dedupes and handles deliveries. It does not call `next()`.
 * @example
 * const receive = createReceiver({ secret, on })
 * app.use((context, next) => (context.path === '/webhooks' ? receive(context) : next()))
 */
export function createReceiver(options: ReceiverOptions): (context: KoaContextLike) => Promise<void> {
  const receive = createReceive(options, verifyWebhook)
  return async (context) => {
    const response =
      context.req.method === 'POST'
        ? await receive(() => readKoaRequest(context, options.maxBodyBytes))
        : methodNotAllowed()
    context.status = response.status
    context.set(response.headers)
    if (!context.req.complete) context.set({ connection: 'close' })
    context.body = response.body
  }
}

/** Body parsers store their results on `ctx.request`; `@koa/bodyparser` keeps the raw text there too. */
function readKoaRequest(
  { req, request }: KoaContextLike,
  maxBodyBytes: number | undefined,
): ReceivedRequest | Promise<ReceivedRequest> {
  return readNodeRequest(req, request, maxBodyBytes)
}
