import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
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

/** An HTTP server on 127.0.0.1 that receives deliveries. */
export class Receiver {
  readonly #server: Server
  readonly #handle: (delivery: RawDelivery) => Promise<ReceiverResponse>
  readonly #onRefused: (reason: string) => void
  readonly #pending = new Set<Promise<void>>()

  /** @param handle resolves to the response to one delivery @param onRefused called with what was refused before that */
  constructor(
    handle: (delivery: RawDelivery) => Promise<ReceiverResponse>,
    onRefused: (reason: string) => void,
  ) {
    this.#handle = handle
    this.#onRefused = onRefused
    this.#server = createServer((request, response) => {
      const served = this.#serve(request, response).finally(() => this.#pending.delete(served))
      this.#pending.add(served)
    })
    // Limits how long a slow sender can occupy a connection.
    this.#server.requestTimeout = 30_000
  }

  /** Listens on the port (0 = any free port) and resolves to the URL. @throws the system's error, such as EADDRINUSE */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Waits for requests in flight, then closes every connection. */
  async close(): Promise<void> {
    this.#server.close()
    await finishing(this.#pending)
    this.#server.closeAllConnections()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, body, contentType } = await this.#respond(request)
      response.writeHead(status, {
        'content-type': contentType ?? 'text/plain; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      })
      response.end(body)
    } catch {
      // The sender closed the connection.
      response.destroy()
    }
  }

  async #respond(request: IncomingMessage): Promise<ReceiverResponse> {
    if (request.method !== 'POST') {
      this.#onRefused(`${request.method} ${request.url}: deliveries are sent with POST`)
      return { status: 405, body: 'deliveries are sent with POST\n' }
    }
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_BODY_BYTES) {
        this.#onRefused(`a body larger than ${MAX_BODY_BYTES} bytes`)
        return { status: 413, body: `the body exceeds ${MAX_BODY_BYTES} bytes\n` }
      }
      chunks.push(chunk)
    }
    return await this.#handle({ rawHeaders: request.rawHeaders, body: Buffer.concat(chunks) })
  }
}
