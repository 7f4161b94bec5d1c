import type { CheckClock } from '@formwire/webhook-verify/testing'

interface Timer {
  at: number
  resolve(): void
}

/** Turns of the event loop without a new timer after which nothing else is going on in this process. */
const IDLE_TURNS = 20

/** A clock that advances to its next timer once this process is idle. */
export class IdleClock implements CheckClock {
  readonly #start = Date.now()
  #now = this.#start
  readonly #timers = new Set<Timer>()
  #idleTurns = 0
  #watching = false

  now(): number {
    return this.#now
  }

  /** Milliseconds by which the clock has advanced. */
  get elapsed(): number {
    return this.#now - this.#start
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer: Timer = { at: this.#now + ms, resolve }
      this.#timers.add(timer)
      signal?.addEventListener('abort', () => {
        this.#timers.delete(timer)
        reject(signal.reason)
      })
      this.#idleTurns = 0
      if (!this.#watching) this.#watch()
    })
  }

  #watch(): void {
    this.#watching = this.#timers.size > 0
    if (!this.#watching) return
    this.#idleTurns += 1
    if (this.#idleTurns >= IDLE_TURNS) {
      const next = [...this.#timers].reduce((one, other) => (other.at < one.at ? other : one))
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      this.#idleTurns = 0
      next.resolve()
    }
    setImmediate(() => this.#watch())
  }
}
