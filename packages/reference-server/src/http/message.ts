/** Looks a header up by its name in lower case. */
export interface HeaderLookup {
  get(name: string): string | undefined
}

/** A request as the core sees it, whichever door it came through (polka, `fetch`, msw). */
export interface IncomingMessage {
  /** Upper case. */
  readonly method: string
  /** Raw path as sent, before any percent-decoding, without the query. */
  readonly path: string
  /** Raw query as sent, without `?`. */
  readonly query: string
  readonly headers: HeaderLookup
  /** Address of the client; `127.0.0.1` in process and behind msw unless the caller names one. */
  readonly address: string
  /** The client's connection, where there is one that outlives the request: for what is to be remembered as long. */
  readonly connection?: object
  /** Scheme and host the client spoke to, such as `http://127.0.0.1:8787`. */
  readonly origin: string
  /** Reads the body once. Throws `ServiceError` `bad_request` past `maxBytes`, without waiting for the rest. */
  readBody(maxBytes: number): Promise<Uint8Array>
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
}

/** The answer of the core. A door writes it out and adds nothing of its own. */
export interface OutgoingMessage {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null
  /** Bytes of a text `body` in UTF-8, where somebody knows. Who changes the text takes it away. */
  byteLength?: number | undefined
  /**
   * An injected fault: cuts the connection instead of answering (`true`), when half of the body is out (`middle`), or
   * behind the whole answer (`after`). In process the call or the reading of the body fails as with `fetch`; `after` is
   * nothing that a caller of `fetch` could see.
   */
  reset?: true | 'middle' | 'after'
}
