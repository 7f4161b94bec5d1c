/** Time as the client sees it. Pass your own to run retries, budgets and polling without waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Calls back once after `ms` milliseconds, at most some 24 days; the returned function cancels it. */
  setTimer(callback: () => void, ms: number): () => void
}

/** Longest delay that timers take, some 24 days; beyond it they would fire at once, so longer waits are cut into pieces. */
const MAX_TIMER_MS = 2_147_483_647

const { timeOrigin } = performance

/** The machine's clock. Monotonic: a wall clock that is set back must not stretch a rate window. */
export const systemClock: Clock = {
  now: () => timeOrigin + performance.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
}

/** Waits `ms` milliseconds. Gives `false` as soon as the signal aborts, and leaves no listener and no timer behind. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    let cancelTimer: (() => void) | undefined
    const end = (completed: boolean): void => {
      cancelTimer?.()
      signal?.removeEventListener('abort', onAbort)
      resolve(completed)
    }
    const onAbort = (): void => end(false)
    const wait = (left: number): void => {
      cancelTimer = clock.setTimer(
        () => (left > MAX_TIMER_MS ? wait(left - MAX_TIMER_MS) : end(true)),
        Math.min(left, MAX_TIMER_MS),
      )
    }
    signal?.addEventListener('abort', onAbort)
    wait(Math.max(0, ms))
  })
}
