import type { Clock } from '@formwire/sdk'

/** Timers of this length are deadlines, which pass in real time. */
const DEADLINE_MS = 30_000

/**
 * A clock of a client whose waits end at once: the time before a retry, between polls, or until a rate limit ends. Deadlines
 * of requests pass in real time. Each client has one of its own, since its time runs ahead.
 */
export function quickClock(): Clock {
  let ahead = 0
  const now = (): number => performance.timeOrigin + performance.now() + ahead
  return {
    now,
    setTimer(callback, ms) {
      const due = now() + ms
      const end = (): void => {
        ahead += Math.max(0, due - now())
        callback()
      }
      const timer = ms < DEADLINE_MS ? setTimeout(end) : setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
  }
}
