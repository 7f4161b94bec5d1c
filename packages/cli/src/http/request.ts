import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Runtime } from '../runtime.ts'
import { dispatcherOf, proxyOf } from './proxy.ts'
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
    const { authorization, ...others } = headers
    const options = {
      method,
      headers: others,
      // A kept connection may be closed just when it is used again.
      agent: false as const,
      ...(stop ? { signal: stop } : {}),
      ...(insecure ? { rejectUnauthorized: false } : {}),
    }
    const request = requestTo(url)(url, options, (response) => {
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
    const timer = setTimeout(() => request.destroy(new RequestTimeout(url, timeoutMs)), timeoutMs)
    // Set separately: NODE_DEBUG=http prints the options.
    if (authorization !== undefined) request.setHeader('authorization', authorization)
    request.once('error', reject).once('close', () => clearTimeout(timer))
    request.end(body)
  })
}

const requestTo = (url: string) => (new URL(url).protocol === 'https:' ? httpsRequest : httpRequest)

/** Opens a stream of the service, on any port: `fetch` blocks some. Redirects are not followed. @throws the system's error */
export async function openStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  { stop, env }: Pick<Runtime, 'stop' | 'env'>,
): Promise<{ status: number; body: AsyncIterable<Uint8Array> }> {
  const proxy = proxyOf(url, env)
  if (proxy) {
    const { origin, pathname, search } = new URL(url)
    const dispatcher = await dispatcherOf(proxy)
    const { statusCode: status, body } = await dispatcher.request({
      ...{ origin, path: `${pathname}${search}`, method: 'GET', headers },
      ...{ headersTimeout: 0, bodyTimeout: 0 },
      signal: stop,
    })
    return { status, body }
  }
  return await new Promise((resolve, reject) => {
    const request = requestTo(url)(url, { signal: stop }, (response) =>
      resolve({ status: response.statusCode ?? 0, body: response }),
    )
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value)
    request.once('error', reject).end()
  })
}
