import type { ErrorDetails } from '@formwire/contract'
import { ServiceError } from '../domain/service-error.ts'
import { nextTurn } from '../real-timers.ts'
import { JOURNAL_BODY_BYTES } from '../resource-limits.ts'
import type { Settings } from '../settings.ts'
import type { OutgoingMessage } from './message.ts'
import type { PageRequest } from './parameters.ts'

/** A response whose body is JSON text (ENV-07). */
export function jsonText(status: number, body: string): OutgoingMessage {
  return { status, headers: { 'content-type': 'application/json' }, body }
}

/** `{"data": …}` around an object (ENV-01). */
export function item(data: unknown, status = 200): OutgoingMessage {
  return jsonText(status, JSON.stringify({ data }))
}

/** `{"data": …}` around an object that is already JSON text. */
export function jsonItem(data: string, status = 200): OutgoingMessage {
  return jsonText(status, `{"data":${data}}`)
}

/** An object's JSON text and its UTF-8 length, cached when the object is stored. */
interface CachedJson {
  readonly json: string
  readonly jsonBytes: number
}

/** `{"data": …}` around an object whose JSON is cached. */
export function cachedItem({ json, jsonBytes }: CachedJson): OutgoingMessage {
  const response = jsonItem(json)
  response.byteLength = '{"data":}'.length + jsonBytes
  return response
}

/** `{"data": […], "meta": {…}}` around objects that are already JSON text (ENV-02). */
export function jsonList(items: readonly string[], page: PageRequest, total: number): OutgoingMessage {
  return jsonText(200, `${LIST_START}${items.join(',')}${listEnd(page, total)}`)
}

/**
 * `{"data": […], "meta": {…}}` around objects whose JSON is cached. Concatenation only links the strings in V8, which
 * copies them once when the response is written; `join` and `Buffer.byteLength` would each copy or scan them again.
 */
export function cachedList(items: readonly CachedJson[], page: PageRequest, total: number): OutgoingMessage {
  let body = LIST_START
  let start: string | undefined
  let byteLength = Math.max(0, items.length - 1)
  for (let i = 0; i < items.length; i += 1) {
    const { json, jsonBytes } = items[i] as CachedJson
    body += i === 0 ? json : `,${json}`
    if (start === undefined && body.length >= JOURNAL_BODY_BYTES) start = body
    byteLength += jsonBytes
  }
  const end = listEnd(page, total)
  const isStreamed = byteLength > STREAMED_BYTES
  const response: OutgoingMessage = jsonText(200, isStreamed ? '' : body + end)
  if (isStreamed) response.body = listChunks(items, end)
  response.byteLength = LIST_START.length + byteLength + end.length
  response.start = start
  return response
}

/** Larger lists are streamed item by item: writing 100 responses of 1 MiB in one piece would block all other requests. */
const STREAMED_BYTES = 4 * 1_048_576

async function* listChunks(items: readonly CachedJson[], end: string): AsyncGenerator<Uint8Array> {
  let before = LIST_START
  for (const { json } of items) {
    yield Buffer.from(before + json)
    before = ','
    // Even if the connection accepts each chunk immediately, other requests must get a turn.
    await nextTurn()
  }
  yield Buffer.from(end)
}

const LIST_START = '{"data":['

const listEnd = ({ page, perPage }: PageRequest, total: number): string =>
  `],"meta":{"page":${page},"per_page":${perPage},"total":${total}}}`

/** 204 without a body. */
export function noContent(): OutgoingMessage {
  return { status: 204, headers: {}, body: null }
}

/** Returns an error envelope (ENV-03). */
export function errorResponse(error: ServiceError, settings: Settings): OutgoingMessage {
  const details = detailsOf(error, settings)
  const body = { error: { code: error.code, message: error.message, ...(details && { details }) } }
  const response = jsonText(error.status, JSON.stringify(body))
  Object.assign(response.headers, error.headers)
  return response
}

/** Returns a 500 that reveals nothing about its cause; the cause goes to `report` (ERR-04). */
export function internalErrorResponse(
  cause: unknown,
  settings: Settings,
  report: (cause: unknown) => void,
): OutgoingMessage {
  report(cause)
  return errorResponse(new ServiceError('server_error', 'Something went wrong on our side.'), settings)
}

function detailsOf(error: ServiceError, { unspecified }: Settings): ErrorDetails | undefined {
  if (unspecified.errorDetails === 'none') return undefined
  if (unspecified.errorDetails === 'field' || !error.details) return error.details
  return { ...error.details, reason: 'invalid_value', docs: 'https://docs.example.com/errors' }
}
