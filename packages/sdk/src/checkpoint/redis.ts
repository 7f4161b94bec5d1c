/** Checkpoints in Redis. A lease lets one of several pollers run, and a fence rejects the saves of a poller that lost its lease. */
import { checkMethods, checkNames } from '../check-arguments.ts'
import { CheckpointError } from '../errors/client-errors.ts'
import type { CheckpointStore } from '../polling/checkpoint.ts'
import { isPermanent, type RedisClient as ScriptClient } from '../redis-client.ts'
import { type LeaseOptions, type LeaseStore, leasedCheckpoint } from './leased-checkpoint.ts'

/** The parts of a client of the `redis` package, version 5 or 6, that the store uses. */
export interface RedisClient extends ScriptClient {
  get(key: string): Promise<unknown>
}

/** Options of {@link redisCheckpoint}. */
export interface RedisCheckpointOptions extends LeaseOptions {
  /** Connected client. The store never closes it. */
  client: RedisClient
  /** Prefix of all Redis keys. @default 'formwire:checkpoint' */
  prefix?: string | undefined
}

const ACQUIRE = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  redis.call('SET', KEYS[2], ARGV[1])
  return 1
end
return 0`

const RENEW = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`

const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`

// The fence contains the token of the latest lease. While it is ours, no other poller has started, even if our lease expired. A token
// rather than a counter, which would restart and repeat values after Redis lost its data.
const SAVE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('SET', KEYS[2], ARGV[2])
  return 1
end
return 0`

const SAVE_UNFENCED = `redis.call('SET', KEYS[1], ARGV[1]) return 1`

/**
 * Returns a store that keeps each state in the Redis key `<prefix>:{<key>}:state`. The braces keep the three Redis keys of a state on
 * one node of a cluster.
 *
 * @example
 * const client = await createClient({ url: 'redis://localhost:6379' }).connect()
 * formwire.responses.poll(formId, { checkpoint: redisCheckpoint({ client }) })
 * @throws UsageError if an option name is unknown or `client` is not a client. @throws CheckpointError if `leaseMs` is too short.
 */
export function redisCheckpoint(options: RedisCheckpointOptions): CheckpointStore {
  checkNames('redisCheckpoint()', options, ['client', 'prefix', 'leaseMs', 'owner'])
  const { client, prefix = 'formwire:checkpoint', leaseMs, owner } = options
  checkMethods('client', client, ['get', 'eval'], 'a connected client of the package redis')
  const names = (key: string) => {
    const stem = `${prefix}:{${key}}`
    return { state: `${stem}:state`, lease: `${stem}:lease`, fence: `${stem}:fence` }
  }
  const store: LeaseStore = {
    async load(key) {
      const { state } = names(key)
      const text = await send(client, state, () => client.get(state))
      return text === null || text === undefined ? undefined : String(text)
    },
    save: (key, state) => evaluate(client, SAVE_UNFENCED, [names(key).state], [state]),
    acquire(key, token, leaseMs) {
      const { lease, fence } = names(key)
      return evaluate(client, ACQUIRE, [lease, fence], [token, String(leaseMs)])
    },
    renew: (key, token, leaseMs) => evaluate(client, RENEW, [names(key).lease], [token, String(leaseMs)]),
    release: (key, token) => evaluate(client, RELEASE, [names(key).lease], [token]),
    saveFenced(key, token, state) {
      const { fence, state: name } = names(key)
      return evaluate(client, SAVE, [fence, name], [token, state])
    },
    place: (key) => `${names(key).state} in Redis`,
  }
  return leasedCheckpoint(store, { leaseMs, owner })
}

/** Sends a command. @throws CheckpointError with the reason "unavailable" if a retry may succeed. */
async function send<Reply>(client: RedisClient, name: string, command: () => Promise<Reply>): Promise<Reply> {
  try {
    if (client.isOpen !== false && client.isReady === false) throw new Error('The client is reconnecting')
    return await command()
  } catch (cause) {
    // biome-ignore lint/plugin: Redis begins its texts with their code
    const code = /\b[A-Z]{3,}\b/.exec((cause as Error).message)?.[0]
    throw new CheckpointError(
      `Redis failed at the checkpoint ${name}${code ? ` (${code})` : ''}; see "cause".`,
      { reason: isPermanent(client, cause as Error) ? undefined : 'unavailable' },
      { cause },
    )
  }
}

/** Runs a script. Returns whether its reply is 1. */
async function evaluate(
  client: RedisClient,
  script: string,
  keys: [string, ...string[]],
  args: string[],
): Promise<boolean> {
  const reply = await send(client, keys[0], () => client.eval(script, { keys, arguments: args }))
  return Number(reply) === 1
}
