/**
 * Returns the milliseconds to wait after failed attempt `attempt`, the first of which is 1: `firstMs`, doubled with each attempt up to
 * `maxMs`.
 *
 * @param jitter Random share of the wait, from 0 to 1, so that clients do not synchronize.
 */
export const backoffMs = (
  attempt: number,
  firstMs: number,
  maxMs = Number.POSITIVE_INFINITY,
  jitter = 0,
  random = Math.random,
): number => Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (1 - jitter + jitter * random())
