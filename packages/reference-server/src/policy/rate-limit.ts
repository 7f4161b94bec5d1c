import type { Unspecified } from '../unspecified.ts'

const WINDOW_MS = 60_000

/** Counts what was served to one client within a minute. */
interface Window {
  /** Whether one more fits at this instant; if so it is counted. What does not fit is not counted (RATE-03). */
  take(now: number): boolean
  /** Whether one more would fit. */
  fits(now: number): boolean
}

/** At most `limit` in any 60 seconds: remembers the instants of the last `limit` in a ring. */
class SlidingWindow implements Window {
  readonly #limit: number
  readonly #instants: number[] = []
  #oldest = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  take(now: number): boolean {
    if (this.#instants.length < this.#limit) {
      this.#instants.push(now)
      return true
    }
    if (!this.fits(now)) return false
    this.#instants[this.#oldest] = now
    this.#oldest = (this.#oldest + 1) % this.#limit
    return true
  }

  fits(now: number): boolean {
    if (this.#instants.length < this.#limit) return true
    const age = now - (this.#instants[this.#oldest] ?? now)
    // A clock set back would otherwise keep the client out for as long as it was set back.
    return this.#limit > 0 && (age >= WINDOW_MS || age < 0)
  }
}

/** At most `limit` in each minute of the clock. */
class FixedWindow implements Window {
  readonly #limit: number
  #minute = Number.NaN
  #count = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  take(now: number): boolean {
    if (!this.fits(now)) return false
    this.#count += 1
    return true
  }

  fits(now: number): boolean {
    const minute = Math.floor(now / WINDOW_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#count = 0
    }
    return this.#count < this.#limit
  }
}

/**
 * A limit a minute for each of many clients (RATE-01, RATE-02). Memory is bounded whoever comes: no more than
 * `maxClients` are remembered, and the one that was counted longest ago is forgotten first.
 */
export class RateLimiter<Client> {
  readonly #limit: number
  readonly #shape: Unspecified['rateWindow']
  readonly #maxClients: number
  /** In the order in which they were last counted. */
  readonly #windows = new Map<Client, { window: Window; countedAt: number }>()

  constructor(limit: number, shape: Unspecified['rateWindow'], maxClients = 50_000) {
    this.#limit = limit
    this.#shape = shape
    this.#maxClients = maxClients
  }

  /** Clients remembered at the moment. */
  get size(): number {
    return this.#windows.size
  }

  /** Counts one if it fits. Returns whether it did. */
  take(client: Client, now: number): boolean {
    if (this.#limit === Number.POSITIVE_INFINITY) return true
    let entry = this.#windows.get(client)
    if (!entry) {
      this.#forget(now)
      entry = {
        window: this.#shape === 'fixed' ? new FixedWindow(this.#limit) : new SlidingWindow(this.#limit),
        countedAt: now,
      }
      this.#windows.set(client, entry)
      return entry.window.take(now)
    }
    const taken = entry.window.take(now)
    if (taken && now - entry.countedAt >= REORDER_MS) {
      this.#windows.delete(client)
      this.#windows.set(client, entry)
      entry.countedAt = now
    }
    return taken
  }

  /** Whether one more would fit, without counting it. */
  fits(client: Client, now: number): boolean {
    return this.#windows.get(client)?.window.fits(now) ?? true
  }

  clear(): void {
    this.#windows.clear()
  }

  /** Makes room: drops windows that have run out, and the oldest when there are still too many. */
  #forget(now: number): void {
    for (const [client, { countedAt }] of this.#windows) {
      if (this.#windows.size < this.#maxClients && now - countedAt < WINDOW_MS + REORDER_MS) return
      this.#windows.delete(client)
    }
  }
}

/** How exact the order of forgetting is: moving an entry on every request would cost more than the check itself. */
const REORDER_MS = 1000
