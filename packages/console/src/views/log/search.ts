import type { Delivery } from '@formwire/contract/control'

/** Searchable text of each delivery, with the endpoint URL that it was made for. */
const texts = new WeakMap<Delivery, { readonly url: string; readonly text: string }>()

function textOf(delivery: Delivery, url: string): string {
  const known = texts.get(delivery)
  if (known?.url === url) return known.text
  const text = [
    delivery.id,
    delivery.event,
    delivery.status,
    delivery.http_status,
    delivery.error,
    ...delivery.earlier_errors,
    url,
    delivery.response_id === 0 ? 'example' : `#${delivery.response_id}`,
    JSON.stringify(delivery.payload),
    delivery.receiver_answer,
    delivery.note,
  ]
    .join('\n')
    .toLowerCase()
  texts.set(delivery, { url, text })
  return text
}

/**
 * Returns whether a delivery contains every word: in its id, event, status, HTTP status, error classes of all attempts, endpoint URL, payload,
 * response body or note.
 *
 * @param words In lower case.
 * @param url URL of its endpoint, `''` if that is unknown.
 */
export function matchesWords(delivery: Delivery, words: readonly string[], url: string): boolean {
  if (words.length === 0) return true
  const text = textOf(delivery, url)
  return words.every((word) => text.includes(word))
}
