import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { isObject, parseObject } from '@formwire/internal/json'
import type { Runtime } from '../runtime.ts'
import { dispatcherOf, proxyOf } from './proxy.ts'

/**
 * One HTTP request of this command, to the service, a reference server or a handler. The SDK sends those of the API itself. Redirects
 * are not followed, content is not decoded.
 */
export interface OutgoingRequest {
  url: string
  method: string
  headers: OutgoingHttpHeaders
  body?: Uint8Array | undefined
  /** Milliseconds until the whole response must have arrived; undefined for a stream. */
  timeoutMs?: number | undefined
  stop?: AbortSignal | undefined
  /** Accepts any TLS certificate. @default false */
  insecure?: boolean | undefined
  /** The environment, for a request to the service: one to a handler uses no proxy. */
  env?: Runtime['env'] | undefined
  /** Opens a connection for this request alone. @default a kept connection may be used */
  ownConnection?: boolean | undefined
}

export interface WholeResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

class RequestTimeout extends Error {
  readonly code = 'ETIMEDOUT'
  readonly timeoutMs: number

  constructor(url: string, timeoutMs: number) {
    super(`no response from ${new URL(url).origin} within ${timeoutMs / 1000} s`)
    this.name = 'TimeoutError'
    this.timeoutMs = timeoutMs
  }
}

/** A response whose body is still to be read. */
type OpenResponse = Readable & Pick<IncomingMessage, 'statusCode' | 'headers'>

/** Sends the request and resolves to the response once its headers have arrived. @throws the system's error */
export async function openRequest(outgoing: OutgoingRequest): Promise<OpenResponse> {
  const proxy = outgoing.env && proxyOf(outgoing.url, outgoing.env)
  return await (proxy ? openByProxy(proxy, outgoing) : openDirectly(outgoing))
}

async function openByProxy(
  proxy: URL,
  { url, method, headers, body, timeoutMs, stop }: OutgoingRequest,
): Promise<OpenResponse> {
  const dispatcher = await dispatcherOf(proxy)
  const { origin, pathname, search } = new URL(url)
  const late = new AbortController()
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => late.abort(new RequestTimeout(url, timeoutMs)), timeoutMs)
  try {
    const response = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method,
      headers: headers as Record<string, string>,
      body: body ?? null,
      headersTimeout: 0,
      bodyTimeout: 0,
      signal: stop ? AbortSignal.any([stop, late.signal]) : late.signal,
    } as Parameters<typeof dispatcher.request>[0])
    response.body.once('close', () => clearTimeout(timer))
    return Object.assign(response.body, { statusCode: response.statusCode, headers: response.headers })
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

function openDirectly(outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, timeoutMs, stop, insecure, ownConnection } = outgoing
  return new Promise((resolve, reject) => {
    const send = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
    const { authorization, ...others } = headers
    const options = {
      method,
      headers: others,
      ...(stop ? { signal: stop } : {}),
      ...(insecure ? { rejectUnauthorized: false } : {}),
      ...(ownConnection ? { agent: false as const } : {}),
    }
    const request = send(url, options, (response) => {
      response.once('close', () => clearTimeout(timer))
      resolve(response)
    })
    // Set separately: NODE_DEBUG=http prints the options.
    if (authorization !== undefined) request.setHeader('authorization', authorization)
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => request.destroy(new RequestTimeout(url, timeoutMs)), timeoutMs)
    request.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    request.end(body)
  })
}

/** Sends the request and reads the response body, truncated to `maxBytes`. */
export async function sendRequest(
  outgoing: OutgoingRequest,
  maxBytes = 32 * 1024 * 1024,
): Promise<WholeResponse> {
  const response = await openRequest(outgoing)
  const body = await bodyOf(response, maxBytes)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

/** Reads a response body, truncated to `maxBytes`. */
export async function bodyOf(response: Readable, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxBytes - size))
    size += chunk.length
    if (size >= maxBytes) {
      response.destroy()
      break
    }
  }
  return Buffer.concat(chunks)
}

/** The body of a response of the API, the control API or the public link. */
export interface Envelope {
  data?: unknown
  error?: { code?: string; message?: string; details?: Record<string, unknown> } | undefined
}

/** Returns the envelope of a body; an empty one if the body is something else, such as a page. */
export function envelopeOf(body: Buffer | string): Envelope {
  const { data, error } = parseObject(body.toString()) ?? {}
  return { data, ...(isObject(error) ? { error } : {}) }
}

/** Returns what a failure says about an error response besides its message. */
export function errorFacts({ error }: Envelope, status: number) {
  return {
    code: error?.code ?? `http_${status}`,
    status,
    ...(error?.details ? { details: error.details } : {}),
  }
}

/** Sends a request to the service, and reads the envelope of its response. */
export async function requestEnvelope(
  url: string,
  { stop, env }: Pick<Runtime, 'stop' | 'env'>,
  options: { method?: string; token?: string; content?: object | undefined; timeoutMs?: number } = {},
): Promise<Omit<WholeResponse, 'body'> & { envelope: Envelope }> {
  const { content, method = content ? 'POST' : 'GET', token, timeoutMs = 30_000 } = options
  const body = content && Buffer.from(JSON.stringify(content))
  const headers = {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...(method !== 'GET' && { 'content-length': body?.length ?? 0 }),
  }
  const response = await sendRequest({ url, method, headers, body, timeoutMs, stop, env })
  return { status: response.status, headers: response.headers, envelope: envelopeOf(response.body) }
}

/** Returns the version of a reference server; undefined for another server, and for one that does not respond. */
export async function referenceServerVersion(
  baseUrl: string,
  runtime: Pick<Runtime, 'env' | 'stop'>,
): Promise<string | undefined> {
  const health = requestEnvelope(`${baseUrl}/_app/health`, runtime, { timeoutMs: 10_000 })
  const response = await health.catch(() => undefined)
  const data = response?.status === 200 ? response.envelope.data : undefined
  return isObject(data) && data.status === 'ok' ? String(data.version) : undefined
}
