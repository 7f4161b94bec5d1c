import type { AddressValue } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { accepted } from '../result.ts'
import { type AnswerHandler, refusedAnswer, SKIPPED } from './handler.ts'

/** The parts of an address, in writing order. */
export const ADDRESS_PARTS = ['line1', 'line2', 'city', 'region', 'postal', 'country'] as const

const known: ReadonlySet<string> = new Set(ADDRESS_PARTS)

/** Missing parts become empty strings. The question counts as skipped when all parts are blank. */
export const address: AnswerHandler<AddressValue> = {
  shape: 'address',
  check(_question, value) {
    if (!isObject(value) || Object.keys(value).some((key) => !known.has(key))) {
      return refusedAnswer('Answer with the parts line1, line2, city, region, postal and country.')
    }
    const parts: AddressValue = { line1: '', line2: '', city: '', region: '', postal: '', country: '' }
    for (const part of ADDRESS_PARTS) {
      const text = value[part] ?? ''
      if (typeof text !== 'string') return refusedAnswer(`${part} must be a string.`)
      parts[part] = text
    }
    return ADDRESS_PARTS.every((part) => parts[part].trim() === '') ? SKIPPED : accepted(parts)
  },
  text: (_question, value, style) =>
    ADDRESS_PARTS.map((part) => value[part])
      .filter((part) => part.trim() !== '')
      .join(style === 'default' ? ', ' : '\n'),
}
