import { isRateLimitError } from '../errors/rate-limit-error.ts'

/** How much longer each idle poll waits than the one before. */
const GROWTH = 1.5
/** Part of a wait that is drawn at random, so that many pollers do not come together. */
const JITTER = 0.2
/** Below this part of the rate budget polling steps back to the longest wait. */
const SCARCE = 0.1

/** The wait before the next poll, and the interval to grow from after it; in milliseconds. */
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

/** Longest wait between tries while the service cannot be reached, in milliseconds. */
const MAX_OUTAGE_WAIT_MS = 60_000

/** Milliseconds to wait before try `attempt` + 1 of an outage: what a 429 asks for, else 1 s doubling up to 60 s, with jitter. */
export function outageWaitMs(error: unknown, attempt: number, random: () => number): number {
  if (isRateLimitError(error)) return error.retryAfterMs
  const ceiling = Math.min(MAX_OUTAGE_WAIT_MS, 1000 * 2 ** (attempt - 1))
  return ceiling * (0.5 + random() / 2)
}
