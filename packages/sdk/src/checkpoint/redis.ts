/** Checkpoints in Redis. A lease lets one of several pollers run, and a fence rejects the saves of a poller that lost its lease. */
import { randomUUID } from 'node:crypto'
import { sleep } from '@formwire/internal/clock'
import { checkMethods, checkNames } from '../check-arguments.ts'
import { systemClock } from '../clock.ts'
import { AbortError, CheckpointError, LeaseLostError } from '../errors/client-errors.ts'
import { type CheckpointStore, type Lease, type PollState, parseState } from '../polling/checkpoint.ts'
import { isPermanent, type RedisClient as ScriptClient } from '../redis-client.ts'

// Read once: the fake timers of a test runner would stop the renewal.
const { setTimeout, clearTimeout } = globalThis

/** The parts of a client of the `redis` package, version 5 or 6, that the store uses. */
export interface RedisClient extends ScriptClient {
  get(key: string): Promise<unknown>
}

/** Options of {@link redisCheckpoint}. */
export interface RedisCheckpointOptions {
  /** Connected client. The store never closes it. */
  client: RedisClient
  /** Prefix of all Redis keys. @default 'formwire:checkpoint' */
  prefix?: string | undefined
  /**
   * Milliseconds until a lease expires without renewal, at least 30: the longest time without a poller after a crash. It is renewed
   * three times as often. @default 15_000
   */
  leaseMs?: number | undefined
  /** Returns the name of this poller, which is stored in the lease before a random UUID. @default no name */
  owner?: (() => string) | undefined
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
  const { client, prefix = 'formwire:checkpoint', leaseMs = 15_000, owner } = options
  checkMethods('client', client, ['get', 'eval'], 'a connected client of the package redis')
  if (!(leaseMs >= 30)) throw new CheckpointError(`"leaseMs" must be at least 30, got ${leaseMs}.`)
  const names = (key: string) => {
    const stem = `${prefix}:{${key}}`
    return { state: `${stem}:state`, lease: `${stem}:lease`, fence: `${stem}:fence` }
  }
  return {
    async load(key) {
      const { state } = names(key)
      const text = await send(client, state, () => client.get(state))
      return text === null || text === undefined ? undefined : parseState(String(text), `${state} in Redis`)
    },
    async save(key, state) {
      await evaluate(client, SAVE_UNFENCED, [names(key).state], [JSON.stringify(state)])
    },
    async acquire(key, signal) {
      const { lease, fence } = names(key)
      const token = owner ? `${owner()}:${randomUUID()}` : randomUUID()
      for (;;) {
        if (signal?.aborted)
          throw new AbortError('The wait for the lease was aborted.', {}, { cause: signal.reason })
        const acquired = await evaluate(client, ACQUIRE, [lease, fence], [token, String(leaseMs)])
        if (acquired) return new RedisLease(client, names, key, token, leaseMs)
        await sleep(systemClock, leaseMs / 3, signal)
      }
    },
  }
}

/** Sends a command. @throws CheckpointError with the reason "unavailable" if a retry may succeed. */
async function send<Reply>(client: RedisClient, name: string, command: () => Promise<Reply>): Promise<Reply> {
  try {
    if (client.isOpen !== false && client.isReady === false) throw new Error('The client is reconnecting')
    return await command()
  } catch (cause) {
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

type Names = (key: string) => { state: string; lease: string; fence: string }

class RedisLease implements Lease {
  readonly #client: RedisClient
  readonly #names: Names
  readonly #key: string
  readonly #token: string
  readonly #leaseMs: number
  readonly #lost = new AbortController()
  #timer: NodeJS.Timeout | undefined
  /** Number of consecutive failed renewals. */
  #failures = 0

  constructor(client: RedisClient, names: Names, key: string, token: string, leaseMs: number) {
    this.#client = client
    this.#names = names
    this.#key = key
    this.#token = token
    this.#leaseMs = leaseMs
    this.#renewLater()
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  async save(key: string, state: PollState): Promise<void> {
    const { fence, state: name } = this.#names(key)
    const saved = await evaluate(this.#client, SAVE, [fence, name], [this.#token, JSON.stringify(state)])
    if (saved) return
    this.#lose()
    throw this.#lost.signal.reason
  }

  async release(): Promise<void> {
    clearTimeout(this.#timer)
    const { lease } = this.#names(this.#key)
    // If Redis is unreachable, the lease expires.
    await evaluate(this.#client, RELEASE, [lease], [this.#token]).catch(() => undefined)
  }

  #renewLater(): void {
    this.#timer = setTimeout(() => this.#renew(), this.#leaseMs / 3)
    // An abandoned poll must not keep the process alive.
    this.#timer.unref()
  }

  #renew(): void {
    const { lease } = this.#names(this.#key)
    evaluate(this.#client, RENEW, [lease], [this.#token, String(this.#leaseMs)]).then(
      (renewed) => {
        this.#failures = 0
        if (renewed) this.#renewLater()
        else this.#lose()
      },
      () => {
        this.#failures += 1
        if (this.#failures < 3) this.#renewLater()
        else this.#lose()
      },
    )
  }

  #lose(): void {
    clearTimeout(this.#timer)
    this.#lost.abort(
      new LeaseLostError(
        `The lease of the checkpoint "${this.#key}" was lost; another poller may have taken over.`,
      ),
    )
  }
}
