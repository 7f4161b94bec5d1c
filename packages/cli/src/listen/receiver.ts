import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it arrived: header names and values in order, body as bytes. */
export interface RawDelivery {
  /** Name and value in turn, as node gives them: a header given twice stays visible. */
  rawHeaders: string[]
  body: Buffer
}

/** What is answered to a request. */
export interface ReceiverAnswer {
  status: number
  body: string | Buffer
  contentType?: string | undefined
}

/** Reads nothing beyond this: a response has at most 1 MiB of body, the event around it less than another. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** Handles one delivery; what it gives is answered. */
export type DeliveryHandler = (delivery: RawDelivery) => Promise<ReceiverAnswer>

/** A receiver on 127.0.0.1. */
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
    // A sender that dribbles its body must not keep a place forever.
    this.#server.requestTimeout = 30_000
  }

  /** Listens on the port (0: any free one) and gives the URL. @throws the system's error, such as EADDRINUSE */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Lets what is in flight be answered, for `graceMs` at most, then closes every connection. */
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
      this.#answer(response, await this.#take(request))
    } catch {
      // The sender went away; there is nobody to answer.
      response.destroy()
    } finally {
      this.#pending -= 1
      if (this.#pending === 0) this.#idle?.()
    }
  }

  async #take(request: IncomingMessage): Promise<ReceiverAnswer> {
    if (request.method !== 'POST') {
      this.#onRefused(`${request.method} ${request.url}: deliveries come as POST`)
      return { status: 405, body: 'deliveries come as POST\n' }
    }
    const body = await readBody(request)
    if (body === undefined) {
      this.#onRefused(`a body larger than ${MAX_BODY_BYTES} bytes`)
      return { status: 413, body: 'the body is too large\n' }
    }
    return await this.#handle({ rawHeaders: request.rawHeaders, body })
  }

  #answer(response: ServerResponse, answer: ReceiverAnswer): void {
    response.writeHead(answer.status, {
      'content-type': answer.contentType ?? 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(answer.body),
      connection: 'close',
    })
    response.end(answer.body)
  }
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
