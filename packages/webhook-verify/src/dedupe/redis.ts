import { checkOptions, type OptionNames } from '../verification/check-options.ts'
import { createDedupe, DEDUPE_OPTIONS, type Dedupe, type DedupeOptions } from './dedupe.ts'
import { createRedisStore, type RedisClientLike } from './redis-store.ts'

export type * from '../types.ts'
export type { Claim, Dedupe, DedupeOptions, DedupeStore, WonClaim } from './dedupe.ts'
export { createRedisStore, type RedisClientLike } from './redis-store.ts'

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
