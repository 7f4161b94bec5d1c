import type { Clock } from '@formwire/sdk'

/** How many times faster than real time the clocks of the service, of Redis and of the workers run. */
const SPEED = 30

/** Milliseconds since the epoch, the same in every process on this machine. */
export const scaledNow = (): number => Date.UTC(2026, 10, 22) + (Date.now() % 10_000_000_000) * SPEED

/** The clock of a worker. */
export const scaledClock: Clock = {
  now: scaledNow,
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms / SPEED)
    return () => clearTimeout(timer)
  },
}
