import type { BodyInput } from '../body.ts'
import type { VerifiedEvent } from '../event.ts'
import type { HeadersInput } from '../raw-headers.ts'
import { createReceive, DEFAULT_MAX_BODY_BYTES, methodNotAllowed, type ReceiverOptions } from '../receiver.ts'
import { verifyWebhook } from '../verify.ts'
import type { RawRequest } from '../verify-options.ts'
import type { VerifyRequestOptions } from './fetch.ts'
import { keptBody, withinLimit } from './raw-request.ts'

export type { EventHandlers, ReceiverOptions } from '../receiver.ts'
export type { VerifyRequestOptions } from './fetch.ts'

/** What is used of the events of API Gateway (REST and HTTP APIs), function URLs and load balancers. */
export interface LambdaEventLike {
  headers?: { [name: string]: string | undefined } | null | undefined
  /** REST APIs: every value of a repeated header. */
  multiValueHeaders?: { [name: string]: string[] | undefined } | null | undefined
  body?: unknown
  /** Whether `body` is base64. */
  isBase64Encoded?: boolean | undefined
  httpMethod?: string | undefined
  requestContext?: { http?: { method?: string } } | undefined
  /** Set by middleware that replaced `body` by its parsed form. */
  rawBody?: unknown
}

/** What a Lambda function behind HTTP gives back. */
export interface LambdaResult {
  statusCode: number
  headers: Record<string, string>
  body: string
}

/**
 * Verifies the delivery in a Lambda event; base64 is decoded.
 * @throws WebhookVerificationError
 */
export function verifyRequest(event: LambdaEventLike, options: VerifyRequestOptions): VerifiedEvent {
  return verifyWebhook({ ...options, ...readLambdaRequest(event, options.maxBodyBytes) })
}

/**
 * A Lambda handler that verifies, dedupes, handles and answers. A function is frozen once it has answered: keep
 * `acknowledge: 'after'`, and hand long work to a queue.
 */
export function createReceiver(options: ReceiverOptions): (event: LambdaEventLike) => Promise<LambdaResult> {
  const receive = createReceive(options, verifyWebhook)
  return async (event) => {
    const method = event.requestContext?.http?.method ?? event.httpMethod ?? 'POST'
    const { status, headers, body } =
      method === 'POST'
        ? await receive(() => readLambdaRequest(event, options.maxBodyBytes))
        : methodNotAllowed()
    return { statusCode: status, headers, body }
  }
}

function readLambdaRequest(
  { body, rawBody, headers, multiValueHeaders, isBase64Encoded }: LambdaEventLike,
  maxBodyBytes: number = DEFAULT_MAX_BODY_BYTES,
): RawRequest {
  // The list of every value shows a repeated header, where the plain one keeps only the last.
  const all: HeadersInput =
    multiValueHeaders && Object.keys(multiValueHeaders).length > 0 ? multiValueHeaders : (headers ?? {})
  const kept = keptBody(rawBody) ?? keptBody(body)
  if (kept === undefined) return { headers: all, body: (body === null ? '' : body) as BodyInput }
  const bytes = isBase64Encoded && typeof kept === 'string' ? Buffer.from(kept, 'base64') : kept
  return { headers: all, body: withinLimit(bytes, maxBodyBytes) }
}
