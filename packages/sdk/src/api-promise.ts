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

/** A promise of the data; {@link withResponse} gives status, headers and attempts beside it. The request is already under way. */
export interface ApiPromise<Data> extends Promise<Data> {
  /** The data together with status, headers, request id and attempts of the answer that carried it. */
  withResponse(): Promise<WithResponse<Data>>
}

/** What {@link RawResponse} is put together from, for those who ask. */
interface Answer {
  status: number
  headers: TransportResponse['headers']
  attempts: number
}

/** Where a call leaves its answer before its promise is kept. */
export interface AnswerSlot {
  answer?: Answer
}

/** Awaiting a plain promise costs less than awaiting an object with a `then` of its own, so it gets a method instead. */
export function apiPromise<Data>(promise: Promise<Data>, slot: AnswerSlot): ApiPromise<Data> {
  const withResponse = async (): Promise<WithResponse<Data>> => {
    const data = await promise
    const { status, headers, attempts } = slot.answer as Answer
    const requestId = headers.get('x-request-id') ?? undefined
    return { data, response: { status, headers: new Headers([...headers]), requestId, attempts } }
  }
  return Object.assign(promise, { withResponse })
}
