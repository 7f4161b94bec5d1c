/** Looks up a header by its lowercase name. */
export interface HeaderLookup {
  get(name: string): string | undefined
}

/** Counts body bytes that are about to be buffered. Throws `ServiceError` when they would exceed the limit. */
export type ReserveBytes = (bytes: number) => void

/** Headers as they were sent: names and values in turn, or in pairs. */
export type SentHeaders = readonly string[] | Iterable<readonly [string, string]>

/** The start of a body. */
export interface BodyStart {
  /** All bytes that have been received, also those after the start. */
  readonly size: number
  /** Whether the body was not received to its end. */
  isCut: boolean
  add(chunk: Uint8Array): void
  bytes(): Uint8Array
}

/** A request, independent of its transport (socket, `fetch`, msw). */
export interface IncomingMessage {
  /** Uppercase. */
  readonly method: string
  /** Path as sent, not percent-decoded, without the query. */
  readonly path: string
  /** Query as sent, not decoded, without `?`. */
  readonly query: string
  readonly headers: HeaderLookup
  /** All headers, for the journal. Without them, it keeps neither headers nor bodies. */
  readonly sentHeaders?: SentHeaders | undefined
  /** Where the transport copies the start of the body to, for the journal, also of a body that nothing reads. */
  bodyStart?: BodyStart | undefined
  /** Address of the client; `127.0.0.1` in process and behind msw unless the caller sets one. */
  readonly address: string
  /** The client's connection, if it outlives the request. Key for values cached per connection. */
  readonly connection?: object
  /** Scheme and host of the request URL, such as `http://127.0.0.1:8787`. */
  readonly origin: string
  /**
   * Reads the body. May be called once. Throws `ServiceError` `bad_request` beyond `maxBytes`, and what `reserve` throws,
   * without waiting for the rest. `reserve` is called before bytes are buffered.
   */
  readBody(maxBytes: number, reserve?: ReserveBytes): Promise<Uint8Array>
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/** A response, independent of its transport. Transports write it unchanged. */
export interface OutgoingMessage {
  status: number
  /** Names are lowercase. */
  headers: Record<string, string>
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null
  /** UTF-8 length of a text `body`, if known. Must be cleared when the text changes. */
  byteLength?: number | undefined
  /** The start of a long list, for the journal: keeping `body` would keep a copy of all items. Must be cleared when the text changes. */
  start?: string | undefined
  /**
   * An injected fault: resets the connection instead of responding (`true`), after half of the body (`middle`), or after
   * the whole response (`after`). In process, the call or reading the body fails as it does with `fetch`; `after` has no
   * effect there, since a caller of `fetch` would not notice it.
   */
  reset?: true | 'middle' | 'after'
}

/** Most operations respond synchronously; those that read a body return a promise. */
export type ResponseOrPromise = OutgoingMessage | Promise<OutgoingMessage>
