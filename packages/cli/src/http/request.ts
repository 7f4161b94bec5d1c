import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { request as httpsRequest } from 'node:https'

/** One HTTP request with Node's client. Redirects are not followed, content is not decoded. */
export interface OutgoingRequest {
  url: string
  method: string
  headers: OutgoingHttpHeaders
  body?: Uint8Array | undefined
  /** Milliseconds until the whole response must have arrived; undefined for a stream. */
  timeoutMs?: number | undefined
  stop?: AbortSignal | undefined
  /** Accepts any TLS certificate. @default false */
  insecure?: boolean | undefined
  /** Opens a connection for this request alone. @default a kept connection may be used */
  ownConnection?: boolean | undefined
}

/** A response with its whole body. */
export interface WholeResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The response took longer than `timeoutMs`. */
class RequestTimeout extends Error {
  readonly code = 'ETIMEDOUT'
  readonly timeoutMs: number

  constructor(url: string, timeoutMs: number) {
    super(`no response from ${new URL(url).origin} within ${timeoutMs / 1000} s`)
    this.name = 'TimeoutError'
    this.timeoutMs = timeoutMs
  }
}

/** Sends the request and resolves to the response once its headers have arrived. @throws the system's error */
export function openRequest(outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, timeoutMs, stop, insecure, ownConnection } = outgoing
  return new Promise((resolve, reject) => {
    const send = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
    const { authorization, ...others } = headers
    const options = {
      method,
      headers: others,
      ...(stop ? { signal: stop } : {}),
      ...(insecure ? { rejectUnauthorized: false } : {}),
      ...(ownConnection ? { agent: false as const } : {}),
    }
    const request = send(url, options, (response) => {
      response.once('close', () => clearTimeout(timer))
      resolve(response)
    })
    // Set separately: NODE_DEBUG=http prints the options.
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

/** Sends the request and reads the response body, truncated to `maxBytes`. */
export async function sendRequest(
  outgoing: OutgoingRequest,
  maxBytes = 32 * 1024 * 1024,
): Promise<WholeResponse> {
  const response = await openRequest(outgoing)
  const body = await readUpTo(response, maxBytes)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

async function readUpTo(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxBytes - size))
    size += chunk.length
    if (size >= maxBytes) {
      response.destroy()
      break
    }
  }
  return Buffer.concat(chunks)
}
