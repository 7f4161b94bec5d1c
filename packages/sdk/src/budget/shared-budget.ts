/** A rate budget whose slots are in a store outside of the process. */
import { randomUUID } from 'node:crypto'
import { type Clock, sleep } from '@formwire/internal/clock'
import { ConnectionError, UsageError } from '../errors/client-errors.ts'
import { type FormwireError, guardOf } from '../errors/formwire-error.ts'
import { type Budget, type BudgetStore, type Claim, queue, type Waiter } from '../http/rate-budget.ts'

/** The store of the rate budget is unavailable, so that no request was sent. A later attempt may succeed; polls wait for it. */
export class BudgetUnavailableError extends ConnectionError {
  static override readonly kind: string = 'BudgetUnavailableError'
}

/** Whether a value is a {@link BudgetUnavailableError}, from any copy of the package. @function */
export const isBudgetUnavailableError = /* @__PURE__ */ guardOf(BudgetUnavailableError)

/** Time after which the slot of a request that ended is free (RATE-01). */
export const WINDOW_MS = 60_000
/** Longest time that the slot of a request in flight is kept after its process died, in addition to the window. */
const MAX_IN_FLIGHT_MS = 600_000
/** Time after which a command without a reply counts as failed. */
const REPLY_MS = 5000
/** Time for which calls wait for an unavailable store, and the wait between attempts. */
const PATIENCE_MS = 10_000
const RETRY_MS = 500

/** The reply to a request for a slot. */
interface TakeReply {
  granted: boolean
  /** Milliseconds until the next slot may be free. */
  waitMs: number
  /** Milliseconds for which a 429 blocks the key. */
  heldMs: number
  /** Free slots. */
  remaining: number
}

/** Keeps the slots of one key for all processes. Every method is atomic and works by the clock of the store. */
export interface SlotStore {
  /** Takes the slot if one is free under the limit and no 429 blocks the key. It is free again after the lease. */
  take(slot: string, limit: number, leaseMs: number): Promise<TakeReply>
  /** Frees a slot a minute from now. Adds it again if it expired: the request may have arrived late. */
  end(slot: string): Promise<unknown>
  /** Frees a slot that was not used. */
  release(slot: string): Promise<unknown>
  /** Grants no slot for the time. */
  hold(waitMs: number): Promise<unknown>
  /** Describes a failure of the methods. */
  failure(cause: Error): { message: string; code: string | undefined; isPermanent: boolean }
}

/** Returns a store that opens the slots of each key once. */
export function budgetStore(open: (id: number) => SlotStore): BudgetStore {
  const budgets = new WeakMap<Clock, Map<number, SharedBudget>>()
  return {
    budget(id, clock) {
      const known = budgets.get(clock) ?? new Map<number, SharedBudget>()
      budgets.set(clock, known)
      const budget = known.get(id) ?? new SharedBudget(open(id >>> 0), clock)
      known.set(id, budget)
      return budget
    },
  }
}

class SharedBudget implements Budget {
  readonly #store: SlotStore
  readonly #clock: Clock
  /** In order of priority, then of arrival. */
  readonly #waiters: Waiter[] = []
  /** Slots of the requests in flight, oldest first. Any of them may be returned first: they differ in when they expire only. */
  readonly #slots: string[] = []
  #heldUntil = 0
  #nextAt = 0
  /** Free slots in the last reply, and when it came. */
  #remaining = 0
  #repliedAt = Number.NEGATIVE_INFINITY
  #isPumping = false
  #nap = new AbortController()
  /** When the store began to fail. */
  #failingSince: number | undefined

