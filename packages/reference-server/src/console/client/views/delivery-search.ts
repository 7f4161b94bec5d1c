import type { Delivery } from '../types.ts'

const texts = new WeakMap<Delivery, string>()

/** Whether the entry has `text` (lower case) in its id, payload, answer or note. Each entry is written out once. */
export function matchesText(entry: Delivery, text: string): boolean {
  let haystack = texts.get(entry)
  if (haystack === undefined) {
    haystack = [entry.id, JSON.stringify(entry.payload), entry.receiver_answer, entry.note]
      .join('\n')
      .toLowerCase()
    texts.set(entry, haystack)
  }
  return haystack.includes(text)
}
