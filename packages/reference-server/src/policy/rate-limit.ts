import { LIMITS } from '@formwire/contract'
import { ServiceError } from '../domain/service-error.ts'
import type { Unspecified } from '../unspecified.ts'

const WINDOW_MS = 60_000

/** Counts the requests of one client within a minute. */
interface Window {
  /** Counts a request if it fits, and with `countRefused` also if it does not (RATE-03). Returns whether it fits. */
  take(now: number, countRefused: boolean): boolean
  /** Whether one more request would fit. */
  fits(now: number): boolean
}

/** At most `limit` requests in any 60 seconds. Keeps the instants of the last `limit` requests in a ring. */
class SlidingWindow implements Window {
  readonly #limit: number
  readonly #instants: number[] = []
  #oldest = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  take(now: number, countRefused: boolean): boolean {
    if (this.#instants.length < this.#limit) {
      this.#instants.push(now)
      return true
    }
    const fits = this.fits(now)
    if (fits || countRefused) {
      this.#instants[this.#oldest] = now
      this.#oldest = (this.#oldest + 1) % this.#limit
    }
    return fits
  }

  fits(now: number): boolean {
    if (this.#instants.length < this.#limit) return true
    const age = now - (this.#instants[this.#oldest] ?? now)
    // If the clock was set back, the age is negative; the client must not be refused until it catches up.
    return this.#limit > 0 && (age >= WINDOW_MS || age < 0)
  }
}

/** At most `limit` requests in each minute of the clock. Refused requests need no counting, since each minute starts at 0. */
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
 * Limits the requests per minute of each client (RATE-01, RATE-02). At most `maxClients` are remembered; the client
 * that was counted longest ago is forgotten first.
 */
export class RateLimiter<Client> {
  readonly #limit: number
  readonly #shape: Unspecified['rateWindow']
  readonly #countRefused: boolean
  readonly #maxClients: number
  /** In the order in which clients were last counted. */
  readonly #windows = new Map<Client, { window: Window; countedAt: number }>()

  constructor(
    limit: number,
    { rateWindow, refusedRequestCounts }: Pick<Unspecified, 'rateWindow' | 'refusedRequestCounts'>,
    maxClients = 50_000,
  ) {
    this.#limit = limit
    this.#shape = rateWindow
    this.#countRefused = refusedRequestCounts === 'true'
    this.#maxClients = maxClients
  }

  /** Number of clients remembered. */
  get size(): number {
    return this.#windows.size
  }

  /** Counts a request if it fits. Returns whether it fits. */
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
      return entry.window.take(now, this.#countRefused)
    }
    const taken = entry.window.take(now, this.#countRefused)
    if ((taken || this.#countRefused) && now - entry.countedAt >= REORDER_MS) {
      this.#windows.delete(client)
      this.#windows.set(client, entry)
      entry.countedAt = now
    }
    return taken
  }

  /** Whether one more request would fit, without counting it. */
  fits(client: Client, now: number): boolean {
    return this.#windows.get(client)?.window.fits(now) ?? true
  }

  clear(): void {
    this.#windows.clear()
  }

  /** Drops expired windows, and the oldest ones while there are too many. */
  #forget(now: number): void {
    for (const [client, { countedAt }] of this.#windows) {
      if (this.#windows.size < this.#maxClients && now - countedAt < WINDOW_MS + REORDER_MS) return
      this.#windows.delete(client)
    }
  }
}

/** A client moves to the end of the order at most once in this time, since moving it on every request is slow. */
const REORDER_MS = 1000

/** 429 with the documented `Retry-After` (RATE-01, RATE-02). */
export const rateLimited = (message: string): ServiceError =>
  new ServiceError('rate_limited', message, undefined, { 'retry-after': String(LIMITS.retryAfterSeconds) })
