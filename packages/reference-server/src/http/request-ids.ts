import { type RandomSource, randomText } from '../random.ts'

export type RequestIds = ReturnType<typeof createRequestIds>

/** Ids for `X-Request-Id`: a random prefix per server, then a counter, so that ids of different servers differ. */
export function createRequestIds(random: RandomSource) {
  const prefix = `req_${randomText(random, 8)}`
  let count = 0
  return {
    /** Returns the number of the next request, from 1. */
    next: (): number => ++count,
    /** Formats the id of a request. Separate from `next`, since most ids are never shown. */
    textOf: (number: number): string => `${prefix}${number.toString(36).padStart(6, '0')}`,
  }
}
