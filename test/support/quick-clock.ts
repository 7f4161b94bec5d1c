import type { Clock } from '@formwire/sdk'

/**
 * A clock of a client whose waits end at once: the time before a retry, between polls, or until a rate limit ends. Deadlines
 * of requests pass in real time. Each client has one of its own, since its time runs ahead.
 *
 * @param deadlineMs Timers of this length are deadlines.
 */
export function quickClock(deadlineMs = 30_000): Clock {
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
      const timer = ms < deadlineMs ? setTimeout(end) : setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
  }
}
