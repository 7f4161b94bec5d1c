import { onAbort } from './on-abort.ts'

/** Source of time. Pass your own to test retries, rate budgets and polling without waiting in real time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Calls `callback` once after `ms` milliseconds, at most about 24 days. Returns a function that cancels the timer. */
  setTimer(callback: () => void, ms: number): () => void
}

/** Source of time for what only waits. */
export interface SleepClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Maximum delay of a timer, about 24 days. A longer one would fire immediately, so longer waits are split. */
export const MAX_TIMER_MS = 2_147_483_647

/** Waits `ms` milliseconds. Resolves to `false` as soon as the signal aborts. Leaves no listener and no timer behind. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    let cancelTimer: (() => void) | undefined
    const end = (completed: boolean): void => {
      cancelTimer?.()
      ignoreAbort()
      resolve(completed)
    }
    const wait = (left: number): void => {
      cancelTimer = clock.setTimer(
        () => (left > MAX_TIMER_MS ? wait(left - MAX_TIMER_MS) : end(true)),
        Math.min(left, MAX_TIMER_MS),
      )
    }
    const ignoreAbort = onAbort(signal, () => end(false))
    wait(Math.max(0, ms))
  })
}

/** Returns the `sleep` of a {@link SleepClock} with these timers. */
export const sleepOf =
  (clock: Clock): SleepClock['sleep'] =>
  async (ms, signal) => {
    if (!(await sleep(clock, ms, signal))) throw signal?.reason
  }

const globalTimers: Clock = {
  now: () => Date.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
}

/** Calls the global timers, so that the fake ones of a test runner replace them. */
export const globalClock: Clock & SleepClock = { ...globalTimers, sleep: sleepOf(globalTimers) }
