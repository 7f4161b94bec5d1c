import type { TransportResponse } from './transport.ts'

/** Metadata of an HTTP response. */
export interface RawResponse {
  status: number
  headers: Headers
  /** `X-Request-Id`, if the service sent one. */
  requestId: string | undefined
  /** Attempts made, including the first. */
  attempts: number
}

/** A result together with its HTTP response. */
export interface WithResponse<Data> {
  data: Data
  response: RawResponse
}

/** Promise of the data of a request that has already started. */
export interface ApiPromise<Data> extends Promise<Data> {
  /**
   * Returns the data together with the status, headers, request id and attempts of the HTTP response.
   *
   * @example const { data, response } = await formwire.me().withResponse()
   */
  withResponse(): Promise<WithResponse<Data>>
}

/** Source of a {@link RawResponse}, which is created only on request. */
interface ReceivedResponse {
  status: number
  headers: TransportResponse['headers']
  attempts: number
}

/** Receives the HTTP response of a call before its promise is resolved. */
export interface ResponseSlot {
  response?: ReceivedResponse
}

/** Adds `withResponse()` to a promise. Awaiting a native promise is faster than awaiting a custom thenable. */
export function apiPromise<Data>(promise: Promise<Data>, slot: ResponseSlot): ApiPromise<Data> {
  const withResponse = async (): Promise<WithResponse<Data>> => {
    const data = await promise
    const { status, headers, attempts } = slot.response as ReceivedResponse
    const requestId = headers.get('x-request-id') ?? undefined
    return { data, response: { status, headers: new Headers([...headers]), requestId, attempts } }
  }
  return Object.assign(promise, { withResponse })
}
