import { nextTurn } from '../real-timers.ts'
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

/** `{"data": […], "meta": {…}}` around objects that are already JSON text (ENV-02). */
export function jsonList(items: readonly string[], page: PageRequest, total: number): OutgoingMessage {
  return jsonText(200, `${LIST_START}${items.join(',')}${listEnd(page, total)}`)
}

/**
 * `{"data": […], "meta": {…}}` around objects whose JSON is stored. Concatenation only links the strings in V8, which copies
 * them once when the response is written; `join` would copy them twice.
 */
export function storedList(items: readonly StoredJson[], page: PageRequest, total: number): OutgoingMessage {
  const end = listEnd(page, total)
  if (items.reduce((length, { json }) => length + json.length, 0) > STREAMED_LENGTH) {
    return { ...jsonText(200, ''), body: listChunks(items, end) }
  }
  let body = LIST_START
  for (const [index, { json }] of items.entries()) body += index === 0 ? json : `,${json}`
  return jsonText(200, body + end)
}

/** An object that is stored as its JSON text. */
interface StoredJson {
  readonly json: string
}

/**
 * Lists of more UTF-16 units are streamed item by item: writing 100 responses of 1 MiB in one piece would block all other
 * requests.
 */
const STREAMED_LENGTH = 4 * 1_048_576

async function* listChunks(items: readonly StoredJson[], end: string): AsyncGenerator<Uint8Array> {
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
