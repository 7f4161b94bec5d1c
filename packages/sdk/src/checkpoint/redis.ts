/** Checkpoints in Redis, with a lease: of many pollers of a form one runs, and one that was overtaken cannot save. */
import { randomUUID } from 'node:crypto'
import { AbortError } from '../errors/abort-error.ts'
import { CheckpointError } from '../errors/checkpoint-error.ts'
import { LeaseLostError } from '../errors/lease-lost-error.ts'
import type { CheckpointStore, Lease, PollState } from '../polling/checkpoint.ts'

/** What is needed of a client of the `redis` package, version 5 or 6. */
export interface RedisClient {
  get(key: string): Promise<unknown>
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** Options of {@link redisCheckpoint}. */
export interface RedisCheckpointOptions {
  /** A connected client; it stays yours to close. */
  client: RedisClient
  /** Start of the names of all keys. @default 'formwire:checkpoint' */
  prefix?: string | undefined
  /**
   * How long a lease holds without renewal, in milliseconds: as long as this, at most, nobody polls after a crash. It is renewed
   * three times as often. @default 15_000
   */
  leaseMs?: number | undefined
  /** Names this poller. @default a random UUID a lease */
  owner?: (() => string) | undefined
}

const ACQUIRE = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('INCR', KEYS[2]) end
return 0`

const RENEW = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`

const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`

// The fence counts leases: as long as it is ours nobody has started after us, even if our lease ran out.
const SAVE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('SET', KEYS[2], ARGV[2])
  return 1
end
return 0`

const SAVE_UNFENCED = `redis.call('SET', KEYS[1], ARGV[1]) return 1`

/** Keeps each state under `<prefix>:{<key>}:state`. The braces keep a key's three names on one node of a cluster. */
export function redisCheckpoint(options: RedisCheckpointOptions): CheckpointStore {
  const { client, prefix = 'formwire:checkpoint', leaseMs = 15_000, owner = randomUUID } = options
  if (!(leaseMs >= 30)) throw new CheckpointError(`"leaseMs" has to be 30 or more, got ${leaseMs}.`)
  const names = (key: string) => {
    const stem = `${prefix}:{${key}}`
    return { state: `${stem}:state`, lease: `${stem}:lease`, fence: `${stem}:fence` }
  }
  return {
    async load(key) {
      const text = await client.get(names(key).state)
      if (text === null || text === undefined) return undefined
      try {
        return JSON.parse(String(text)) as PollState
      } catch {
        throw new CheckpointError(
          `The checkpoint ${names(key).state} in Redis is not JSON: something else wrote it.`,
        )
      }
    },
    async save(key, state) {
      await client.eval(SAVE_UNFENCED, { keys: [names(key).state], arguments: [JSON.stringify(state)] })
    },
    async acquire(key, signal) {
      const { lease, fence } = names(key)
      const name = owner()
      for (;;) {
        if (signal?.aborted)
          throw new AbortError(
            'Waiting for the lease was aborted by its signal.',
            {},
            { cause: signal.reason },
          )
        const token = Number(
          await client.eval(ACQUIRE, { keys: [lease, fence], arguments: [name, String(leaseMs)] }),
        )
        if (token > 0) return new RedisLease(client, names, key, name, token, leaseMs)
        await wait(leaseMs / 3, signal)
      }
    },
  }
}

type Names = (key: string) => { state: string; lease: string; fence: string }

class RedisLease implements Lease {
  readonly #client: RedisClient
  readonly #names: Names
  readonly #key: string
  readonly #owner: string
  readonly #token: number
  readonly #leaseMs: number
  readonly #lost = new AbortController()
  #timer: NodeJS.Timeout | undefined
  /** Renewals that failed in a row. */
  #failures = 0

  constructor(client: RedisClient, names: Names, key: string, owner: string, token: number, leaseMs: number) {
    this.#client = client
    this.#names = names
    this.#key = key
    this.#owner = owner
    this.#token = token
    this.#leaseMs = leaseMs
    this.#renewLater()
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  async save(key: string, state: PollState): Promise<void> {
    const { fence, state: name } = this.#names(key)
    const saved = await this.#client.eval(SAVE, {
      keys: [fence, name],
      arguments: [String(this.#token), JSON.stringify(state)],
    })
    if (Number(saved) === 1) return
    this.#lose()
    throw this.#lost.signal.reason
  }

  async release(): Promise<void> {
    clearTimeout(this.#timer)
    const { lease } = this.#names(this.#key)
    // When Redis is gone the lease runs out by itself.
    await this.#client.eval(RELEASE, { keys: [lease], arguments: [this.#owner] }).catch(() => undefined)
  }

  #renewLater(): void {
    this.#timer = setTimeout(() => this.#renew(), this.#leaseMs / 3)
    // A poll that nobody reads any more must not keep the process alive.
    this.#timer.unref()
  }

  #renew(): void {
    const { lease } = this.#names(this.#key)
    this.#client.eval(RENEW, { keys: [lease], arguments: [this.#owner, String(this.#leaseMs)] }).then(
      (renewed) => {
        this.#failures = 0
        if (Number(renewed) === 1) this.#renewLater()
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
        `The lease of the checkpoint "${this.#key}" is lost: another poller may have taken over.`,
      ),
    )
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
