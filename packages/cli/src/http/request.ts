import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { request as httpsRequest } from 'node:https'

/** One HTTP request with node's own client: no redirects followed, no content decoded. */
export interface OutgoingRequest {
  url: string
  method: string
  headers: OutgoingHttpHeaders
  body?: Uint8Array | undefined
  /** Milliseconds until the whole answer must be there; none for a stream. */
  timeoutMs?: number | undefined
  stop?: AbortSignal | undefined
}

/** An answer, its body whole. */
export interface WholeAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** An answer took longer than `timeoutMs`. */
class RequestTimeout extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(url: string, timeoutMs: number) {
    super(`no answer from ${new URL(url).origin} within ${timeoutMs / 1000} s`)
    this.name = 'TimeoutError'
  }
}

/** Sends the request and hands over the answer once its headers are there. @throws the system's error */
export function openRequest(outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, timeoutMs, stop } = outgoing
  return new Promise((resolve, reject) => {
    const send = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
    const { authorization, ...others } = headers
    const request = send(url, { method, headers: others, ...(stop ? { signal: stop } : {}) }, (answer) => {
      answer.once('close', () => clearTimeout(timer))
      resolve(answer)
    })
    // Not among the options: NODE_DEBUG=http prints those.
    if (authorization !== undefined) request.setHeader('authorization', authorization)
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => request.destroy(new RequestTimeout(url, timeoutMs)), timeoutMs)
    request.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    request.end(body)
  })
}

/** Sends the request and reads the whole answer, up to `maxBytes`; what is beyond is cut off. */
export async function sendRequest(
  outgoing: OutgoingRequest,
  maxBytes = 32 * 1024 * 1024,
): Promise<WholeAnswer> {
  const answer = await openRequest(outgoing)
  const body = await readUpTo(answer, maxBytes)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body }
}

async function readUpTo(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxBytes - size))
    size += chunk.length
    if (size >= maxBytes) {
      answer.destroy()
      break
    }
  }
  return Buffer.concat(chunks)
}
