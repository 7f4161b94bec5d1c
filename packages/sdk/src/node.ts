/** Transport based on `node:http` and `node:https` only. Starts fastest, which suits scripts that make a few calls. */
import { type Agent, request as httpRequest, type RequestOptions } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { checkNames } from './check-arguments.ts'
import { RecordHeaders } from './http/headers.ts'
import { readBody } from './http/read-body.ts'
import { complete, type Transport, type TransportRequest, type TransportResponse } from './http/transport.ts'

/** Options of {@link nodeTransport}. */
export interface NodeTransportOptions {
  /** Agent to use, for example one with a proxy or a custom certificate authority. @default Node's global agents (keep-alive) */
  agent?: Agent | HttpsAgent | undefined
}

/** Parses an origin for `node:http`. Done once per origin, since parsing costs about as much as sending a request. */
function target(origin: string): RequestOptions {
  const { protocol, hostname, port } = urlToHttpOptions(new URL(origin))
  return { protocol: protocol ?? null, hostname: hostname ?? null, port: port ?? null }
}

/**
 * Returns a transport that sends requests with `node:http` or `node:https`. Each POST gets a new connection: on a reused one that
 * the service has just closed, it would be unclear whether the request arrived.
 *
 * @example new Formwire({ apiKey, baseUrl, transport: nodeTransport() })
 * @throws UsageError if an option name is unknown.
 */
export function nodeTransport(options: NodeTransportOptions = {}): Transport {
  checkNames('nodeTransport()', options, ['agent'])
  const { agent } = options
  let origin = ''
  let known: RequestOptions
  return (request) => {
    const { url } = request
    const pathAt = url.indexOf('/', url.indexOf('://') + 3)
    if (!origin || !url.startsWith(origin) || origin.length !== pathAt) {
      known = target(url.slice(0, pathAt))
      origin = url.slice(0, pathAt)
    }
    // One object shape without a spread: this is a hot path.
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
    // Loaded lazily: importing TLS costs more than a request over plain HTTP.
    return import('node:https').then((https) => exchange(https.request, options, request))
  }
}

function exchange(
  send: typeof httpRequest,
  options: RequestOptions,
  request: TransportRequest,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = send(options, (incoming) => {
      const headers = new RecordHeaders(incoming.headers)
      const read = (limit: number) => readBody(incoming, headers.get('content-encoding'), limit)
      complete(incoming.statusCode ?? 0, headers, request.maxResponseBytes, read).then(resolve, reject)
    })
    // Set here rather than in the options, which NODE_DEBUG=http prints: the headers contain the key (AUTH-02).
    const { headers, body } = request
    for (const name in headers) outgoing.setHeader(name, headers[name] as string)
    if (headers['accept-encoding'] === undefined) outgoing.setHeader('accept-encoding', 'gzip')
    outgoing.on('error', (error) => {
      // A refused connection has an error code. An agent without a connection (a case that the types omit) and an interrupted TLS
      // handshake look like a lost response, although nothing was sent.
      const socket = outgoing.socket as { secureConnecting?: boolean } | null
      reject(socket && !socket.secureConnecting ? error : Object.assign(error, { maybeSent: false }))
    })
    // Not requested. Without a listener, the request would neither end nor fail.
    outgoing.on('upgrade', ({ statusCode = 0, headers }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, headers: new RecordHeaders(headers), body: '' })
    })
    request.onAbort(() => outgoing.destroy(new Error('The attempt was aborted')))
    outgoing.end(body)
  })
}
