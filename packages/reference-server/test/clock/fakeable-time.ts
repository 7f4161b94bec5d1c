import type { TimeSource } from '../../src/real-timers.ts'

/** The global timers, looked up at each call: what `vi.useFakeTimers` replaces drives a real clock. */
export const fakeableTime: TimeSource = {
  now: () => Date.now(),
  wakeAfter(milliseconds, wake) {
    const timer = setTimeout(wake, milliseconds)
    return () => clearTimeout(timer)
  },
}
