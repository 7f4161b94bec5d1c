import type { Clock } from '../../src/index.ts'

interface Timer {
  at: number
  order: number
  callback: () => void
}

/** A clock that moves only when advanced. `waits` lists the timers set, in milliseconds. */
export class ManualClock implements Clock {
  #now: number
  #timers: Timer[] = []
  #order = 0
  #running = false

  constructor(start = Date.UTC(2026, 10, 21)) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  setTimer(callback: () => void, ms: number): () => void {
    this.#order += 1
    const timer = { at: this.#now + ms, order: this.#order, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.length
  }

  /** Moves on by `ms`, running every timer that comes due, in order, each after the one before has taken effect. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await settled()
    for (let due = this.#next(until); due; due = this.#next(until)) {
      this.#fire(due)
      await settled()
    }
    this.#now = until
  }

  /** Moves on to the next timer whenever nothing else happens, until the promise settles. */
  async runUntil<Value>(promise: Promise<Value>): Promise<Value> {
    if (this.#running) throw new Error('runUntil does not nest')
    this.#running = true
    let over = false
    const end = (): void => {
      over = true
    }
    promise.then(end, end)
    try {
      while (!over) {
        await settled()
        const due = over ? undefined : this.#next(Number.POSITIVE_INFINITY)
        if (due) this.#fire(due)
      }
    } finally {
      this.#running = false
    }
    return promise
  }

  /** The rejection of a call, with time passing as it needs. */
  failureOf(call: PromiseLike<unknown>): Promise<unknown> {
    return this.runUntil(
      Promise.resolve(call).then(
        () => {
          throw new Error('it did not fail')
        },
        (error: unknown) => error,
      ),
    )
  }

  #next(until: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.at > until) continue
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer
    }
    return first
  }

  #fire(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer)
    this.#now = Math.max(this.#now, timer.at)
    timer.callback()
  }
}

/** Lets everything that is ready run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
