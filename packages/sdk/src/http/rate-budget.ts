import type { Clock } from '@formwire/internal/clock'
import { onAbort } from '@formwire/internal/on-abort'
import { systemClock } from '../clock.ts'

/** Period over which the service counts requests (RATE-01). */
const WINDOW_MS = 60_000

/** Order of requests when the budget is short: 0 writes, 1 reads, 2 polling. */
export type Priority = 0 | 1 | 2

/** One request for a slot in the budget. */
export interface Claim {
  priority: Priority
  /** Requests per minute; `Infinity` if the budget is turned off. */
  perMinute: number
  /** Latest instant, in milliseconds, at which the request may start. */
  deadline: number
  /** Milliseconds that the request may be in flight. @default 10 minutes, for the slot of a process that died */
  timeoutMs?: number
  signal: AbortSignal | undefined
}

/** What a client uses of a budget. */
export type Budget = Pick<
  RateBudget,
  'remaining' | 'heldUntil' | 'hold' | 'tryStart' | 'start' | 'end' | 'nextAt'
>

/** Keeps budgets outside of the process. */
export interface BudgetStore {
  /** Returns the budget of a key, the same object at each call. `id` is a hash of base URL and key. */
  budget(id: number, clock: Clock): Budget
}

/** A request in a queue. */
export interface Waiter extends Claim {
  /** Ends the wait, with whether a slot was taken, or with a rejection. */
  leave(outcome: boolean | Promise<never>): void
}

/** Waits in a queue, by priority, then by arrival, until the deadline, an abort, or a call of {@link Waiter.leave}. */
export function queue(
  waiters: Waiter[],
  claim: Claim,
  clock: Clock,
  onLeave: (outcome: boolean | Promise<never>) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const giveUp = (): void => waiter.leave(false)
    const cancelTimer = Number.isFinite(claim.deadline)
      ? clock.setTimer(giveUp, claim.deadline - clock.now())
      : undefined
    const waiter: Waiter = {
      ...claim,
      leave(outcome) {
        const index = waiters.indexOf(waiter)
        if (index < 0) return
        waiters.splice(index, 1)
        cancelTimer?.()
        ignoreAbort()
        resolve(outcome)
        onLeave(outcome)
      },
    }
    const ignoreAbort = onAbort(claim.signal, giveUp)
    const index = waiters.findIndex((other) => other.priority > claim.priority)
    waiters.splice(index < 0 ? waiters.length : index, 0, waiter)
  })
}

/**
 * Counts the requests of one key in the last minute. The service counts a request when it arrives, which is between sending it and
 * receiving the response. A slot is therefore free again one minute after the response, never earlier than for the service.
 */
export class RateBudget {
  readonly #clock: Clock
  /** Instants of responses, oldest first. Those before `#head` have expired. */
  #endedAt: number[] = []
  #head = 0
  #inFlight = 0
  #heldUntil = 0
  readonly #waiters: Waiter[] = []
  #cancelWake: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns how many requests may start now under this limit. */
  remaining(perMinute: number, now = this.#clock.now()): number {
    if (now < this.#heldUntil) return 0
    return Math.max(0, perMinute - this.#used(now))
  }

  /** Instant in milliseconds until which a 429 blocks the key. In the past if nothing blocks it. */
  get heldUntil(): number {
    return this.#heldUntil
  }

  /** Whether nothing is counted, blocked or queued, so that this budget can be dropped. */
  get idle(): boolean {
    const now = this.#clock.now()
    return this.#used(now) === 0 && this.#waiters.length === 0 && now >= this.#heldUntil
  }

  /** Starts no request of the key for `waitMs`. Called after a 429. */
  hold(waitMs: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + waitMs)
    this.#pump()
  }

  /** Takes a slot if one is free. Each slot taken must be returned with {@link end}. */
  tryStart({ priority, perMinute, signal }: Claim, now = this.#clock.now()): boolean {
    if (signal?.aborted) return false
    if (this.#waiters.some((waiter) => waiter.priority <= priority)) return false
    if (this.remaining(perMinute, now) === 0) return false
    this.#inFlight += 1
    return true
  }

  /** Waits for a slot. Resolves to `false` if the caller aborts or the deadline passes first. */
  start(claim: Claim): Promise<boolean> {
    if (this.tryStart(claim)) return Promise.resolve(true)
    // Waiting out a hold is certain to miss the deadline. A full window is not: queued requests may be aborted.
    if (claim.signal?.aborted || this.#heldUntil >= claim.deadline) return Promise.resolve(false)
    const granted = queue(this.#waiters, claim, this.#clock, (outcome) => {
      if (!outcome) this.#pump()
    })
    this.#pump()
    return granted
  }

  /** Returns the slot of an attempt that ended, with or without a response. */
  end(now = this.#clock.now()): void {
    this.#inFlight -= 1
    this.#endedAt.push(now)
  }

  #used(now: number): number {
    const ended = this.#endedAt
    while (this.#head < ended.length && (ended[this.#head] as number) <= now - WINDOW_MS) this.#head += 1
    // Only when at least half has expired, so that each element is copied once on average.
    if (this.#head > 1024 && this.#head * 2 > ended.length) {
      this.#endedAt = ended.slice(this.#head)
      this.#head = 0
    }
    return this.#endedAt.length - this.#head + this.#inFlight
  }

  /** Returns the instant, in milliseconds, at which the next slot may be free. */
  nextAt(perMinute: number): number {
    const now = this.#clock.now()
    const over = this.#used(now) - perMinute
    // If requests in flight fill the budget, the next slot is free when one of them ends, at an unknown instant.
    const freeAt = over < 0 ? now : (this.#endedAt[this.#head + over] ?? now) + WINDOW_MS
    return Math.max(this.#heldUntil, freeAt)
  }

  #pump(): void {
    this.#cancelWake?.()
    this.#cancelWake = undefined
    for (;;) {
      const first = this.#waiters[0]
      if (!first) return
      const now = this.#clock.now()
      if (this.remaining(first.perMinute, now) === 0) {
        const waitMs = Math.max(1, this.nextAt(first.perMinute) - now)
        this.#cancelWake = this.#clock.setTimer(() => this.#pump(), waitMs)
        return
      }
      this.#inFlight += 1
      first.leave(true)
    }
  }
}

/** Number of budgets from which on idle ones are dropped. */
const MAX_IDLE_BUDGETS = 1000

/** Budgets by the hash of base URL and key, for each test clock, each in-process service, and the rest of the process. */
type Registry = WeakMap<object, Map<number, RateBudget>>

/** A registered symbol, so that ESM and CommonJS copies of the package share the budgets of the process. */
const REGISTRY = Symbol.for('@formwire/sdk/rate-budgets')

/**
 * Returns the budget of a key for a service, shared within the process. Stores only a hash of the key.
 *
 * @param realm the custom `fetch` or transport of an in-process service, whose URL is not unique; otherwise undefined.
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

function budgetsOf(realm: object = globalThis): Map<number, RateBudget> {
  const shared = globalThis as unknown as Record<symbol, Registry | undefined>
  shared[REGISTRY] ??= new WeakMap()
  const registry = shared[REGISTRY]
  const budgets = registry.get(realm) ?? new Map<number, RateBudget>()
  registry.set(realm, budgets)
  return budgets
}

/** Returns a 32-bit FNV-1a hash. If two keys collide they share a budget, which only slows them down. */
export function budgetId(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}
