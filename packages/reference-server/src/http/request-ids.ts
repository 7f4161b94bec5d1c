import { type RandomSource, randomText } from '../random.ts'

/** Ids for `X-Request-Id`: a prefix of the server's own and a count, so that no two servers share one. */
export interface RequestIds {
  /** The number of the next request, from 1. */
  next(): number
  /** The id of a request by its number: written only when somebody is to see it. */
  textOf(number: number): string
}

export function createRequestIds(random: RandomSource): RequestIds {
  const prefix = `req_${randomText(random, 8)}`
  let count = 0
  return {
    next: () => ++count,
    textOf: (number) => `${prefix}${number.toString(36).padStart(6, '0')}`,
  }
}
