import type { IncomingHttpHeaders } from 'node:http'
import { type BodyInput, DEFAULT_MAX_BODY_BYTES, readBody } from '../verification/body.ts'
import type { OptionNames } from '../verification/check-options.ts'
import type { VerifiedEvent } from '../verification/event.ts'
import { verifyWebhook } from '../verification/verify.ts'
import type { VerifyPolicy } from '../verification/verify-options.ts'
import { tooLarge } from './raw-body.ts'
import {
  createReceive,
  RECEIVER_OPTIONS,
  type Read,
  type ReceiverOptions,
  requestPolicy,
} from './receiver.ts'

export type * from '../types.ts'

/** The part of Fastify's request that is used. */
export interface FastifyRequestLike {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  readonly url?: string | undefined
}

/** The part of Fastify's reply that is used. */
export interface FastifyReplyLike {
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body: string): unknown
}

/** The part of a Fastify instance that is used. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown
  // biome-ignore lint/suspicious/noExplicitAny: Fastify has several overloads
  addContentTypeParser(type: string, options: any, parser: any): unknown
  // biome-ignore lint/suspicious/noExplicitAny: see above
  setErrorHandler(handler: (error: any, request: any, reply: any) => unknown): unknown
  // biome-ignore lint/suspicious/noExplicitAny: see above
  post(path: string, handler: (request: any, reply: any) => Promise<unknown>): unknown
}

/** Options of the Fastify plugin. */
export interface FastifyReceiverOptions extends ReceiverOptions {
  /** Path of the route, below the plugin's prefix. @default '/' */
  path?: string | undefined
}

const FASTIFY_OPTIONS: OptionNames<FastifyReceiverOptions> = { ...RECEIVER_OPTIONS, path: true }

/**
 * Verifies a request whose body is still bytes, because the route uses a parser with `parseAs: 'buffer'`.
 * @throws WebhookVerificationError code "body_already_parsed" after Fastify's own JSON parser.
 */
export function verifyRequest(request: FastifyRequestLike, options: VerifyPolicy): VerifiedEvent {
  return verifyWebhook({
    ...requestPolicy(options),
    headers: request.headers,
    body: request.body as BodyInput,
  })
}

/**
 * Creates a Fastify plugin with one route that verifies, dedupes and handles deliveries. Bodies stay bytes inside the
 * plugin only.
 * @example
 * app.register(createReceiver({ secret, on: { 'response.submitted': handle } }), { prefix: '/webhooks' })
 */
export function createReceiver(options: FastifyReceiverOptions): (app: FastifyLike) => Promise<void> {
  const receive = createReceive(verifyWebhook, readFastifyRequest, options, FASTIFY_OPTIONS)
  const bodyLimit = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES
  const respond = async (reply: FastifyReplyLike, request: FastifyRequestLike | typeof TOO_LARGE) => {
    const { status, headers, body } = await receive('POST', request)
    reply.code(status)
    reply.headers(headers)
    return reply.send(body)
  }
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit },
      (_request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) =>
        done(null, body),
    )
    app.setErrorHandler(async (error: { statusCode?: number }, _request, reply: FastifyReplyLike) => {
      if (error.statusCode !== 413) throw error
      return respond(reply, TOO_LARGE)
    })
    app.post(options.path ?? '/', (request: FastifyRequestLike, reply: FastifyReplyLike) =>
      respond(reply, request),
    )
  }
}

/** In place of a request whose body Fastify did not read to its end. */
const TOO_LARGE = 'too large'

const readFastifyRequest: Read<FastifyRequestLike | typeof TOO_LARGE> = (request, maxBodyBytes) => {
  if (request === TOO_LARGE) throw tooLarge(maxBodyBytes)
  const { headers, body, url } = request
  return { headers, body: readBody((body ?? '') as BodyInput), url }
}
