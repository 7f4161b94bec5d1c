import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { RequestTimeout } from './service.ts'

/** One request to a program of the user, such as a handler, without a proxy. Redirects are not followed, content is not decoded. */
export interface OutgoingRequest {
  url: string
  method: string
  headers: OutgoingHttpHeaders
  body?: Uint8Array | undefined
  /** Milliseconds until the whole response must have arrived. */
  timeoutMs: number
  stop?: AbortSignal | undefined
  /** Accepts any TLS certificate. @default false */
  insecure?: boolean | undefined
}

export interface WholeResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends the request on a connection of its own, and reads the response body, truncated to `maxBytes`. @throws the system's error */
export function sendRequest(outgoing: OutgoingRequest, maxBytes: number): Promise<WholeResponse> {
  const { url, method, headers, body, timeoutMs, stop, insecure } = outgoing
  return new Promise((resolve, reject) => {
    const send = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
    const options = {
      method,
      headers,
      // A kept connection may be closed just when it is used again.
      agent: false as const,
      ...(stop ? { signal: stop } : {}),
      ...(insecure ? { rejectUnauthorized: false } : {}),
    }
    const timer = setTimeout(() => request.destroy(new RequestTimeout(url, timeoutMs)), timeoutMs)
    const request = send(url, options, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      const end = (): void =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk.subarray(0, maxBytes - size))
        size += chunk.length
        if (size < maxBytes) return
        end()
        response.destroy()
      })
      response.once('end', end).once('error', reject)
    })
    request.once('error', reject).once('close', () => clearTimeout(timer))
    request.end(body)
  })
}
