import { backoffMs } from '@formwire/internal/backoff'
import { isRateLimitError } from '../errors/api-errors.ts'
import { MAX_HOLD_MS } from '../http/retry-after.ts'

/** Factor by which the wait grows after each idle poll. */
const GROWTH = 1.5
/** Random share of a wait, so that pollers do not synchronize. */
const JITTER = 0.2
/** Share of the rate budget below which polling uses the longest wait. */
const SCARCE = 0.1

/** Returns the wait before the next poll, and the interval to pass the next time, in milliseconds. */
export function nextInterval(
  interval: number,
  found: boolean,
  limits: { intervalMs: number; maxIntervalMs: number },
  remaining: number,
  { perMinute, random }: { perMinute: number; random: () => number },
): { interval: number; waitMs: number } {
  const scarce = Number.isFinite(perMinute) && remaining < perMinute * SCARCE
  const base = scarce ? limits.maxIntervalMs : found ? limits.intervalMs : interval
  const waitMs = base * (1 - JITTER / 2 + random() * JITTER)
  return { interval: found ? limits.intervalMs : Math.min(limits.maxIntervalMs, interval * GROWTH), waitMs }
}

/** Maximum wait between attempts during an outage, in milliseconds. */
const MAX_OUTAGE_WAIT_MS = 60_000

/** Returns the milliseconds to wait after failed attempt `attempt`: that of a 429 up to one hour, otherwise 1 s doubling up to 60 s, with jitter. */
export function outageWaitMs(error: unknown, attempt: number, random: () => number): number {
  if (isRateLimitError(error)) return Math.min(error.retryAfterMs, MAX_HOLD_MS)
  return backoffMs(attempt, 1000, MAX_OUTAGE_WAIT_MS, 0.5, random)
}
