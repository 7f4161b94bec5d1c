import { backoffMs } from '@formwire/internal/backoff'
import type { Clock } from '@formwire/internal/clock'

/** A failure that is tried again. */
export interface Retry {
  /** Number of consecutive failures, from 1. */
  attempt: number
  waitMs: number
}

/** A wait is so many times as long as the attempt that failed, so that most of the time is left for everything else. */
const WAIT_FACTOR = 10

/** What failed, and when to try it again: after 1 s, doubling up to a minute, and longer after an attempt that took long. */
export class Failures<Key> {
  readonly #clock: Clock
  readonly #random: () => number
  readonly #failed = new Map<Key, { attempts: number; retryAt: number }>()

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  add(key: Key, error: unknown, tookMs = 0): Retry {
    const attempt = (this.#failed.get(key)?.attempts ?? 0) + 1
    const waitMs = Math.max(pauseMs(error, attempt, this.#random), WAIT_FACTOR * tookMs)
    this.#failed.set(key, { attempts: attempt, retryAt: this.#clock.now() + waitMs })
    return { attempt, waitMs }
  }

  /** Forgets the failures of a key. Returns whether there were any. */
  delete(key: Key): boolean {
    return this.#failed.delete(key)
  }

  has(key: Key): boolean {
    return this.#failed.has(key)
  }

  /** When a key may be tried again. */
  retryAt(key: Key): number {
    return this.#failed.get(key)?.retryAt ?? 0
  }

  /** When the first key may be tried again; infinity if nothing failed. */
  get nextAt(): number {
    return Math.min(...[...this.#failed.values()].map(({ retryAt }) => retryAt))
  }

  keys(): IterableIterator<Key> {
    return this.#failed.keys()
  }
}

/** Longest pause during an outage, in milliseconds. */
const MAX_PAUSE_MS = 60_000

/** Returns the milliseconds to wait after failed attempt `attempt`: that of a 429, otherwise 1 s doubling up to a minute, with jitter. */
export function pauseMs(error: unknown, attempt: number, random: () => number): number {
  const { retryAfterMs } = Object(error) as { retryAfterMs?: unknown }
  if (typeof retryAfterMs === 'number') return Math.ceil(retryAfterMs)
  return Math.round(backoffMs(attempt, 1000, MAX_PAUSE_MS, 0.5, random))
}
