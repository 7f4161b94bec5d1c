import { clearImmediate, clearInterval, nextTurn, setImmediate, setInterval } from '../real-timers.ts'

/** Arbitrary; keeps the process alive. */
const KEEP_ALIVE_MS = 60_000

/** Counts the work in flight of a clock and reports when none is left: the base of both clocks. */
export class Activity {
  #running = 0
  #waiters: (() => void)[] = []

  track<Result>(work: Promise<Result>): Promise<Result> {
    const end = this.#begin()
    work.then(end, end)
    return work
  }

  /** Marks the start of a piece of work. Call the returned function once when it has ended. */
  #begin(): () => void {
    this.#running += 1
    let ended = false
    return () => {
      if (ended) return
      ended = true
      this.#running -= 1
      if (this.#running > 0) return
      const waiters = this.#waiters
      this.#waiters = []
      for (const wake of waiters) wake()
    }
  }

  /** Runs `wake` in a later turn of the event loop, and counts as work until then. Returns a function that cancels it. */
  protected inNextTurn(wake: () => void): () => void {
    const end = this.#begin()
    const turn = setImmediate(() => {
      try {
        wake()
      } finally {
        end()
      }
    })
    return () => {
      clearImmediate(turn)
      end()
    }
  }

  /** Resolves once no work is in flight and the work that just ended has started no more. */
  async idle(): Promise<void> {
    // The work may wait for timers and sockets that do not keep the process alive.
    const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS)
    do {
      if (this.#running > 0) await new Promise<void>((resolve) => this.#waiters.push(resolve))
      await nextTurn()
    } while (this.#running > 0)
    clearInterval(keepAlive)
  }
}
