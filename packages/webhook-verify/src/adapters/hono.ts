import type { VerifiedEvent } from '../event.ts'
import { createReceive, DEFAULT_MAX_BODY_BYTES, methodNotAllowed, type ReceiverOptions } from '../receiver.ts'
import type { RawRequest } from '../verify-options.ts'
import { verifyWebhook } from '../web.ts'
import { toResponse, type VerifyRequestOptions } from './fetch.ts'
import { readFetchBody } from './raw-fetch-body.ts'
import { keptBody, withinLimit } from './raw-request.ts'

export type { EventHandlers, ReceiverOptions } from '../receiver.ts'
export type { VerifyRequestOptions } from './fetch.ts'

/** What is used of Hono's context. */
export interface HonoContextLike {
  readonly req: {
    readonly raw: Request
    /** What middleware in front has read of the body already, by the method that read it. */
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
  return verifyWebhook({ ...options, ...(await readHonoRequest(context, options.maxBodyBytes)) })
}

/**
 * A Hono handler that verifies, dedupes, handles and answers.
 * @param options the receiver's options, or a function of the context that gives them, for secrets in `c.env`.
 */
export function createReceiver<Context extends HonoContextLike>(
  options: ReceiverOptions | ((context: Context) => ReceiverOptions),
): (context: Context) => Promise<Response> {
  return async (context) => {
    if (context.req.raw.method !== 'POST') return toResponse(methodNotAllowed())
    const resolved = typeof options === 'function' ? options(context) : options
    const receive = createReceive(resolved, verifyWebhook)
    return toResponse(await receive(() => readHonoRequest(context, resolved.maxBodyBytes)))
  }
}

/**
 * The raw body, also when middleware in front read it through Hono, which keeps the text behind `c.req.json()`. Hono's
 * own `arrayBuffer()` is not asked: for want of text it would serialise a parsed body again, to other bytes.
 */
async function readHonoRequest(
  { req }: HonoContextLike,
  maxBodyBytes: number = DEFAULT_MAX_BODY_BYTES,
): Promise<RawRequest> {
  const { headers } = req.raw
  if (req.raw.bodyUsed) {
    const { arrayBuffer, text } = req.bodyCache ?? {}
    const cached = await (arrayBuffer ?? text)
    const kept = keptBody(cached instanceof ArrayBuffer ? new Uint8Array(cached) : cached)
    if (kept !== undefined) return { headers, body: withinLimit(kept, maxBodyBytes) }
  }
  return { headers, body: await readFetchBody(req.raw, maxBodyBytes) }
}
