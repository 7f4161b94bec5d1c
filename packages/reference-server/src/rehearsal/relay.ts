import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseJson } from '@formwire/internal/json'
import { clearTimeout, setTimeout } from '../real-timers.ts'

/** Largest answer of a program that is passed on, in bytes; the service keeps 300 characters. */
const ANSWER_MAX_BYTES = 65_536
/** Real milliseconds in which the body of an answer must arrive: its status counts without it. */
const BODY_MS = 1000

/** An attempt of the service on its way to the program. */
export interface Attempt {
  readonly deliveryId: string
  /** 0 for a test event. */
  readonly responseId: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Aborted when the service no longer waits for an answer. */
  readonly signal: AbortSignal
}

/** The program's answer. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Stands between the service and the program, so that deliveries can be lost, doubled and late. */
export interface Relay {
  /** Where the service delivers to. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts a relay on a free loopback port.
 *
 * @param handle Decides what becomes of an attempt. Without an answer the connection is reset, as by a receiver that went away.
 */
export async function startRelay(handle: (attempt: Attempt) => Promise<Answer | undefined>): Promise<Relay> {
  const server = createServer((incoming, outgoing) => {
    incoming.on('error', () => undefined)
    const closed = new AbortController()
    outgoing.once('close', () => closed.abort())
    readAttempt(incoming, closed.signal)
      .then(handle)
      .then((answer) => {
        if (!answer || answer.status < 200) return void incoming.socket.destroy()
        const {
          'transfer-encoding': _chunked,
          trailer: _trailer,
          connection: _connection,
          ...headers
        } = answer.headers
        outgoing.writeHead(answer.status, { ...headers, 'content-length': answer.body.length })
        outgoing.end(answer.body)
      })
      // Of an answer that cannot be repeated, such as one with a status of two digits.
      .catch(() => incoming.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function readAttempt(incoming: IncomingMessage, signal: AbortSignal): Promise<Attempt> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const event = parseJson(body.toString('utf8')) as { response: { id: number } }
  return {
    deliveryId: incoming.headers['x-service-delivery'] as string,
    responseId: event.response.id,
    headers: incoming.headers,
    body,
    signal,
  }
}

/** Where to forward attempts to, and how long to wait. */
export interface ForwardOptions {
  readonly port: number
  readonly path: string
  /** Gives up waiting for the answer. */
  readonly signal: AbortSignal
  /** Called once the whole request was written. */
  readonly onReceived: () => void
}

/** Sends an attempt to the program. Resolves to `undefined` when it does not answer. */
export function forward(
  { headers, body }: Attempt,
  { port, path, signal, onReceived }: ForwardOptions,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const ended = (): void => resolve(undefined)
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      headers: { ...headers, host: `127.0.0.1:${port}`, connection: 'close' },
      agent: false,
      signal,
    })
    outgoing.once('error', ended).once('socket', (socket) => {
      socket.once('connect', () => outgoing.end(body, onReceived))
    })
    outgoing.once('upgrade', ({ statusCode = 101, headers }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, headers, body: Buffer.alloc(0) })
    })
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const answered = (): void => {
        clearTimeout(timer)
        resolve({
          status: response.statusCode ?? 500,
          headers: response.headers,
          body: Buffer.concat(chunks),
        })
        response.destroy()
      }
      const timer = setTimeout(answered, BODY_MS)
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= ANSWER_MAX_BYTES) chunks.push(chunk)
      })
      response.once('end', answered).on('error', answered)
    })
  })
}
