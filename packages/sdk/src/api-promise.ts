import type { TransportResponse } from './http/transport.ts'

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

/** A result as it travels inside: what {@link RawResponse} needs, put together only for those who ask. */
export interface Answered<Data> {
  data: Data
  status: number
  headers: TransportResponse['headers']
  attempts: number
}

/** A promise of the data; {@link withResponse} gives status, headers and attempts beside it. The request is already under way. */
export class ApiPromise<Data> implements Promise<Data> {
  readonly #result: Promise<Answered<Data>>

  constructor(result: Promise<Answered<Data>>) {
    this.#result = result
  }

  get [Symbol.toStringTag](): string {
    return 'ApiPromise'
  }

  /** The data together with status, headers, request id and attempts of the answer that carried it. */
  async withResponse(): Promise<WithResponse<Data>> {
    const { data, headers, ...rest } = await this.#result
    const requestId = headers.get('x-request-id') ?? undefined
    return { data, response: { ...rest, headers: new Headers([...headers]), requestId } }
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
