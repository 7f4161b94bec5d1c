import { badRequest } from './errors.ts'
import type { Handler } from './handler.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'

/** What a caller in process may say about itself. */
export interface FetchOptions {
  /** Address of the client, for the limit of failed authentications. @default '127.0.0.1' */
  address?: string
}

/** The door without a socket: a standard `Request` in, a standard `Response` out. */
export async function answerFetch(
  handler: Handler,
  request: Request,
  options: FetchOptions = {},
): Promise<Response> {
  return toResponse(await handler(toMessage(request, options.address ?? '127.0.0.1')))
}

function toMessage(request: Request, address: string): IncomingMessage {
  const { path, query, origin } = splitUrl(request.url)
  return {
    method: request.method.toUpperCase(),
    path,
    query,
    origin,
    address,
    headers: { get: (name) => request.headers.get(name) ?? undefined },
    signal: request.signal,
    readBody: (maxBytes) => readAtMost(request, maxBytes),
  }
}

/** Cut by hand: `URL` would leave the path's encoding alone but costs more than the rest of the door. */
function splitUrl(url: string): { origin: string; path: string; query: string } {
  const hostAt = url.indexOf('://') + 3
  const hash = url.indexOf('#', hostAt)
  const end = hash < 0 ? url.length : hash
  const slash = url.indexOf('/', hostAt)
  const pathAt = slash < 0 ? end : slash
  const mark = url.indexOf('?', pathAt)
  const queryAt = mark < 0 || mark > end ? end : mark
  return {
    origin: url.slice(0, pathAt),
    path: url.slice(pathAt, queryAt) || '/',
    query: url.slice(queryAt + 1, end),
  }
}

async function readAtMost(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    size += value.byteLength
    if (size > maxBytes) {
      // Not awaited: a source that never settles must not hold the answer back.
      reader.cancel().catch(() => undefined)
      throw badRequest(`The body is larger than ${maxBytes} bytes.`)
    }
    chunks.push(value)
  }
}

function toResponse({ status, headers, body, reset }: OutgoingMessage): Response {
  if (reset === true) throw new TypeError('fetch failed', { cause: connectionReset() })
  if (reset === 'middle') return new Response(toBodyInit(brokenOff(body)), { status, headers })
  return new Response(body === null || typeof body === 'string' ? body : toBodyInit(body), {
    status,
    headers,
  })
}

const connectionReset = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })

/** Half of a body, or a stream as far as it goes, then the error that `fetch` gives for a connection that is cut. */
async function* brokenOff(body: OutgoingMessage['body']): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = Buffer.from(body)
    if (bytes.length > 1) yield bytes.subarray(0, bytes.length >> 1)
  } else if (body) yield* body
  throw new TypeError('terminated', { cause: connectionReset() })
}

function toBodyInit(body: Uint8Array | AsyncIterable<Uint8Array>): BodyInit {
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
  const iterator = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
