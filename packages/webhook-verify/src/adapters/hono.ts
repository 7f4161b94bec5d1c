import type { VerifiedEvent } from '../verification/event.ts'
import { verifyWebhook } from '../web.ts'
import { toResponse } from './fetch.ts'
import { keptBody, readFetchRequest, withinLimit } from './raw-body.ts'
import {
  createReceive,
  type ReceivedRequest,
  type ReceiverOptions,
  type VerifyRequestOptions,
  verifyRead,
} from './receiver.ts'

export type * from '../types.ts'

/** The part of Hono's context that is used. */
export interface HonoContextLike {
  readonly req: {
    readonly raw: Request
    /** The body as middleware has read it, keyed by the method that read it. */
    readonly bodyCache?: { arrayBuffer?: unknown; text?: unknown }
  }
}

/**
 * Verifies the delivery of a Hono context.
 * @throws WebhookVerificationError (as a rejection).
 */
export function verifyRequest(
  context: HonoContextLike,
  options: VerifyRequestOptions,
): Promise<VerifiedEvent> {
  return verifyRead(verifyWebhook, readHonoRequest, context, options)
}

/**
 * Creates a Hono handler that verifies, dedupes and handles deliveries.
 * @param options the receiver's options, or a function from the context to them, for secrets in `c.env`.
 * @example
 * app.post('/webhooks', createReceiver((c) => ({ secret: c.env.FORMWIRE_WEBHOOK_SECRET, on })))
 */
export function createReceiver<Context extends HonoContextLike>(
  options: ReceiverOptions | ((context: Context) => ReceiverOptions),
): (context: Context) => Promise<Response> {
  if (typeof options !== 'function') return handlerWith(options)
  return (context) => handlerWith(withLazySecret(options(context)))(context)
}

function handlerWith(options: ReceiverOptions): (context: HonoContextLike) => Promise<Response> {
  const receive = createReceive(verifyWebhook, readHonoRequest, options)
  return async (context) => toResponse(await receive(context.req.raw.method, context))
}

/** Options that come with the request: a secret that is missing is a response with 500, like any failure of a delivery. */
function withLazySecret(options: ReceiverOptions): ReceiverOptions {
  const { secret } = options
  return typeof secret === 'function' ? options : { ...options, secret: () => secret }
}

/**
 * Reads the raw body, even if middleware has read it through Hono, which caches the text behind `c.req.json()`. Does not
 * call Hono's `arrayBuffer()`: without a cached text it would serialize the parsed body again, to different bytes.
 */
async function readHonoRequest({ req }: HonoContextLike, maxBodyBytes: number): Promise<ReceivedRequest> {
  if (req.raw.bodyUsed) {
    const { headers, url } = req.raw
    const { arrayBuffer, text } = req.bodyCache ?? {}
    const cached = await (arrayBuffer ?? text)
    const kept = keptBody(cached instanceof ArrayBuffer ? new Uint8Array(cached) : cached)
    if (kept !== undefined) return { headers, body: withinLimit(kept, maxBodyBytes), url }
  }
  return readFetchRequest(req.raw, maxBodyBytes)
}
