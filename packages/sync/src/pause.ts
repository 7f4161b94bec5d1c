import { backoffMs } from '@formwire/internal/backoff'

/** Longest pause during an outage, in milliseconds. */
const MAX_PAUSE_MS = 60_000

/** Returns the milliseconds to wait after failed attempt `attempt`: that of a 429, otherwise 1 s doubling up to a minute, with jitter. */
export function pauseMs(error: unknown, attempt: number, random: () => number): number {
  const { retryAfterMs } = Object(error) as { retryAfterMs?: unknown }
  if (typeof retryAfterMs === 'number') return Math.ceil(retryAfterMs)
  return Math.round(backoffMs(attempt, 1000, MAX_PAUSE_MS, 0.5, random))
}
