import type { IncomingMessage } from 'node:http'
import type { VerifiedEvent } from '../verification/event.ts'
import { verifyWebhook } from '../verification/verify.ts'
import { readNodeRequest } from './raw-body.ts'
import { createReceive, type ReceiverOptions, type VerifyRequestOptions, verifyRead } from './receiver.ts'

export type * from '../types.ts'

/** The part of Koa's context that is used. */
export interface KoaContextLike {
  readonly req: IncomingMessage
  /** Body parsers add `body`; `@koa/bodyparser` adds the raw text as `rawBody` too. */
  readonly request: object
  status: number
  body: unknown
  set(headers: Record<string, string>): void
}

/**
 * Verifies the delivery of a Koa context.
 * @throws WebhookVerificationError (as a rejection).
 */
export function verifyRequest(
  context: KoaContextLike,
  options: VerifyRequestOptions,
): Promise<VerifiedEvent> {
  return verifyRead(verifyWebhook, readKoaRequest, context, options)
}

/**
 * Creates a Koa middleware that verifies, dedupes and handles deliveries. It does not call `next()`.
 * @example
 * const receive = createReceiver({ secret, on })
 * app.use((context, next) => (context.path === '/webhooks' ? receive(context) : next()))
 */
export function createReceiver(options: ReceiverOptions): (context: KoaContextLike) => Promise<void> {
  const receive = createReceive(verifyWebhook, readKoaRequest, options)
  return async (context) => {
    const { status, headers, body } = await receive(context.req.method, context)
    context.status = status
    context.set(context.req.complete ? headers : { ...headers, connection: 'close' })
    context.body = body
  }
}

const readKoaRequest = ({ req, request }: KoaContextLike, maxBodyBytes: number) =>
  readNodeRequest(req, maxBodyBytes, request)
