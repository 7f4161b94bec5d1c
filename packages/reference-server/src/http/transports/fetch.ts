import { nextTurn } from '../../real-timers.ts'
import { JOURNAL_BODY_BYTES } from '../../resource-limits.ts'
import type { Handler } from '../handler.ts'
import type { BodyStart, IncomingMessage, OutgoingMessage, ReserveBytes } from '../message.ts'
import { ReceivedBytes } from '../receive-body.ts'

/** Options of a request in process. */
export interface FetchOptions {
  /** Client address, for the limit on failed authentications. @default '127.0.0.1' */
  address?: string | undefined
}

/** The transport without a socket: handles a standard `Request` and returns a standard `Response`. */
export async function handleFetch(
  handler: Handler,
  request: Request,
  options: FetchOptions = {},
): Promise<Response> {
  const message = toMessage(request, options.address ?? '127.0.0.1')
  const response = await handler(message)
  if (message.bodyStart && request.body && !request.bodyUsed)
    await recordUnread(request.body, message.bodyStart)
  return toResponse(response)
}

/** Records the start of a body that nothing read. A source that is not ready does not delay the response. */
async function recordUnread(body: ReadableStream<Uint8Array>, start: BodyStart): Promise<void> {
  start.isCut = true
  const record = async (): Promise<void> => {
    const reader = body.getReader()
    while (start.size <= JOURNAL_BODY_BYTES) {
      const { done, value } = await reader.read()
      if (done) {
        start.isCut = false
        return
      }
      start.add(value)
    }
    await reader.cancel()
  }
  await Promise.race([record().catch(() => undefined), nextTurn()])
}

function toMessage(request: Request, address: string): IncomingMessage {
  const { pathname, search, origin } = new URL(request.url)
  const message: IncomingMessage = {
    method: request.method.toUpperCase(),
    path: pathname,
    query: search.slice(1),
    origin,
    address,
    headers: { get: (name) => request.headers.get(name) ?? undefined },
    sentHeaders: request.headers,
    signal: request.signal,
    readBody(maxBytes, reserve) {
      return readAtMost(request, maxBytes, reserve, message.bodyStart)
    },
  }
  return message
}

async function readAtMost(
  request: Request,
  maxBytes: number,
  reserve: ReserveBytes | undefined,
  start: BodyStart | undefined,
): Promise<Uint8Array> {
  const body = new ReceivedBytes(maxBytes, reserve)
  if (!request.body) return body.bytes()
  const reader = request.body.getReader()
  if (start) start.isCut = true
  for (;;) {
    const { done, value } = await reader.read()
    if (done) {
      if (start) start.isCut = false
      return body.bytes()
    }
    start?.add(value)
    try {
      body.add(value)
    } catch (error) {
      // Not awaited: a source that never settles must not delay the response.
      reader.cancel().catch(() => undefined)
      throw error
    }
  }
}

function toResponse({ status, headers, body, reset }: OutgoingMessage): Response {
  if (reset === true) throw new TypeError('fetch failed', { cause: connectionReset() })
  if (reset === 'middle') return new Response(toBodyInit(cutInTheMiddle(body)), { status, headers })
  return new Response(body === null || typeof body === 'string' ? body : toBodyInit(body), {
    status,
    headers,
  })
}

const connectionReset = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })

/** Yields half of a body, or all of a stream, then throws the error of `fetch` for a reset connection. */
async function* cutInTheMiddle(body: OutgoingMessage['body']): AsyncGenerator<Uint8Array> {
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
