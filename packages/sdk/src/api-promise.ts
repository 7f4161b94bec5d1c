/** The answer around the data. */
export interface RawResponse {
  status: number
  headers: Headers
  /** `X-Request-Id`, when the service sends one. */
  requestId: string | undefined
  /** Attempts made, the first included. */
  attempts: number
}

/** A result with the answer it came in. */
export interface WithResponse<Data> {
  data: Data
  response: RawResponse
}

/** A promise of the data; {@link withResponse} gives status, headers and attempts beside it. The request is already under way. */
export class ApiPromise<Data> implements Promise<Data> {
  readonly #result: Promise<WithResponse<Data>>
  readonly [Symbol.toStringTag] = 'ApiPromise'

  constructor(result: Promise<WithResponse<Data>>) {
    this.#result = result
  }

  /** The data together with status, headers, request id and attempts of the answer that carried it. */
  withResponse(): Promise<WithResponse<Data>> {
    return this.#result
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<Kept = Data, Caught = never>(
    onFulfilled?: ((data: Data) => Kept | PromiseLike<Kept>) | null,
    onRejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    return this.#result.then(
      ({ data }) => (onFulfilled ? onFulfilled(data) : (data as unknown as Kept)),
      onRejected,
    )
  }

  catch<Caught = never>(
    onRejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Data | Caught> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally)
  }
}
