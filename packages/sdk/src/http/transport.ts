/** One attempt, as a transport gets it. */
export interface TransportRequest {
  method: string
  /** Absolute URL. */
  url: string
  /** Header names in lower case. `authorization` carries the key: never log it. */
  headers: Record<string, string>
  body: string | undefined
  /** Aborted at the attempt's deadline and when the caller aborts; the body counts too. Made when it is first read. */
  readonly signal: AbortSignal
  /** Calls back when `signal` would abort: for transports that need no signal, since making one costs more than a small call. */
  onAbort(listener: () => void): void
}

/** The whole answer of one attempt. */
export interface TransportResponse {
  status: number
  headers: { get(name: string): string | null } & Iterable<[string, string]>
  /** The body as text, content encoding undone. */
  body: string
}

/**
 * Sends one request and reads its whole answer: no retries, no redirects followed, no waiting besides the network's.
 * Rejects when there is no whole answer; an error status is an answer.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>

/** What `fetch` has to be: the global one, one of undici's, or a server's own `fetch(request)`. */
export type FetchLike = (request: Request, init?: RequestInit) => Promise<Response>

/** The default transport. The global `fetch` is looked up at each call, so msw and instrumentation that replace it just work. */
export const globalFetchTransport: Transport = (request) =>
  readWhole(globalThis.fetch(request.url, fetchInit(request)))

/**
 * A transport over a `fetch` of the caller's. Serves both kinds that people hand over: a server's `fetch(request)`, which reads
 * the `Request`, and wrappers written as `(url, init)`, which turn their first argument into a string.
 */
export function fetchTransport(fetch: FetchLike): Transport {
  return (request) => {
    const init = fetchInit(request)
    // On the object, not by a subclass: naming `Request` at load time would make Node load all of fetch for every client.
    const addressed = Object.assign(new Request(request.url, init), { toString: () => request.url })
    return readWhole(fetch(addressed, init))
  }
}

function fetchInit({ method, headers, body, signal }: TransportRequest): RequestInit {
  // An undefined body is none.
  return { method, headers, redirect: 'manual', signal, body: body as string }
}

async function readWhole(answer: Promise<Response>): Promise<TransportResponse> {
  const response = await answer
  return { status: response.status, headers: response.headers, body: await response.text() }
}
