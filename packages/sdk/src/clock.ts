import { type Clock, MAX_TIMER_MS } from '@formwire/internal/clock'

// Read once: the fake timers of a test runner replace the globals later, and retries and deadlines would hang.
const { setTimeout, clearTimeout, performance } = globalThis
const now = performance.now.bind(performance)
const { timeOrigin } = performance

/** The system clock. Monotonic, so that setting the wall clock back does not extend a rate window. */
export const systemClock: Clock = {
  now: () => timeOrigin + now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
}
