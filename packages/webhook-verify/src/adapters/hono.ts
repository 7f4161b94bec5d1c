import { DEFAULT_MAX_BODY_BYTES } from '../verification/body.ts'
import type { VerifiedEvent } from '../verification/event.ts'
import { verifyWebhook } from '../web.ts'
import { toResponse } from './fetch.ts'
import { keptBody, readFetchBody, withinLimit } from './raw-body.ts'
import {
  createReceive,
  type ReceivedRequest,
  type ReceiverOptions,
  requestPolicy,
  type VerifyRequestOptions,
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
export async function verifyRequest(
  context: HonoContextLike,
  options: VerifyRequestOptions,
): Promise<VerifiedEvent> {
  const policy = requestPolicy(options)
  const { headers, body } = await readHonoRequest(context, options.maxBodyBytes)
  return verifyWebhook({ ...policy, headers, body })
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
  const receive = createReceive(options, verifyWebhook)
  return async (context) => {
    const read = () => readHonoRequest(context, options.maxBodyBytes)
    return toResponse(await receive(context.req.raw.method, read))
  }
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
async function readHonoRequest(
  { req }: HonoContextLike,
  maxBodyBytes: number = DEFAULT_MAX_BODY_BYTES,
): Promise<ReceivedRequest> {
  const { headers, url } = req.raw
  if (req.raw.bodyUsed) {
    const { arrayBuffer, text } = req.bodyCache ?? {}
    const cached = await (arrayBuffer ?? text)
    const kept = keptBody(cached instanceof ArrayBuffer ? new Uint8Array(cached) : cached)
    if (kept !== undefined) return { headers, body: withinLimit(kept, maxBodyBytes), url }
  }
  return { headers, body: await readFetchBody(req.raw, maxBodyBytes), url }
}
