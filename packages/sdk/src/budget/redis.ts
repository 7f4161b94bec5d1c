/** One rate budget for all processes that share a Redis. */
import { checkMethods, checkNames } from '../check-arguments.ts'
import type { BudgetStore } from '../http/rate-budget.ts'
import { isPermanent, type RedisClient } from '../redis-client.ts'
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

// Redis runs each script atomically. KEYS[1] is a sorted set of slots by the instant at which they are free again, KEYS[2] the instant
// until which a 429 blocks the key. ARGV[1] is the time, or empty for that of Redis, which all processes share.

const NOW = `
local now = tonumber(ARGV[1])
local isReal = not now
if isReal then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local function keep(key, ms)
  if isReal and redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, math.ceil(ms) + 1000) end
end`

/** ARGV: slot, limit, lease. Returns whether it was taken, the wait, the hold, and the free slots. */
const TAKE = `${NOW}
local limit = tonumber(ARGV[3])
local lease = tonumber(ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local used = redis.call('ZCARD', KEYS[1])
local held = math.max(0, tonumber(redis.call('GET', KEYS[2]) or '0') - now)
if held == 0 and used < limit then
  redis.call('ZADD', KEYS[1], string.format('%.3f', now + lease), ARGV[2])
  keep(KEYS[1], lease)
  return { 1, 0, 0, limit - used - 1 }
end
local wait = held
if used >= limit then
  local first = redis.call('ZRANGE', KEYS[1], used - limit, used - limit, 'WITHSCORES')
  -- A request in flight may end now, which frees its slot a minute later.
  wait = math.max(wait, math.min(60000, tonumber(first[2]) - now))
end
return { 0, math.ceil(wait), math.ceil(held), math.max(0, limit - used) }`

/** ARGV: slot. Adds it again if it expired: the request may have arrived late. */
const END = `${NOW}
redis.call('ZADD', KEYS[1], string.format('%.3f', now + 60000), ARGV[2])
keep(KEYS[1], 60000)
return 1`

/** ARGV: slot, which was not used. */
const RELEASE = `return redis.call('ZREM', KEYS[1], ARGV[2])`

/** ARGV: milliseconds. */
const HOLD = `${NOW}
local until_ = now + tonumber(ARGV[2])
if until_ > tonumber(redis.call('GET', KEYS[2]) or '0') then
  redis.call('SET', KEYS[2], string.format('%.3f', until_))
  keep(KEYS[2], tonumber(ARGV[2]))
end
return 1`

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
      // biome-ignore lint/plugin: Redis begins its texts with their code
      const code = /^[A-Z]{3,}\b/.exec(cause.message)?.[0]
      return {
        message: `Redis failed at the rate budget ${slots}${code ? ` (${code})` : ''}; nothing was sent. See "cause".`,
        code,
        isPermanent: isPermanent(client, cause),
      }
    },
  }
}
