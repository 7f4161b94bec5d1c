import { clearInterval, elapsedMs, setInterval, type TimeSource } from '../real-timers.ts'

/** Most of a pause that counts, in milliseconds. */
const PAUSE_MAX_MS = 50
const CHECK_EVERY_MS = 25

/**
 * Real time in which this process runs: of a pause in which it was busy, stopped, or got no processor time, 50 ms count. A deadline
 * that passed during a pause would blame the other side, which may have responded in time.
 */
export class RunningTime implements TimeSource {
  readonly #elapsed: () => number
  #now = 0
  #checkedAt: number

  /** @param elapsed Real milliseconds since an arbitrary moment. */
  constructor(elapsed: () => number = elapsedMs) {
    this.#elapsed = elapsed
    this.#checkedAt = elapsed()
  }

  now(): number {
    const at = this.#elapsed()
    this.#now += Math.min(at - this.#checkedAt, PAUSE_MAX_MS)
    this.#checkedAt = at
    return this.#now
  }

  wakeAfter(milliseconds: number, wake: () => void): () => void {
    const due = this.now() + milliseconds
    const timer = setInterval(
      () => {
        if (this.now() < due) return
        clearInterval(timer)
        wake()
      },
      Math.min(milliseconds, CHECK_EVERY_MS),
    ).unref()
    return () => clearInterval(timer)
  }
}
