import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEFAULT_MAX_BODY_BYTES as MAX_BODY_BYTES } from '@formwire/webhook-verify'

/** One request as received: header names and values in order, body as bytes. */
export interface RawDelivery {
  /** Names and values in turn, from Node: a repeated header is preserved. */
  rawHeaders: string[]
  body: Buffer
}

/** A delivery that was handled. */
export interface HandledDelivery extends RawDelivery {
  /** Start of the handler's response body, if there was a response. */
  responseBody?: string | undefined
}

/** The response to a request. */
export interface ReceiverResponse {
  status: number
  body: string | Buffer
  contentType?: string | undefined
}

/** Handles one delivery and resolves to the response. */
export type DeliveryHandler = (delivery: RawDelivery) => Promise<ReceiverResponse>

/** An HTTP server on 127.0.0.1 that receives deliveries. */
export class Receiver {
  readonly #server: Server
  readonly #handle: DeliveryHandler
  readonly #onRefused: (reason: string) => void
  #pending = 0
  #idle: (() => void) | undefined

  constructor(handle: DeliveryHandler, onRefused: (reason: string) => void) {
    this.#handle = handle
    this.#onRefused = onRefused
    this.#server = createServer((request, response) => void this.#serve(request, response))
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

  /** Waits up to `graceMs` for requests in flight, then closes every connection. */
  async close(graceMs: number): Promise<void> {
    this.#server.close()
    if (this.#pending > 0) {
      const timer = setTimeout(() => this.#idle?.(), graceMs)
      await new Promise<void>((resolve) => {
        this.#idle = resolve
      })
      clearTimeout(timer)
    }
    this.#server.closeAllConnections()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#pending += 1
    try {
      send(response, await this.#respond(request))
    } catch {
      // The sender closed the connection.
      response.destroy()
    } finally {
      this.#pending -= 1
      if (this.#pending === 0) this.#idle?.()
    }
  }

  async #respond(request: IncomingMessage): Promise<ReceiverResponse> {
    if (request.method !== 'POST') {
      this.#onRefused(`${request.method} ${request.url}: deliveries are sent with POST`)
      return { status: 405, body: 'deliveries are sent with POST\n' }
    }
    const body = await readBody(request)
    if (body === undefined) {
      this.#onRefused(`a body larger than ${MAX_BODY_BYTES} bytes`)
      return { status: 413, body: `the body exceeds ${MAX_BODY_BYTES} bytes\n` }
    }
    return await this.#handle({ rawHeaders: request.rawHeaders, body })
  }
}

function send(response: ServerResponse, { status, body, contentType }: ReceiverResponse): void {
  response.writeHead(status, {
    'content-type': contentType ?? 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  response.end(body)
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
