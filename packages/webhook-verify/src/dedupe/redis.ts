import { createDedupe, type Dedupe, type DedupeOptions } from './dedupe.ts'
import { createRedisStore, type RedisClientLike } from './redis-store.ts'

export type { Claim, Dedupe, DedupeOptions, WonClaim } from './dedupe.ts'
export { createRedisStore, type RedisClientLike } from './redis-store.ts'
export type { DedupeStore } from './store.ts'

/** Options of {@link createRedisDedupe}. */
export interface RedisDedupeOptions extends DedupeOptions {
  /** Put in front of every key. @default 'formwire:dedupe:' */
  prefix?: string | undefined
}

/**
 * Each delivery once over all processes that share a Redis.
 * @param client a connected client of the `redis` package.
 */
export function createRedisDedupe(client: RedisClientLike, options: RedisDedupeOptions = {}): Dedupe {
  return createDedupe(createRedisStore(client, options.prefix), options)
}
