import type { Delivery } from '@formwire/contract/control'

/** Searchable text of each delivery. */
const texts = new WeakMap<Delivery, string>()

/** Returns whether the id, payload, response body or note contains `text` (lower case). */
export function matchesText(delivery: Delivery, text: string): boolean {
  let haystack = texts.get(delivery)
  if (haystack === undefined) {
    haystack = [delivery.id, JSON.stringify(delivery.payload), delivery.receiver_answer, delivery.note]
      .join('\n')
      .toLowerCase()
    texts.set(delivery, haystack)
  }
  return haystack.includes(text)
}
