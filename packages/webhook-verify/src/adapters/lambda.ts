import { type BodyInput, DEFAULT_MAX_BODY_BYTES } from '../verification/body.ts'
import type { VerifiedEvent } from '../verification/event.ts'
import { verifyWebhook } from '../verification/verify.ts'
import type { HeadersInput } from '../verification/verify-options.ts'
import { keptBody, withinLimit } from './raw-body.ts'
import {
  createReceive,
  type ReceivedRequest,
  type ReceiverOptions,
  requestPolicy,
  type VerifyRequestOptions,
} from './receiver.ts'

export type * from '../types.ts'

/** The part of an event that is used: API Gateway (REST and HTTP APIs), function URLs, load balancers. */
export interface LambdaEventLike {
  headers?: { [name: string]: string | undefined } | null | undefined
  /** REST APIs: every value of a repeated header. */
  multiValueHeaders?: { [name: string]: string[] | undefined } | null | undefined
  body?: unknown
  /** Whether `body` is base64. */
  isBase64Encoded?: boolean | undefined
  httpMethod?: string | undefined
  /** REST APIs and load balancers. */
  path?: string | undefined
  /** HTTP APIs and function URLs. */
  rawPath?: string | undefined
  rawQueryString?: string | undefined
  requestContext?: { http?: { method?: string } } | undefined
  /** Set by middleware that replaces `body` with the parsed body. */
  rawBody?: unknown
}

/** The result of a Lambda function behind HTTP. */
export interface LambdaResult {
  statusCode: number
  headers: Record<string, string>
  body: string
}

/**
 * Verifies the delivery in a Lambda event. Decodes base64 bodies.
 * @throws WebhookVerificationError
 */
export function verifyRequest(event: LambdaEventLike, options: VerifyRequestOptions): VerifiedEvent {
  const policy = requestPolicy(options)
  const { headers, body } = readLambdaRequest(event, options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES)
  return verifyWebhook({ ...policy, headers, body })
}

/**
 * Creates a Lambda handler that verifies, dedupes and handles deliveries. Lambda freezes a function once it has responded:
 * keep `acknowledge: 'after'`, and put long work in a queue.
 * @example
 * export const handler = createReceiver({ secret: () => process.env.FORMWIRE_WEBHOOK_SECRET, on })
 */
export function createReceiver(options: ReceiverOptions): (event: LambdaEventLike) => Promise<LambdaResult> {
  const receive = createReceive(verifyWebhook, readLambdaRequest, options)
  return async (event) => {
    const method = event.requestContext?.http?.method ?? event.httpMethod ?? 'POST'
    const { status, headers, body } = await receive(method, event)
    return { statusCode: status, headers, body }
  }
}

function readLambdaRequest(event: LambdaEventLike, maxBodyBytes: number): ReceivedRequest {
  const { body, multiValueHeaders, rawQueryString } = event
  // `headers` keeps only the last value of a repeated header.
  const hasAll = multiValueHeaders && Object.keys(multiValueHeaders).length > 0
  const headers: HeadersInput = hasAll ? multiValueHeaders : (event.headers ?? {})
  const kept = keptBody(event.rawBody) ?? keptBody(body)
  const url = `${event.rawPath ?? event.path ?? ''}${rawQueryString ? `?${rawQueryString}` : ''}`
  if (kept === undefined) return { headers, body: (body ?? '') as BodyInput, url }
  const bytes = event.isBase64Encoded && typeof kept === 'string' ? Buffer.from(kept, 'base64') : kept
  return { headers, body: withinLimit(bytes, maxBodyBytes), url }
}
