import type { OutgoingMessage } from './message.ts'
import type { PageRequest } from './parameters.ts'

/** Any value as JSON (ENV-07). */
export function jsonText(status: number, body: string): OutgoingMessage {
  return { status, headers: { 'content-type': 'application/json' }, body }
}

/** `{"data": …}` around an object (ENV-01). */
export function item(data: unknown, status = 200): OutgoingMessage {
  return jsonText(status, JSON.stringify({ data }))
}

/** `{"data": …}` around an object that is JSON already. */
export function itemText(data: string, status = 200): OutgoingMessage {
  return jsonText(status, `{"data":${data}}`)
}

/** JSON of an object, with its length in UTF-8: what is kept of a response from the moment it is written. */
interface KeptJson {
  readonly json: string
  readonly jsonBytes: number
}

/** `{"data": …}` around an object that is kept as JSON. */
export function itemKept({ json, jsonBytes }: KeptJson): OutgoingMessage {
  const answer = itemText(json)
  answer.byteLength = '{"data":}'.length + jsonBytes
  return answer
}

/** `{"data": […], "meta": {…}}` around objects that are JSON already (ENV-02). */
export function listText(items: readonly string[], page: PageRequest, total: number): OutgoingMessage {
  return jsonText(200, `${LIST_START}${items.join(',')}${listEnd(page, total)}`)
}

/**
 * `{"data": […], "meta": {…}}` around objects that are kept as JSON. Their texts are only chained here: V8 copies them
 * once, into what goes out. Joining, and counting the bytes of the whole, would each go through them again.
 */
export function listKept(items: readonly KeptJson[], page: PageRequest, total: number): OutgoingMessage {
  let body = LIST_START
  let byteLength = Math.max(0, items.length - 1)
  for (let i = 0; i < items.length; i += 1) {
    const { json, jsonBytes } = items[i] as KeptJson
    body += i === 0 ? json : `,${json}`
    byteLength += jsonBytes
  }
  const end = listEnd(page, total)
  const answer = jsonText(200, body + end)
  answer.byteLength = LIST_START.length + byteLength + end.length
  return answer
}

const LIST_START = '{"data":['

const listEnd = ({ page, perPage }: PageRequest, total: number): string =>
  `],"meta":{"page":${page},"per_page":${perPage},"total":${total}}}`

/** An empty success. */
export function noContent(): OutgoingMessage {
  return { status: 204, headers: {}, body: null }
}