  constructor(store: SlotStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Free slots as of the last reply of the store. */
  remaining(perMinute: number, now = this.#clock.now()): number {
    if (now < this.#heldUntil) return 0
    return now >= this.#repliedAt + WINDOW_MS ? perMinute : Math.min(perMinute, this.#remaining)
  }

  get heldUntil(): number {
    return this.#heldUntil
  }

  nextAt(): number {
    return Math.max(this.#clock.now(), this.#heldUntil, this.#nextAt)
  }

  hold(waitMs: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + waitMs)
    // This process knows already. If the store fails, the others receive a 429 of their own.
    this.#run(() => this.#store.hold(waitMs)).catch(() => undefined)
  }

  /** No slot is free without asking the store. */
  tryStart(): boolean {
    return false
  }

  start(claim: Claim): Promise<boolean> {
    if (claim.signal?.aborted || this.#heldUntil >= claim.deadline) return Promise.resolve(false)
    const granted = queue(this.#waiters, claim, this.#clock, () => {
      if (this.#waiters.length === 0) this.#nap.abort()
    })
    if (!this.#isPumping) void this.#pump()
    return granted
  }

  end(): void {
    const slot = this.#slots.shift()
    // If the store fails, the slot expires.
    if (slot) this.#run(() => this.#store.end(slot)).catch(() => undefined)
  }

  /** Takes slots, one after the other, until nothing waits. */
  async #pump(): Promise<void> {
    this.#isPumping = true
    for (let first = this.#waiters[0]; first; first = this.#waiters[0]) {
      let waitMs: number
      try {
        waitMs = await this.#take(first)
        this.#failingSince = undefined
      } catch (error) {
        waitMs = this.#fail(error as FormwireError)
      }
      if (waitMs > 0 && this.#waiters.length > 0) {
        this.#nap = new AbortController()
        await sleep(this.#clock, waitMs, this.#nap.signal)
      }
    }
    this.#isPumping = false
  }

  /** Takes a slot for the waiter that is first by then. Returns the milliseconds until the next one may be free. */
  async #take({ perMinute, timeoutMs = MAX_IN_FLIGHT_MS }: Claim): Promise<number> {
    const slot = randomUUID()
    const leaseMs = WINDOW_MS + Math.min(timeoutMs, MAX_IN_FLIGHT_MS)
    const release = (): void => void this.#run(() => this.#store.release(slot)).catch(() => undefined)
    const take = () => this.#store.take(slot, Math.floor(perMinute), leaseMs)
    const { granted, waitMs, heldMs, remaining } = await this.#run(take, release)
    const now = this.#clock.now()
    this.#repliedAt = now
    this.#remaining = remaining
    if (heldMs > 0) this.#heldUntil = Math.max(this.#heldUntil, now + heldMs)
    if (!granted) {
      this.#nextAt = now + waitMs
      return Math.max(1, waitMs)
    }
    const waiter = this.#waiters[0]
    if (waiter && now >= this.#heldUntil) {
      this.#slots.push(slot)
      waiter.leave(true)
      return 0
    }
    release()
    return Math.max(0, this.#heldUntil - now)
  }

  /** Rejects what waits if a retry is pointless. Returns the milliseconds until the next attempt. */
  #fail(error: FormwireError): number {
    const now = this.#clock.now()
    this.#failingSince ??= now
    const isPatient = error instanceof BudgetUnavailableError && now - this.#failingSince < PATIENCE_MS
    if (isPatient) return RETRY_MS
    this.#failingSince = undefined
    const rejected = Promise.reject(error)
    rejected.catch(() => undefined) // also without a waiter
    for (const waiter of [...this.#waiters]) waiter.leave(rejected)
    return 0
  }

  /** Runs a command. `late` is called if its reply comes after the error. @throws BudgetUnavailableError @throws UsageError */
  async #run<Reply>(command: () => Promise<Reply>, late?: () => void): Promise<Reply> {
    let cancel: (() => void) | undefined
    try {
      const reply = command()
      const timeout = new Promise<never>((_, reject) => {
        cancel = this.#clock.setTimer(() => {
          reply.then(late, () => undefined)
          reject(Object.assign(new Error(`No reply within ${REPLY_MS} ms`), { code: 'ETIMEDOUT' }))
        }, REPLY_MS)
      })
      return await Promise.race([reply, timeout])
    } catch (cause) {
      const { message, code, isPermanent } = this.#store.failure(cause as Error)
      if (isPermanent) throw new UsageError(message, {}, { cause })
      throw new BudgetUnavailableError(message, { maybeSent: false, systemCode: code }, { cause })
    } finally {
      cancel?.()
    }
  }
}
