import {
  createServer,
  type IncomingMessage as NodeRequest,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import polka from 'polka'
import type { Handler } from './handler.ts'
import type { OutgoingMessage } from './message.ts'
import { SocketRequest } from './socket-request.ts'

/** Where a server listens, and how that ends. */
export interface Listener {
  /** `http://127.0.0.1:8787` */
  readonly url: string
  /** Takes no more connections, ends streams, and resolves when the last connection is gone. */
  close(): Promise<void>
}

/** How long a closing server waits for answers on their way, in milliseconds. */
const CLOSE_GRACE_MS = 1000
/** How often it looks for connections that have become idle, in milliseconds. */
const CLOSE_SWEEP_MS = 10
/** What is still read of a body that was refused, so that the client gets to see the answer. */
const DISCARD_MAX_BYTES = 64 * 1_048_576
const DISCARD_MAX_MS = 10_000

/** Opens the socket door. Rejects when the port is taken. */
export async function listenOnSocket(
  handler: Handler,
  { port, host }: { port: number; host: string },
): Promise<Listener> {
  const open = new Set<SocketRequest>()
  const sockets = new Set<Socket>()
  // A pooled connection stays until its client lets go: none is cut under a request on its way, and no request sets and
  // takes back a timer. The system notices the peers that are gone (`keepAlive` is TCP's).
  const server = createServer({ keepAliveTimeout: 0, keepAlive: true })
  server.on('clientError', refuseMalformed)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const app = polka({ server })
  // Polka's own dispatch would parse the url and look for routes, which are the core's: it hands requests straight on.
  app.handler = (request, response) => serve(handler, open, request, response)
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
  const message = new SocketRequest(request, response)
  const answer = handler(message)
  if (!(answer instanceof Promise)) {
    write(answer, message, request, response, open)
    return
  }
  answer.then((ready) => write(ready, message, request, response, open)).catch(() => response.destroy())
}

function write(
  { status, headers, body, byteLength, reset }: OutgoingMessage,
  message: SocketRequest,
  request: NodeRequest,
  response: ServerResponse,
  open: Set<SocketRequest>,
): void {
  if (reset === true) {
    request.socket.resetAndDestroy()
    return
  }
  if (response.destroyed) return
  if (!request.complete && hasBody(request)) response.once('finish', () => discardRest(request))
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    // Said beforehand, a length spares the client the chunks that Node would make of a body.
    const length = body === null ? 0 : lengthOf(body, byteLength)
    if (body !== null) headers['content-length'] = String(length)
    response.writeHead(status, headers)
    if (reset) breakOff(request, response, body ?? '', reset)
    else if (typeof body === 'string') endWith(response, body, length)
    else response.end(body)
    return
  }
  response.writeHead(status, headers)
  open.add(message)
  stream(body, message.signal, response)
    .then(() => {
      if (response.destroyed) return
      if (reset) breakOff(request, response, '', reset)
      else response.end()
    })
    .catch(() => response.destroy())
    .finally(() => open.delete(message))
}

/**
 * Head and body in one write. `end(body)` would write twice, the body and then nothing, which costs the system call its
 * fast way; written while the socket holds back, they leave together, and there is nothing left for `end` to do.
 */
function endWith(response: ServerResponse, body: string, bytes: number): void {
  const { socket } = response
  socket?.cork()
  // As many bytes as characters: all of it is ASCII, which goes out as it lies in memory.
  response.write(body, body.length === bytes ? 'latin1' : 'utf8')
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

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Whichever comes first takes the other back: a stream that lives for days waits here many times.
    const settle = (): void => {
      response.off('drain', settle)
      signal.removeEventListener('abort', settle)
      resolve()
    }
    response.on('drain', settle)
    signal.addEventListener('abort', settle)
  })
}

/** Cuts the connection when half of the body is out, or all of it; behind a stream, what has been written is that. */
function breakOff(
  request: NodeRequest,
  response: ServerResponse,
  body: string | Uint8Array,
  where: 'middle' | 'after',
): void {
  const bytes = Buffer.from(body)
  const cut = (): void => {
    // One turn later: what was written has left for the client by then.
    setImmediate(() => request.socket.resetAndDestroy())
  }
  if (where === 'after') response.end(bytes, cut)
  else response.write(bytes.subarray(0, bytes.length >> 1), cut)
}

const hasBody = ({ headers }: NodeRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * The answer is out while the client still sends. Closing now would throw the answer away with the unread bytes, so the
 * rest is read and dropped, up to a bound.
 */
function discardRest(request: NodeRequest): void {
  let left = DISCARD_MAX_BYTES
  const cut = () => request.socket.destroy()
  const timer = setTimeout(cut, DISCARD_MAX_MS)
  timer.unref()
  request.on('data', (chunk: Uint8Array) => {
    left -= chunk.byteLength
    if (left < 0) cut()
  })
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
  request.resume()
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
  // Asked by Node's own `close` too. It calls a connection idle whose answer has ended, though most of that may still wait
  // for a client who reads slowly: none is looked at until all has left.
  server.closeIdleConnections = () => {
    for (const { writableLength } of sockets) if (writableLength > 0) return
    closeIdle()
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const message of open) message.abort()
  // A kept connection is idle only when its last answer is out, which Node does not look at again by itself. One that was
  // never asked for anything is left for the grace: its first request may be on its way.
  const sweep = setInterval(() => server.closeIdleConnections(), CLOSE_SWEEP_MS)
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(timer)
}
