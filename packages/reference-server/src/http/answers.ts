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

/** `{"data": […], "meta": {…}}` around objects that are JSON already (ENV-02). */
export function listText(
  items: readonly string[],
  { page, perPage }: PageRequest,
  total: number,
): OutgoingMessage {
  const meta = `],"meta":{"page":${page},"per_page":${perPage},"total":${total}}}`
  if (items.length === 0) return jsonText(200, `{"data":[${meta}`)
  // The ends are joined in with the items, so that the text is built once and not copied for its frame.
  const parts = items.slice()
  parts[0] = `{"data":[${parts[0]}`
  parts[parts.length - 1] += meta
  return jsonText(200, parts.join(','))
}

/** An empty success. */
export function noContent(): OutgoingMessage {
  return { status: 204, headers: {}, body: null }
}
