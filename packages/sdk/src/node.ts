/** A transport on `node:http` and `node:https` alone: the fastest to start, and the one for single calls from a script. */
import { type Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { decodeBody } from './http/content-encoding.ts'
import { recordHeaders } from './http/record-headers.ts'
import type { Transport, TransportRequest, TransportResponse } from './http/transport.ts'

/** Options of {@link nodeTransport}. */
export interface NodeTransportOptions {
  /** Agent for http and https, such as one with a proxy or a certificate authority. @default Node's global ones (keep-alive) */
  agent?: Agent | HttpsAgent | undefined
}

/** What `node:http` needs to know of an origin, read once: parsing the URL would cost every request as much as sending it. */
function target(origin: string): RequestOptions {
  const { protocol, hostname, port } = urlToHttpOptions(new URL(origin))
  return { protocol: protocol ?? null, hostname: hostname ?? null, port: port ?? null }
}

/**
 * Sends with `node:http(s)`. A POST goes out on a connection of its own: on a kept one that the service has just closed it would
 * be unknown whether it arrived.
 */
export function nodeTransport({ agent }: NodeTransportOptions = {}): Transport {
  let origin = ''
  let known: RequestOptions
  return (request) => {
    const { url } = request
    const pathAt = url.indexOf('/', url.indexOf('://') + 3)
    if (!origin || !url.startsWith(origin) || origin.length !== pathAt) {
      known = target(url.slice(0, pathAt))
      origin = url.slice(0, pathAt)
    }
    // Written out and of one shape: spread from the origin's, a request would cost a tenth more.
    const { protocol, hostname, port } = known
    const { method } = request
    const options: RequestOptions = {
      protocol,
      hostname,
      port,
      path: url.slice(pathAt),
      method,
      agent: agent ?? (method === 'POST' ? false : undefined),
    }
    if (known.protocol !== 'https:') return exchange(httpRequest, options, request)
    // TLS is loaded by the first request that needs it: over http it would cost more than the request.
    return import('node:https').then((https) => exchange(https.request, options, request))
  }
}

function exchange(
  send: typeof httpRequest,
  options: RequestOptions,
  request: TransportRequest,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = send(options, (incoming) => readWhole(incoming, resolve, reject))
    // Not among the options: NODE_DEBUG=http prints those, and the key is one of them (AUTH-02).
    const { headers, body } = request
    for (const name in headers) outgoing.setHeader(name, headers[name] as string)
    if (headers['accept-encoding'] === undefined) outgoing.setHeader('accept-encoding', 'gzip')
    outgoing.on('error', (error) => {
      // A refused connection says so itself. An agent without a connection, and a handshake that breaks off, look like a lost
      // answer; the types do not tell of the first.
      const socket = outgoing.socket as { secureConnecting?: boolean } | null
      reject(socket && !socket.secureConnecting ? error : Object.assign(error, { maybeSent: false }))
    })
    request.onAbort(() => outgoing.destroy(new Error('The attempt was aborted')))
    outgoing.end(body)
  })
}

function readWhole(
  incoming: IncomingMessage,
  resolve: (response: TransportResponse) => void,
  reject: (error: unknown) => void,
): void {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  // An answer cut short is one of them.
  incoming.on('error', reject)
  incoming.on('end', () => {
    const headers = recordHeaders(incoming.headers)
    const status = incoming.statusCode ?? 0
    const encoding = headers.get('content-encoding')
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    if (!encoding) resolve({ status, headers, body: bytes.toString('utf8') })
    else decodeBody(bytes, encoding).then((body) => resolve({ status, headers, body }), reject)
  })
}
