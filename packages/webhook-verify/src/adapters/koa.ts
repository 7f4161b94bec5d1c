import type { IncomingMessage } from 'node:http'
import type { VerifiedEvent } from '../verification/event.ts'
import { verifyWebhook } from '../verification/verify.ts'
import { readNodeRequest } from './raw-body.ts'
import { createReceive, type ReceiverOptions, requestPolicy, type VerifyRequestOptions } from './receiver.ts'

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
export async function verifyRequest(
  { req, request }: KoaContextLike,
  options: VerifyRequestOptions,
): Promise<VerifiedEvent> {
  const policy = requestPolicy(options)
  const { headers, body } = await readNodeRequest(req, request, options.maxBodyBytes)
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
    const { req, request } = context
    const response = await receive(req.method, () => readNodeRequest(req, request, options.maxBodyBytes))
    context.status = response.status
    context.set(response.headers)
    if (!req.complete) context.set({ connection: 'close' })
    context.body = response.body
  }
}
