import {
  createServer,
  type IncomingMessage as NodeRequest,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import polka from 'polka'
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from '../../real-timers.ts'
import { UNANSWERED_REQUESTS_MAX } from '../../resource-limits.ts'
import type { Handler } from '../handler.ts'
import { jsonText } from '../json-response.ts'
import type { OutgoingMessage } from '../message.ts'
import { drained } from './drained.ts'
import { SocketRequest } from './socket-request.ts'

/** A listening server. */
export interface Listener {
  /** `http://127.0.0.1:8787` */
  readonly url: string
  /** Stops accepting connections, ends streams, and resolves when the last connection is closed. */
  close(): Promise<void>
}

/** How long a closing server waits for responses in flight, in milliseconds. */
const CLOSE_GRACE_MS = 1000
/** How long it waits for the first bytes of a new connection, in milliseconds: its first request may be in flight. */
const CLOSE_NEW_CONNECTIONS_MS = 100
/** How often it closes connections that have become idle, in milliseconds. */
const CLOSE_SWEEP_MS = 10
/** Limits on reading a refused body to its end, so that the client receives the response. */
const DISCARD_MAX_BYTES = 64 * 1_048_576
const DISCARD_MAX_MS = 10_000

/** Listens on a port. Rejects if the port is in use. */
export async function listenOnSocket(
  handler: Handler,
  { port, host, ref = true }: { port: number; host: string; ref?: boolean },
): Promise<Listener> {
  const open = new Set<SocketRequest>()
  const sockets = new Set<Socket>()
  // Only clients close idle connections: a timeout could hit a request in flight, and would cost a timer per request.
  // TCP keep-alive detects peers that are gone. Node's own responses to a missing Host and to an unknown expectation
  // would lack the error envelope.
  const server = createServer({ keepAliveTimeout: 0, keepAlive: true, requireHostHeader: false })
  server.on('clientError', refuseMalformed)
  server.on('checkExpectation', (request: NodeRequest, response: ServerResponse) => {
    write(badRequestResponse(UNKNOWN_EXPECTATION), new SocketRequest(request, response), open)
  })
  server.on('connection', (socket: Socket) => {
    if (!ref) socket.unref()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  if (!ref) server.unref()
  const app = polka({ server })
  // Replaces polka's dispatch: the handler does its own URL parsing and routing.
  app.handler = oneAtATime((request, response) => serve(handler, open, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    app.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return { url: urlOf(server, host), close: () => closeServer(server, sockets, open) }
}

function serve(
  handler: Handler,
  open: Set<SocketRequest>,
  request: NodeRequest,
  response: ServerResponse,
): void {
  const problem = hostProblem(request)
  const message = new SocketRequest(request, response)
  const outgoing = problem === undefined ? handler(message) : badRequestResponse(problem)
  if (!(outgoing instanceof Promise)) {
    write(outgoing, message, open)
    return
  }
  outgoing.then((ready) => write(ready, message, open)).catch(() => response.destroy())
}

function write(
  { status, headers, body, byteLength, reset }: OutgoingMessage,
  message: SocketRequest,
  open: Set<SocketRequest>,
): void {
  const { request, response, bodyStart } = message
  const isUnread = !request.readableEnded && hasBody(request)
  if (isUnread && bodyStart) bodyStart.isCut = true
  if (reset === true) {
    request.socket.resetAndDestroy()
    return
  }
  if (response.destroyed) return
  // Before the end of the response: then Node drops a body of which nothing was read, however long it is.
  if (isUnread) discardRest(message)
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    // Without a length, Node would send the body chunked.
    const length = body === null ? 0 : lengthOf(body, byteLength)
    if (body !== null) headers['content-length'] = String(length)
    response.writeHead(status, headers)
    if (reset) cutConnection(request, response, body ?? '', reset)
    else if (typeof body === 'string') endWith(response, body)
    else response.end(body)
    return
  }
  response.writeHead(status, headers)
  open.add(message)
  stream(body, message.signal, response)
    .then(() => {
      if (response.destroyed) return
      if (reset) cutConnection(request, response, '', reset)
      else response.end()
    })
    .catch(() => response.destroy())
    .finally(() => open.delete(message))
}

/**
 * Sends headers and body in one write: `end(body)` would write twice. While the socket is corked, headers and body are
 * collected; `end` then has nothing left to write.
 */
function endWith(response: ServerResponse, body: string): void {
  const { socket } = response
  socket?.cork()
  response.write(body)
  socket?.uncork()
  response.end()
}

const lengthOf = (body: string | Uint8Array, known: number | undefined): number =>
  typeof body === 'string' ? (known ?? Buffer.byteLength(body)) : body.byteLength

async function stream(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  response: ServerResponse,
): Promise<void> {
  response.flushHeaders()
  for await (const chunk of body) {
    if (signal.aborted) break
    if (!response.write(chunk)) await drained(response, signal)
  }
}

/** Resets the connection after half of the body, or after all of it. A stream has been written by then. */
function cutConnection(
  request: NodeRequest,
  response: ServerResponse,
  body: string | Uint8Array,
  where: 'middle' | 'after',
): void {
  const bytes = Buffer.from(body)
  const cut = (): void => {
    // One turn later, when the written bytes have been handed to the system.
    setImmediate(() => request.socket.resetAndDestroy())
  }
  if (where === 'after') response.end(bytes, cut)
  else response.write(bytes.subarray(0, bytes.length >> 1), cut)
}

const hasBody = ({ headers }: NodeRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Reads and drops the rest of a body while the response is sent and after it, up to a limit. Closing the connection with unread bytes
 * would discard the response.
 */
function discardRest({ request, bodyStart }: SocketRequest): void {
  let left = DISCARD_MAX_BYTES
  const cut = () => request.socket.destroy()
  const timer = setTimeout(cut, DISCARD_MAX_MS)
  timer.unref()
  request.on('data', (chunk: Uint8Array) => {
    left -= chunk.byteLength
    bodyStart?.add(chunk)
    if (left < 0) cut()
  })
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => {
    clearTimeout(timer)
    if (bodyStart) bodyStart.isCut = false
  })
  request.resume()
}

const UNKNOWN_EXPECTATION = 'Unsupported Expect header; the only supported value is "100-continue".'

/** Returns what is wrong with the `Host` of a request, if anything (RFC 9112, 3.2). */
function hostProblem({ rawHeaders, httpVersion }: NodeRequest): string | undefined {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    // The length is compared first, since lowercasing every name is slow.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return 'The request has more than one Host header.'
  return hosts === 0 && httpVersion === '1.1' ? 'The request has no Host header.' : undefined
}

/** Closes the connection: the bytes after such a request cannot be trusted. */
function badRequestResponse(message: string): OutgoingMessage {
  const response = jsonText(400, JSON.stringify({ error: { code: 'bad_request', message } }))
  response.headers.connection = 'close'
  return response
}

function refuseMalformed(_error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = '{"error":{"code":"bad_request","message":"The request is not valid HTTP."}}'
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function urlOf(server: Server, host: string): string {
  const { port, family, address } = server.address() as AddressInfo
  if (host === '0.0.0.0' || host === '::' || host === '') return `http://127.0.0.1:${port}`
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${host}:${port}`
}

async function closeServer(
  server: Server,
  sockets: ReadonlySet<Socket>,
  open: ReadonlySet<SocketRequest>,
): Promise<void> {
  const closeIdle = server.closeIdleConnections.bind(server)
  // Node's `close` calls this too. Node considers a connection idle once its response has ended, even if a slow client
  // has not read it yet, so idle connections are kept until every response has been flushed.
  server.closeIdleConnections = () => {
    for (const { writableLength } of sockets) if (writableLength > 0) return
    closeIdle()
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const message of open) message.abort()
  // Connections become idle when their last response has been flushed, and Node does not check again. It does not take a
  // connection that has not sent a request yet for idle. Clients open such connections in advance.
  const unused = setTimeout(() => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }, CLOSE_NEW_CONNECTIONS_MS)
  const sweep = setInterval(() => server.closeIdleConnections(), CLOSE_SWEEP_MS)
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
  await closed
  clearTimeout(unused)
  clearInterval(sweep)
  clearTimeout(timer)
}

type Serve = (request: NodeRequest, response: ServerResponse) => void

/** The requests of one connection that wait, and the response that they wait for. */
interface Pipeline {
  current: ServerResponse
  readonly waiting: Parameters<Serve>[]
}

/**
 * Handles the requests that a client sends without waiting for responses one after the other: each when the response before it has
 * been handed to the system. Node would have all of them handled at once, and keep their responses in memory if the client reads none.
 * Drops the requests after the first `UNANSWERED_REQUESTS_MAX` that have no response yet, and closes the connection once those have one.
 */
function oneAtATime(serve: Serve): Serve {
  const pipelines = new WeakMap<object, Pipeline>()
  const next = (pipeline: Pipeline): void => {
    const [request, response] = pipeline.waiting.shift() ?? []
    if (!request || !response || request.socket.destroyed) return
    pipeline.current = response
    if (pipeline.waiting.length > 0) response.once('close', () => next(pipeline))
    serve(request, response)
  }
  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const pipeline = pipelines.get(socket)
    if (!pipeline) pipelines.set(socket, { current: response, waiting: [] })
    else if (pipeline.current.writableFinished && pipeline.waiting.length === 0) pipeline.current = response
    else if (pipeline.waiting.length >= UNANSWERED_REQUESTS_MAX - 1) {
      dropFurther(socket)
      const [, last] = pipeline.waiting.at(-1) ?? []
      if (last) last.shouldKeepAlive = false
      return
    } else {
      pipeline.waiting.push([request, response])
      if (pipeline.waiting.length === 1) pipeline.current.once('close', () => next(pipeline))
      return
    }
    serve(request, response)
  }
}

/**
 * Has Node drop the requests that it reads from now on, since it would create a response for each. They are read, since closing a
 * connection with unread bytes would discard the responses.
 */
function dropFurther(socket: Socket & { parser?: { onIncoming?: unknown } }): void {
  if (socket.parser) socket.parser.onIncoming = () => 0
}
