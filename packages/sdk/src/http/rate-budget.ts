import { type Clock, systemClock } from '../clock.ts'

/** Span over which the service counts requests (RATE-01). */
const WINDOW_MS = 60_000

/** Who goes first when the budget is short: writes, then reads, then polling. */
export type Priority = 0 | 1 | 2

/** What one request asks of the budget. */
export interface Claim {
  priority: Priority
  /** Requests a minute; `Infinity` when the caller switched the budget off. */
  perMinute: number
  /** Instant in milliseconds by which the request must have started. */
  deadline: number
  signal: AbortSignal | undefined
}

interface Waiter extends Claim {
  settle(granted: boolean): void
}

/**
 * The requests of one key in the last minute. The service counts a request when it arrives, which lies between sending and
 * answer; a place is therefore free again a minute after the answer, and never sooner than the service sees it.
 */
export class RateBudget {
  readonly #clock: Clock
  /** When answers came, oldest first; those before `#head` are over. */
  #answeredAt: number[] = []
  #head = 0
  #inFlight = 0
  #heldUntil = 0
  #waiters: Waiter[] = []
  #cancelWake: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Requests that may start right now under this limit. */
  remaining(perMinute: number): number {
    const now = this.#clock.now()
    if (now < this.#heldUntil) return 0
    return Math.max(0, perMinute - this.#used(now))
  }

  /** Instant in milliseconds until which a 429 holds the key back; in the past when nothing does. */
  get heldUntil(): number {
    return this.#heldUntil
  }

  /** Nothing is counted, held or waiting: forgetting it loses nothing. */
  get idle(): boolean {
    const now = this.#clock.now()
    return this.#used(now) === 0 && this.#waiters.length === 0 && now >= this.#heldUntil
  }

  /** A 429 came: no request of the key starts for this long. */
  hold(waitMs: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + waitMs)
    this.#pump()
  }

  /** Takes a place at once if there is one. Every granted place is given back with {@link end}. */
  tryStart({ priority, perMinute, signal }: Claim, now = this.#clock.now()): boolean {
    if (signal?.aborted) return false
    if (this.#waiters.some((waiter) => waiter.priority <= priority)) return false
    if (now < this.#heldUntil || this.#used(now) >= perMinute) return false
    this.#inFlight += 1
    return true
  }

  /** Waits for a place; `false` when the caller aborts or the deadline comes first. */
  start(claim: Claim): Promise<boolean> {
    if (this.tryStart(claim)) return Promise.resolve(true)
    // A hold is certain; a full window is not, since other requests may fail to start.
    if (claim.signal?.aborted || this.#heldUntil >= claim.deadline) return Promise.resolve(false)
    return new Promise((resolve) => {
      const giveUp = (): void => waiter.settle(false)
      const cancelTimer = Number.isFinite(claim.deadline)
        ? this.#clock.setTimer(giveUp, claim.deadline - this.#clock.now())
        : undefined
      const waiter: Waiter = {
        ...claim,
        settle: (granted) => {
          const index = this.#waiters.indexOf(waiter)
          if (index < 0) return
          this.#waiters.splice(index, 1)
          cancelTimer?.()
          claim.signal?.removeEventListener('abort', giveUp)
          resolve(granted)
          if (!granted) this.#pump()
        },
      }
      claim.signal?.addEventListener('abort', giveUp)
      const place = this.#waiters.findIndex((other) => other.priority > claim.priority)
      this.#waiters.splice(place < 0 ? this.#waiters.length : place, 0, waiter)
      this.#pump()
    })
  }

  /** The attempt is over, with an answer or without. */
  end(now = this.#clock.now()): void {
    this.#inFlight -= 1
    this.#answeredAt.push(now)
    if (this.#waiters.length > 0) this.#pump()
  }

  #used(now: number): number {
    const answered = this.#answeredAt
    while (this.#head < answered.length && (answered[this.#head] as number) <= now - WINDOW_MS)
      this.#head += 1
    // Half of it at least, so that each entry is moved once on average.
    if (this.#head > 1024 && this.#head * 2 > answered.length) {
      this.#answeredAt = answered.slice(this.#head)
      this.#head = 0
    }
    return this.#answeredAt.length - this.#head + this.#inFlight
  }

  /** Instant in milliseconds at which a place may be free. */
  nextAt(perMinute: number): number {
    const now = this.#clock.now()
    const over = this.#used(now) - perMinute
    // With enough requests in flight the next place appears when one of them ends, not at a known instant.
    const freeAt = over < 0 ? now : (this.#answeredAt[this.#head + over] ?? now) + WINDOW_MS
    return Math.max(this.#heldUntil, freeAt)
  }

  #pump(): void {
    this.#cancelWake?.()
    this.#cancelWake = undefined
    for (;;) {
      const first = this.#waiters[0]
      if (!first) return
      const now = this.#clock.now()
      if (now < this.#heldUntil || this.#used(now) >= first.perMinute) {
        const waitMs = Math.max(1, this.nextAt(first.perMinute) - now)
        this.#cancelWake = this.#clock.setTimer(() => this.#pump(), waitMs)
        return
      }
      this.#inFlight += 1
      first.settle(true)
    }
  }
}

/** How many budgets are kept before idle ones are forgotten. */
const MAX_IDLE_BUDGETS = 1000

/** Budgets by the hash of service and key. */
interface Registry {
  process: Map<number, RateBudget>
  /** Apart from the process: clocks of tests, and services that live behind a `fetch` of their own. */
  apart: WeakMap<object, Map<number, RateBudget>>
}

/** Shared through the registry of symbols: ESM and CommonJS copies in one process count together. */
const REGISTRY = Symbol.for('@formwire/sdk/rate-budgets')

/**
 * The budget of a key at a service, one in the process. Only a hash of the key is kept.
 *
 * @param realm what the service is reached through when its URL says nothing, as in-process servers are; else nothing.
 */
export function sharedBudget(id: number, clock: Clock, realm: object | undefined): RateBudget {
  const budgets = budgetsOf(clock === systemClock ? realm : clock)
  const known = budgets.get(id)
  if (known) return known
  if (budgets.size >= MAX_IDLE_BUDGETS) {
    for (const [other, candidate] of budgets) if (candidate.idle) budgets.delete(other)
  }
  const budget = new RateBudget(clock)
  budgets.set(id, budget)
  return budget
}

function budgetsOf(realm: object | undefined): Map<number, RateBudget> {
  const shared = globalThis as unknown as Record<symbol, Registry | undefined>
  shared[REGISTRY] ??= { process: new Map(), apart: new WeakMap() }
  const registry = shared[REGISTRY]
  if (!realm) return registry.process
  const budgets = registry.apart.get(realm) ?? new Map<number, RateBudget>()
  registry.apart.set(realm, budgets)
  return budgets
}

/** FNV-1a, 32 bits. Two keys with one hash would share a budget, which slows them down and does no harm. */
export function budgetId(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}
