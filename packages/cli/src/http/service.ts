import { isObject, parseObject } from '@formwire/internal/json'
import { onAbort } from '@formwire/internal/on-abort'
import type { Transport, TransportResponse } from '@formwire/sdk'
import { nodeTransport } from '@formwire/sdk/node'
import type { Runtime } from '../runtime.ts'
import { proxyOf, proxyTransport } from './proxy.ts'

/** Largest response that is read, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024

/** Returns what sends requests to the service: `node:http(s)`, since loading global fetch takes longer than a request, or undici for a proxy. */
export const serviceTransport = (proxy: URL | undefined): Transport =>
  proxy ? proxyTransport(proxy) : nodeTransport()

export class RequestTimeout extends Error {
  readonly code = 'ETIMEDOUT'
  readonly timeoutMs: number

  constructor(url: string, timeoutMs: number) {
    super(`no response from ${new URL(url).origin} within ${timeoutMs / 1000} s`)
    this.name = 'TimeoutError'
    this.timeoutMs = timeoutMs
  }
}

/** A request to the service that is not one of its API, which the SDK sends. */
interface ServiceRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | undefined
  timeoutMs?: number
}

/** Sends a request to the service. Redirects are not followed. @throws the system's error */
export async function requestService(
  url: string,
  { stop, env }: Pick<Runtime, 'stop' | 'env'>,
  { method = 'GET', headers = {}, body, timeoutMs = 30_000 }: ServiceRequest,
): Promise<TransportResponse> {
  stop.throwIfAborted()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new RequestTimeout(url, timeoutMs)), timeoutMs)
  const signal = AbortSignal.any([stop, late.signal])
  try {
    return await serviceTransport(proxyOf(url, env))({
      ...{ url, method, headers, body, signal },
      maxResponseBytes: MAX_BYTES,
      onAbort: (listener) => void onAbort(signal, listener),
    })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** The body of a response of the API, the control API or the public link. */
export interface Envelope {
  data?: unknown
  error?: { code?: string; message?: string; details?: Record<string, unknown> } | undefined
}

/** Returns the envelope of a body; an empty one if the body is something else, such as a page. */
export function envelopeOf(body: string): Envelope {
  const { data, error } = parseObject(body) ?? {}
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
  runtime: Pick<Runtime, 'stop' | 'env'>,
  options: { method?: string; token?: string; content?: object | undefined; timeoutMs?: number } = {},
): Promise<Omit<TransportResponse, 'body'> & { envelope: Envelope }> {
  const { content, method = content ? 'POST' : 'GET', token, ...others } = options
  const { body, ...response } = await requestService(url, runtime, {
    ...others,
    method,
    body: content && JSON.stringify(content),
    headers: {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(content && { 'content-type': 'application/json' }),
    },
  })
  return { ...response, envelope: envelopeOf(body) }
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
