/** One rate budget for all processes that share a Redis. */
import { randomUUID } from 'node:crypto'
import { type Clock, sleep } from '@formwire/internal/clock'
import { checkMethods, checkNames } from '../check-arguments.ts'
import { ConnectionError, UsageError } from '../errors/client-errors.ts'
import { type FormwireError, guardOf } from '../errors/formwire-error.ts'
import { type Budget, type BudgetStore, type Claim, queue, type Waiter } from '../http/rate-budget.ts'
import { isPermanent, type RedisClient } from '../redis-client.ts'
import { END, HOLD, RELEASE, TAKE } from './scripts.ts'

export type { RedisClient } from '../redis-client.ts'

/** The store of the rate budget is unavailable, so that no request was sent. A later attempt may succeed; polls wait for it. */
export class BudgetUnavailableError extends ConnectionError {
  static override readonly kind: string = 'BudgetUnavailableError'
}

/** Whether a value is a {@link BudgetUnavailableError}, from any copy of the package. @function */
export const isBudgetUnavailableError = /* @__PURE__ */ guardOf(BudgetUnavailableError)

/** Options of {@link redisBudget}. */
export interface RedisBudgetOptions {
  /** Connected client. The store never closes it. Redis 5 or newer. */
  client: RedisClient
  /** Prefix of all Redis keys. @default 'formwire:budget' */
  prefix?: string | undefined
  /** Milliseconds since the Unix epoch, the same in all processes, for tests. @default the clock of Redis */
  now?: (() => number) | undefined
}

/** Time after which the slot of a request that ended is free (RATE-01). */
const WINDOW_MS = 60_000
/** Longest time that the slot of a request in flight is kept after its process died, in addition to the window. */
const MAX_IN_FLIGHT_MS = 600_000
/** Time after which a command without a reply counts as failed. */
const REPLY_MS = 5000
/** Time for which calls wait for an unavailable Redis, and the wait between attempts. */
const PATIENCE_MS = 10_000
const RETRY_MS = 500

/**
 * Shares the rate budget of a key between all processes with the same Redis and prefix, so that together they never send more than
 * `perMinute` requests within a minute. A 429 in one process holds all of them. Within a process, writes go before reads, and reads
 * before polling. Redis contains a hash of the key only.
 *
 * Nothing is sent without a slot: if Redis is unavailable, calls wait 10 s for it and then reject with BudgetUnavailableError. Polls
 * pause and continue.
 *
 * @example
 * const client = await createClient({ url: 'redis://localhost:6379' }).connect()
 * const formwire = new Formwire({ rateLimit: { perMinute: 120, store: redisBudget({ client }) } })
 * @throws UsageError if an option name is unknown or `client` is not a client.
 */
export function redisBudget(options: RedisBudgetOptions): BudgetStore {
  checkNames('redisBudget()', options, ['client', 'prefix', 'now'])
  const { client, prefix = 'formwire:budget', now } = options
  checkMethods('client', client, ['eval'], 'a connected client of the package redis')
  if (now !== undefined) checkMethods('now', now, ['call'], 'a function')
  const budgets = new WeakMap<Clock, Map<number, RedisBudget>>()
  return {
    budget(id, clock) {
      const known = budgets.get(clock) ?? new Map<number, RedisBudget>()
      budgets.set(clock, known)
      // In braces, so that both keys are on one node of a cluster.
      const budget = known.get(id) ?? new RedisBudget(client, `${prefix}:{${id >>> 0}}`, clock, now)
      known.set(id, budget)
      return budget
    },
  }
}

class RedisBudget implements Budget {
  readonly #client: RedisClient
  readonly #keys: [slots: string, held: string]
  readonly #clock: Clock
  readonly #now: (() => number) | undefined
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
  /** When Redis began to fail. */
  #failingSince: number | undefined

  constructor(client: RedisClient, stem: string, clock: Clock, now: (() => number) | undefined) {
    this.#client = client
    this.#keys = [`${stem}:slots`, `${stem}:held`]
    this.#clock = clock
    this.#now = now
  }

  /** Free slots as of the last reply of Redis. */
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
    // This process knows already. If Redis fails, the others receive a 429 of their own.
    this.#run(HOLD, [String(waitMs)]).catch(() => undefined)
  }

  /** No slot is free without asking Redis. */
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
    // If Redis fails, the slot expires.
    if (slot) this.#run(END, [slot]).catch(() => undefined)
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
    const release = (): void => void this.#run(RELEASE, [slot]).catch(() => undefined)
    const reply = await this.#run(TAKE, [slot, String(Math.floor(perMinute)), String(leaseMs)], release)
    const [granted, waitMs, heldMs, remaining] = (reply as unknown[]).map(Number) as [
      number,
      number,
      number,
      number,
    ]
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

  /** Runs a script. `late` is called if its reply comes after the error. @throws BudgetUnavailableError @throws UsageError */
  async #run(script: string, args: string[], late?: () => void): Promise<unknown> {
    const client = this.#client
    const keys = [...this.#keys]
    let cancel: (() => void) | undefined
    try {
      if (client.isOpen === false) throw new Error('The client is closed')
      if (client.isReady === false) throw new Error('The client is reconnecting')
      const now = this.#now?.()
      const reply = client.eval(script, { keys, arguments: [now === undefined ? '' : String(now), ...args] })
      const timeout = new Promise<never>((_, reject) => {
        cancel = this.#clock.setTimer(() => {
          reply.then(late, () => undefined)
          reject(new Error(`No reply within ${REPLY_MS} ms`))
        }, REPLY_MS)
      })
      return await Promise.race([reply, timeout])
    } catch (cause) {
      const code = /^[A-Z]{3,}\b/.exec((cause as Error).message)?.[0]
      const text = `Redis failed at the rate budget ${keys[0]}${code ? ` (${code})` : ''}; nothing was sent. See "cause".`
      if (isPermanent(client, cause as Error)) throw new UsageError(text, {}, { cause })
      throw new BudgetUnavailableError(text, { maybeSent: false, systemCode: code }, { cause })
    } finally {
      cancel?.()
    }
  }
}
