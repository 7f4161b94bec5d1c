import { RETRY_DELAYS_MS } from '@formwire/contract'

/** Returns the instant of the attempt after this many failed ones, or `undefined` when no more follows (DLV-06). */
export function nextAttemptAfter(failedAttempts: number, delayFrom: number): number | undefined {
  const delay = RETRY_DELAYS_MS[failedAttempts - 1]
  return delay === undefined ? undefined : delayFrom + delay
}
