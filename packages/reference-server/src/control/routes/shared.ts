import { notFound } from '../../domain/service-error.ts'
import { jsonText } from '../../http/json-response.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { readId } from '../../http/parameters.ts'

/** Returns a whole list as one page. */
export function unpagedList(data: readonly unknown[]): OutgoingMessage {
  const meta = { page: 1, per_page: data.length, total: data.length }
  return jsonText(200, JSON.stringify({ data, meta }))
}

/** Reads a numeric id from the path. Throws 404 unless it is one. */
export function pathId(text: string | undefined): number {
  const id = readId(text)
  if (id === undefined) throw notFound()
  return id
}
