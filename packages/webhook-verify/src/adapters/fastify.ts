import type { IncomingHttpHeaders } from 'node:http'
import { type BodyInput, readBody } from '../body.ts'
import type { VerifiedEvent } from '../event.ts'
import {
  createReceive,
  DEFAULT_MAX_BODY_BYTES,
  type ReceiverAnswer,
  type ReceiverOptions,
} from '../receiver.ts'
import { verifyWebhook } from '../verify.ts'
import type { VerifyPolicy } from '../verify-options.ts'
import { tooLarge } from './raw-body.ts'

export type { EventHandlers, ReceiverOptions } from '../receiver.ts'

/** What is used of Fastify's request. */
export interface FastifyRequestLike {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** What is used of Fastify's reply. */
export interface FastifyReplyLike {
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body: string): unknown
}

/** What is used of a Fastify instance. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown
  // biome-ignore lint/suspicious/noExplicitAny: Fastify's overloads, of which one is used
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

/**
 * Verifies a request whose body Fastify left as bytes, because a parser with `parseAs: 'buffer'` is set.
 * @throws WebhookVerificationError code "body_already_parsed" behind Fastify's own JSON parser.
 */
export function verifyRequest(request: FastifyRequestLike, options: VerifyPolicy): VerifiedEvent {
  return verifyWebhook({ ...options, headers: request.headers, body: request.body as BodyInput })
}

/**
 * A Fastify plugin with one route that verifies, dedupes, handles and answers:
 * `app.register(createReceiver({ … }), { prefix: '/webhooks' })`. Inside it, and nowhere else, bodies stay bytes.
 */
export function createReceiver(options: FastifyReceiverOptions): (app: FastifyLike) => Promise<void> {
  const receive = createReceive(options, verifyWebhook)
  const bodyLimit = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES
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
      return send(
        reply,
        await receive(() => {
          throw tooLarge(bodyLimit)
        }),
      )
    })
    app.post(options.path ?? '/', async (request: FastifyRequestLike, reply: FastifyReplyLike) => {
      const answer = await receive(() => ({
        headers: request.headers,
        body: readBody((request.body ?? '') as BodyInput),
      }))
      return send(reply, answer)
    })
  }
}

function send(reply: FastifyReplyLike, { status, headers, body }: ReceiverAnswer): unknown {
  reply.code(status)
  reply.headers(headers)
  return reply.send(body)
}
