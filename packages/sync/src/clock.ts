import type { Clock } from '@formwire/sdk'

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, Math.min(ms, 2_147_483_647))
    return () => clearTimeout(timer)
  },
}

/** Waits. Returns false as soon as the signal aborts. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const end = (passed: boolean): void => {
      cancel()
      signal?.removeEventListener('abort', onAbort)
      resolve(passed)
    }
    const onAbort = (): void => end(false)
    const cancel = clock.setTimer(() => end(true), ms)
    signal?.addEventListener('abort', onAbort)
  })
}

/** Longest pause during an outage, in milliseconds. */
const MAX_PAUSE_MS = 60_000

/** Returns the milliseconds to wait after failed attempt `attempt`: that of a 429, otherwise 1 s doubling up to a minute, with jitter. */
export function pauseMs(error: unknown, attempt: number, random: () => number): number {
  const { retryAfterMs } = Object(error) as { retryAfterMs?: unknown }
  if (typeof retryAfterMs === 'number') return Math.ceil(retryAfterMs)
  return Math.round(Math.min(MAX_PAUSE_MS, 1000 * 2 ** (attempt - 1)) * (0.5 + random() / 2))
}
