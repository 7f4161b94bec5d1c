/** One rate budget for all processes that share a Redis. */
import { checkMethods, checkNames } from '../check-arguments.ts'
import type { BudgetStore } from '../http/rate-budget.ts'
import { isPermanent, type RedisClient } from '../redis-client.ts'
import { END, HOLD, RELEASE, TAKE } from './scripts.ts'
import { budgetStore, type SlotStore } from './shared-budget.ts'

export type { RedisClient } from '../redis-client.ts'
export { BudgetUnavailableError, isBudgetUnavailableError } from './shared-budget.ts'

/** Options of {@link redisBudget}. */
export interface RedisBudgetOptions {
  /** Connected client. The store never closes it. Redis 5 or newer. */
  client: RedisClient
  /** Prefix of all Redis keys. @default 'formwire:budget' */
  prefix?: string | undefined
  /** Milliseconds since the Unix epoch, the same in all processes, for tests. @default the clock of Redis */
  now?: (() => number) | undefined
}

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
  // In braces, so that both keys are on one node of a cluster.
  return budgetStore((id) => redisSlots(client, `${prefix}:{${id}}`, now))
}

function redisSlots(client: RedisClient, stem: string, now: (() => number) | undefined): SlotStore {
  const slots = `${stem}:slots`
  const run = async (script: string, ...args: (string | number)[]): Promise<unknown> => {
    if (client.isOpen === false) throw new Error('The client is closed')
    if (client.isReady === false) throw new Error('The client is reconnecting')
    const time = now === undefined ? '' : now()
    return await client.eval(script, {
      keys: [slots, `${stem}:held`],
      arguments: [time, ...args].map(String),
    })
  }
  return {
    async take(slot, limit, leaseMs) {
      const reply = (await run(TAKE, slot, limit, leaseMs)) as unknown[]
      const [granted, waitMs, heldMs, remaining] = reply.map(Number) as [number, number, number, number]
      return { granted: granted === 1, waitMs, heldMs, remaining }
    },
    end: (slot) => run(END, slot),
    release: (slot) => run(RELEASE, slot),
    hold: (waitMs) => run(HOLD, waitMs),
    failure(cause) {
      const code = /^[A-Z]{3,}\b/.exec(cause.message)?.[0]
      return {
        message: `Redis failed at the rate budget ${slots}${code ? ` (${code})` : ''}; nothing was sent. See "cause".`,
        code,
        isPermanent: isPermanent(client, cause),
      }
    },
  }
}
