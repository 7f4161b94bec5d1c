import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { errorJson, recognizeCopies } from '@formwire/internal/error-class'
import { helpUrlOf } from '@formwire/internal/help-page'
import { EXCERPT_BYTES, type Probe, type Reply } from './probe.ts'

/** No connection to the receiver could be established, so nothing was checked. */
export class ReceiverUnreachableError extends Error {
  override readonly name = 'ReceiverUnreachableError'

  /** @param origin the receiver's origin, without path and query. */
  constructor(origin: string, cause: unknown) {
    super(`Could not connect to ${origin}: ${reasonOf(cause)}.`, { cause })
  }

  /** URL of the page that explains the error. */
  get helpUrl(): string {
    return helpUrlOf(this.name)
  }

  /** For a log: the message too. */
  toJSON(): Record<string, unknown> {
    return errorJson(this)
  }
}
recognizeCopies(ReceiverUnreachableError, 'ReceiverUnreachableError')

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  ETIMEDOUT: 'timed out',
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  return (code === undefined ? undefined : REASONS[code]) ?? (code || message || String(cause))
}

/** Largest part of a response body to read before the connection is closed. */
const MAX_RESPONSE_BYTES = 65_536
const CHUNKS = 3

/** Sends a probe on a connection of its own. Redirects are not followed. @throws ReceiverUnreachableError */
export function sendHttp(url: URL, probe: Probe, signal: AbortSignal): Promise<Reply> {
  const body = Buffer.from(probe.body as string)
  const headers = Object.fromEntries(probe.headers)
  const framing = probe.chunked
    ? { 'Transfer-Encoding': 'chunked' }
    : { 'Content-Length': String(body.length) }
  const options = { method: probe.method ?? 'POST', headers: { ...headers, ...framing }, signal }
  return open(url, options, (request) => {
    const size = probe.chunked ? Math.ceil(body.length / CHUNKS) : body.length
    for (let offset = 0; offset < body.length; offset += size)
      request.write(body.subarray(offset, offset + size))
    request.end()
  }).then((response) => {
    const start = readStart(response)
    return { status: response.statusCode ?? 0, start: () => start }
  })
}

/** Gets a short text. @throws Error for any status but 200 */
export async function getText(url: URL, signal: AbortSignal): Promise<string> {
  const response = await open(url, { method: 'GET', signal }, (request) => request.end())
  let text = ''
  if (response.statusCode !== 200) {
    response.destroy()
    throw new Error(`the response status is ${response.statusCode}`)
  }
  for await (const chunk of response) {
    text += String(chunk)
    if (text.length > 100) response.destroy()
  }
  return text
}

function open(
  url: URL,
  options: RequestOptions,
  send: (request: ReturnType<typeof requestHttp>) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:'
    let connected = false
    const request = (secure ? requestHttps : requestHttp)(url, { ...options, agent: false }, resolve)
    request.once('socket', (socket) =>
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected = true
      }),
    )
    // Not once: a request may fail again after it has failed.
    request.on('error', (error) =>
      reject(connected ? error : new ReceiverUnreachableError(url.origin, errorOf(error, options.signal))),
    )
    send(request)
  })
}

/** Returns the reason of an abort, since the error of an aborted request only says that it was aborted. */
function errorOf(error: Error, signal: AbortSignal | undefined): unknown {
  return signal?.aborted ? Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }) : error
}

/** The status decides, as in the service. The body is read to end the response in an orderly manner, if it is short. */
function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let read = 0
  return new Promise((resolve) => {
    const end = () => resolve(Buffer.concat(chunks).toString())
    response.on('error', () => undefined)
    response.on('close', end)
    response.on('data', (chunk: Buffer) => {
      if (read < EXCERPT_BYTES) chunks.push(chunk)
      read += chunk.length
      if (read >= EXCERPT_BYTES) end()
      if (read > MAX_RESPONSE_BYTES) response.destroy()
    })
  })
}
