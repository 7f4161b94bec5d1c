/** How long to wait after failures, in milliseconds. */
export interface Backoff {
  /** After the first failure; doubles with each one. */
  readonly firstMs: number
  /** The longest wait, before jitter. @default none */
  readonly maxMs?: number
  /** Random share of a wait, from 0 to 1, so that clients do not synchronize. @default 0 */
  readonly jitter?: number
  /** Returns a number from 0 to 1. */
  readonly random?: () => number
}

/** Returns the milliseconds to wait after failed attempt `attempt`, the first of which is 1. */
export function backoffMs(
  attempt: number,
  { firstMs, maxMs = Number.POSITIVE_INFINITY, jitter = 0, random = Math.random }: Backoff,
): number {
  return Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (1 - jitter + jitter * random())
}
