import { isResponseTooLargeError, ResponseTooLargeError } from '../errors/client-errors.ts'

/** One HTTP request for a transport to send. */
export interface TransportRequest {
  method: string
  /** Absolute URL. */
  url: string
  /** Headers with lower-case names. `authorization` contains the key: never log it. */
  headers: Record<string, string>
  body: string | undefined
  /** Largest response body in bytes, after decompression. Reject a larger one with `ResponseTooLargeError`, or leave it out for an error status. */
  maxResponseBytes: number
  /** Aborted when the attempt times out or the caller aborts, also while the body is read. Created on first access. */
  readonly signal: AbortSignal
  /** Calls `listener` when `signal` would abort. For transports that need no signal, because creating one is slow. */
  onAbort(listener: () => void): void
}

/** A complete HTTP response. */
export interface TransportResponse {
  status: number
  headers: { get(name: string): string | null } & Iterable<[string, string]>
  /** Decoded body. */
  body: string
}

/**
 * Sends one request and reads the complete response, without retries and without following redirects. Resolves for any status;
 * rejects if there is no complete response.
 *
 * @example
 * const logging: Transport = async (request) => {
 *   const response = await nodeTransport()(request)
 *   console.log(request.method, request.url, response.status)
 *   return response
 * }
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>

/** A `fetch` function: the global one, undici's, or the `fetch(request)` of a server. */
export type FetchLike = (request: Request, init?: RequestInit) => Promise<Response>

/** Whether the global `fetch` enforces Content-Length and shows each Content-Encoding, which CORS may hide in a browser. */
const ON_NODE = !!globalThis.process?.versions?.node

/** Default transport. Looks the global `fetch` up for each call, so that msw and instrumentation can replace it. */
export const globalFetchTransport: Transport = (request) =>
  readWhole(globalThis.fetch(request.url, fetchInit(request)), request.maxResponseBytes, ON_NODE)

/**
 * Returns a transport that calls a custom `fetch`. Supports functions of a `Request`, such as a server's `fetch(request)`, and
 * functions of `(url, init)`, which convert their first argument to a string.
 */
export function fetchTransport(fetch: FetchLike): Transport {
  return (request) => {
    const init = fetchInit(request)
    // Not a subclass: a reference to `Request` at load time would make Node load fetch for every client.
    const addressed = Object.assign(new Request(request.url, init), { toString: () => request.url })
    return readWhole(fetch(addressed, init), request.maxResponseBytes)
  }
}

function fetchInit({ method, headers, body, signal }: TransportRequest): RequestInit {
  return { method, headers, redirect: 'manual', signal, body: body as string }
}

async function readWhole(
  pending: Promise<Response>,
  maxBytes: number,
  isFramed = false,
): Promise<TransportResponse> {
  const response = await pending
  const { status, headers } = response
  return complete(status, headers, maxBytes, async (limit) => {
    const encoding = headers.get('content-encoding')
    // `text()` is the fastest but has no limit.
    const isSmall = isFramed && isAtMost(headers.get('content-length'), limit) && !encoding
    const text = await (isSmall ? response.text() : readText(response, limit))
    const isEmpty = status === 204 || headers.get('content-length') === '0'
    if (encoding && status < 300 && !isEmpty && !isObjectText(text, headers)) throw encodingError(encoding)
    return checkedText(text, limit)
  })
}

/**
 * Whether a body can be the JSON of an envelope, as far as its ends show. Node's fetch lets truncated gzip and unknown encodings pass,
 * which the other transports reject.
 */
const isObjectText = (text: string, headers: Headers): boolean =>
  !/json/i.test(headers.get('content-type') ?? '') || /^\ufeff?\s*\{.*\}\s*$/s.test(text)

/** Returns the error of a body that could not be decoded. Its code is among those that `send` names. */
const encodingError = (encoding: string): Error =>
  Object.assign(new Error(`The response does not have the content encoding ${encoding}.`), {
    code: 'ERR_CONTENT_ENCODING',
  })

/** Largest body of an error response. Those of the service have a few hundred bytes. */
const MAX_ERROR_BYTES = 1024 * 1024

/** Reads the body of a response. That of an error status is left out if it is too large: the status and the headers suffice. */
export async function complete(
  status: number,
  headers: TransportResponse['headers'],
  maxBytes: number,
  read: (maxBytes: number) => Promise<string>,
): Promise<TransportResponse> {
  const isError = status >= 300
  const body = await read(isError ? Math.min(maxBytes, MAX_ERROR_BYTES) : maxBytes).catch(
    (error: unknown) => {
      if (isError && isResponseTooLargeError(error)) return ''
      throw error
    },
  )
  return { status, headers, body }
}

/** Whether a Content-Length is valid and at most `maxBytes`. */
export function isAtMost(contentLength: string | null, maxBytes: number): boolean {
  return /^\d+$/.test(contentLength ?? '') && Number(contentLength) <= maxBytes
}

/** Rejects a text that is certainly longer than `maxBytes`: a mock may give another Content-Length. @throws ResponseTooLargeError */
export function checkedText(text: string, maxBytes: number): string {
  if (text.length > maxBytes) throw new ResponseTooLargeError({ maxResponseBytes: maxBytes })
  return text
}

/** Reads a body that `fetch` has already decompressed. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const chunk of chunksOf(response)) {
    length += chunk.length
    // Leaving the loop cancels the body.
    if (length > maxBytes) throw new ResponseTooLargeError({ maxResponseBytes: maxBytes })
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Not every browser iterates web streams. A `fetch` without them: one of node-fetch has a stream of Node, one of React Native reads all. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const body = response.body as (Partial<ReadableStream<Uint8Array>> & AsyncIterable<Uint8Array>) | null
  const reader = body?.getReader?.()
  if (!reader) return yield* body ?? [new Uint8Array(await response.arrayBuffer())]
  try {
    for (let next = await reader.read(); next.value; next = await reader.read()) yield next.value
  } finally {
    reader.cancel().catch(() => {})
  }
}
