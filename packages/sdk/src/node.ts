/** A transport on `node:http` and `node:https` alone: the fastest to start, and the one for single calls from a script. */
import { type Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { decodeBody } from './http/content-encoding.ts'
import { recordHeaders } from './http/record-headers.ts'
import type { Transport, TransportRequest, TransportResponse } from './http/transport.ts'

/** Options of {@link nodeTransport}. */
export interface NodeTransportOptions {
  /** Agent for http and https, such as one with a proxy or a certificate authority. @default Node's global ones (keep-alive) */
  agent?: Agent | HttpsAgent | undefined
}

/**
 * Sends with `node:http(s)`. A POST goes out on a connection of its own: on a kept one that the service has just closed it would
 * be unknown whether it arrived.
 */
export function nodeTransport({ agent }: NodeTransportOptions = {}): Transport {
  return async (request) => {
    // TLS is loaded by the first request that needs it: over http it would cost more than the request.
    const send = request.url.startsWith('https:') ? (await import('node:https')).request : httpRequest
    return new Promise((resolve, reject) => {
      const { method, body } = request
      const options: RequestOptions = { method, headers: headersOf(request) }
      if (agent) options.agent = agent
      else if (method === 'POST') options.agent = false
      const outgoing = send(request.url, options, (incoming) => readWhole(incoming).then(resolve, reject))
      let connected = false
      outgoing.on('socket', (socket) => {
        connected = outgoing.reusedSocket || !socket.connecting
        // A kept connection is up already; listeners would pile up on it.
        if (connected) return
        socket.once(request.url.startsWith('https:') ? 'secureConnect' : 'connect', () => {
          connected = true
        })
      })
      outgoing.on('error', (error) => reject(connected ? error : Object.assign(error, { maybeSent: false })))
      request.onAbort(() => outgoing.destroy(new Error('The attempt was aborted')))
      outgoing.end(body)
    })
  }
}

function headersOf({ headers, body }: TransportRequest): Record<string, string> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return { 'accept-encoding': 'gzip', ...headers, ...length }
}

function readWhole(incoming: IncomingMessage): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('error', reject)
    incoming.on('close', () => {
      if (!incoming.complete)
        reject(Object.assign(new Error('The answer was cut short'), { code: 'ECONNRESET' }))
    })
    incoming.on('end', () => {
      const headers = recordHeaders(incoming.headers)
      const status = incoming.statusCode ?? 0
      const encoding = headers.get('content-encoding')
      const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      if (!encoding) resolve({ status, headers, body: bytes.toString('utf8') })
      else decodeBody(bytes, encoding).then((body) => resolve({ status, headers, body }), reject)
    })
  })
}
