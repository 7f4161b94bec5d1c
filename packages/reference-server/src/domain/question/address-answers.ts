import type { AddressValue } from '@formwire/contract'
import { type AnswerHandler, accepted, isObject, refused, SKIPPED } from './handler.ts'

/** The parts of an address, in the order in which they are written. */
export const ADDRESS_PARTS = ['line1', 'line2', 'city', 'region', 'postal', 'country'] as const

const known: ReadonlySet<string> = new Set(ADDRESS_PARTS)

/** Parts that were left out are empty texts; with all of them blank the question counts as skipped. */
export const address: AnswerHandler<AddressValue> = {
  check(_question, value) {
    if (!isObject(value) || Object.keys(value).some((key) => !known.has(key))) {
      return refused('Answer with the parts line1, line2, city, region, postal and country.')
    }
    const parts: AddressValue = { line1: '', line2: '', city: '', region: '', postal: '', country: '' }
    for (const part of ADDRESS_PARTS) {
      const text = value[part] ?? ''
      if (typeof text !== 'string') return refused(`Give ${part} as a text.`)
      parts[part] = text
    }
    return ADDRESS_PARTS.every((part) => parts[part].trim() === '') ? SKIPPED : accepted(parts)
  },
  text: (_question, value) =>
    ADDRESS_PARTS.map((part) => value[part])
      .filter((part) => part.trim() !== '')
      .join(', '),
}
