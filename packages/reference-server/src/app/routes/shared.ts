import { jsonText } from '../../http/answers.ts'
import { notFound } from '../../http/errors.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { readId } from '../../http/parameters.ts'

/** A list that is not paged: everything is on page 1. */
export function wholeList(data: readonly unknown[]): OutgoingMessage {
  const meta = { page: 1, per_page: data.length, total: data.length }
  return jsonText(200, JSON.stringify({ data, meta }))
}

/** A numeric id of the path. Throws 404 for what cannot be one. */
export function pathId(text: string | undefined): number {
  const id = readId(text)
  if (id === undefined) throw notFound()
  return id
}
