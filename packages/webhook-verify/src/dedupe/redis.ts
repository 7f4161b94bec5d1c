import { checkOption, checkOptions, type OptionNames } from '../verification/check-options.ts'
import {
  type ClaimState,
  createDedupe,
  DEDUPE_OPTIONS,
  type Dedupe,
  type DedupeOptions,
  type DedupeStore,
} from './dedupe.ts'

export type * from '../types.ts'
export type { Claim, Dedupe, DedupeOptions, DedupeStore, WonClaim } from './dedupe.ts'

/** The part of a connected client of the `redis` package (4 and later) that is used. */
export interface RedisClientLike {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** Options of {@link createRedisDedupe}. */
export interface RedisDedupeOptions extends DedupeOptions {
  /** Prefix of every key. @default 'formwire:dedupe:' */
  prefix?: string | undefined
}

const REDIS_OPTIONS: OptionNames<RedisDedupeOptions> = { ...DEDUPE_OPTIONS, prefix: true }

/**
 * Handles each delivery once across all processes that share a Redis.
 * @param client a connected client of the `redis` package.
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL }).connect()
 * createReceiver({ secret, dedupe: createRedisDedupe(client), on })
 */
export function createRedisDedupe(client: RedisClientLike, options: RedisDedupeOptions = {}): Dedupe {
  checkOptions(options, REDIS_OPTIONS)
  const { prefix, ...rest } = options
  return createDedupe(createRedisStore(client, prefix), rest)
}

// Redis runs each script atomically. A value is "done", or "claim:" and the owner. Redis expires the keys, so the clocks
// of the processes do not matter.

const CLAIM = `
local state = 'claimed'
for _, key in ipairs(KEYS) do
  local value = redis.call('GET', key)
  if value == 'done' then return 'completed' end
  if value then state = 'in_progress' end
end
if state == 'claimed' then
  for _, key in ipairs(KEYS) do redis.call('SET', key, 'claim:' .. ARGV[1], 'PX', ARGV[2]) end
end
return state`

const COMPLETE = `
local all = 1
for _, key in ipairs(KEYS) do
  local value = redis.call('GET', key)
  if not value or value == 'done' or value == 'claim:' .. ARGV[1] then
    redis.call('SET', key, 'done', 'PX', ARGV[2])
  else
    all = 0
  end
end
return all`

const RELEASE = `
local all = 1
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == 'claim:' .. ARGV[1] then redis.call('DEL', key) else all = 0 end
end
return all`

/**
 * Creates a store in Redis, shared by all processes with the same prefix. Works with Redis 2.6 and later, Valkey, and a
 * cluster, without modules.
 * @param prefix prefix of every key. Default `formwire:dedupe:`.
 */
export function createRedisStore(client: RedisClientLike, prefix = 'formwire:dedupe:'): DedupeStore {
  checkOption(typeof prefix === 'string', 'prefix', 'a string', prefix)
  const run = (script: string, keys: readonly string[], ...args: string[]) =>
    client.eval(script, { keys: keys.map((key) => prefix + key), arguments: args })
  return {
    async claim(keys, owner, claimMs) {
      return String(await run(CLAIM, keys, owner, String(claimMs))) as ClaimState
    },
    async complete(keys, owner, keepMs) {
      return Number(await run(COMPLETE, keys, owner, String(keepMs))) === 1
    },
    async release(keys, owner) {
      return Number(await run(RELEASE, keys, owner)) === 1
    },
  }
}
