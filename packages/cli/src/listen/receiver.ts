import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEFAULT_MAX_BODY_BYTES as MAX_BODY_BYTES } from '@formwire/webhook-verify'
import type { RawDelivery } from './delivery.ts'
import { finishing } from './source.ts'

/** The response to a request. */
export interface ReceiverResponse {
  status: number
  body: string | Buffer
  contentType?: string | undefined
}

/**
 * Starts an HTTP server on 127.0.0.1 that receives deliveries, on the port (0 = any free port).
 * @param handle resolves to the response to one delivery @param onRefused called with what was refused before that
 * @throws the system's error, such as EADDRINUSE
 */
export async function startReceiver(
  port: number,
  handle: (delivery: RawDelivery) => Promise<ReceiverResponse>,
  onRefused: (reason: string) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const pending = new Set<Promise<void>>()
  async function respond(request: IncomingMessage): Promise<ReceiverResponse> {
    if (request.method !== 'POST') {
      onRefused(`${request.method} ${request.url}: deliveries are sent with POST`)
      return { status: 405, body: 'deliveries are sent with POST\n' }
    }
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_BODY_BYTES) {
        onRefused(`a body larger than ${MAX_BODY_BYTES} bytes`)
        return { status: 413, body: `the body exceeds ${MAX_BODY_BYTES} bytes\n` }
      }
      chunks.push(chunk)
    }
    return await handle({ rawHeaders: request.rawHeaders, body: Buffer.concat(chunks) })
  }
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, body, contentType = 'text/plain; charset=utf-8' } = await respond(request)
      response.writeHead(status, {
        'content-type': contentType,
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      })
      response.end(body)
    } catch {
      // The sender closed the connection.
      response.destroy()
    }
  }
  const server = createServer((request, response) => {
    const served = serve(request, response).finally(() => pending.delete(served))
    pending.add(served)
  })
  // Limits how long a slow sender can occupy a connection.
  server.requestTimeout = 30_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Waits for requests in flight, then closes every connection. */
    async close() {
      server.close()
      await finishing(pending)
      server.closeAllConnections()
    },
  }
}
