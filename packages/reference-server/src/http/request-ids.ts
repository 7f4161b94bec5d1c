import { type RandomSource, randomText } from '../random.ts'

/** Ids for `X-Request-Id`: a prefix of the server's own and a count, so that no two servers share one. */
export function createRequestIds(random: RandomSource): () => string {
  const prefix = `req_${randomText(random, 8)}`
  let count = 0
  return () => {
    count += 1
    return `${prefix}${count.toString(36).padStart(6, '0')}`
  }
}
