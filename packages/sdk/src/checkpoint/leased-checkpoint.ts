/** Checkpoints that several processes share. A lease lets one of them poll, and a fence rejects the saves of a former one. */
import { randomUUID } from 'node:crypto'
import { sleep } from '@formwire/internal/clock'
import { parseJson } from '@formwire/internal/json'
import { systemClock } from '../clock.ts'
import { AbortError, CheckpointError, LeaseLostError } from '../errors/client-errors.ts'
import type { CheckpointStore, Lease, PollState } from '../polling/checkpoint.ts'
import { Cursor } from '../polling/cursor.ts'

// Read once: the fake timers of a test runner would stop the renewal.
const { setTimeout, clearTimeout } = globalThis

/** Options of the lease. */
export interface LeaseOptions {
  /**
   * Milliseconds until a lease expires without renewal, at least 30: the longest time without a poller after a crash. It is renewed
   * three times as often. @default 15_000
   */
  leaseMs?: number | undefined
  /** Returns the name of this poller, which is stored in the lease before a random UUID. @default no name */
  owner?: (() => string) | undefined
}

/** Keeps states and leases. Every method is atomic, or waited for before the release; leases expire by the clock of the store. */
export interface LeaseStore {
  /** Returns the state as JSON. */
  load(key: string): Promise<string | undefined>
  /** Saves a state without a lease. */
  save(key: string, state: string): Promise<unknown>
  /** Returns whether the lease was free, and is now that of the token. A store that waits by itself ends when the signal aborts. */
  acquire(key: string, token: string, leaseMs: number, signal?: AbortSignal): Promise<boolean>
  /** Returns whether the lease is still that of the token. */
  renew(key: string, token: string, leaseMs: number): Promise<boolean>
  /** Frees the lease if it is that of the token. */
  release(key: string, token: string): Promise<unknown>
  /** Saves a state if no other token has had the lease since, even if it expired. Returns whether it did. */
  saveFenced(key: string, token: string, state: string): Promise<boolean>
  /** Names the state in errors. */
  place(key: string): string
}

/** @throws CheckpointError if `leaseMs` is too short. */
export function leasedCheckpoint(store: LeaseStore, options: LeaseOptions): CheckpointStore {
  const { leaseMs = 15_000, owner } = options
  if (!(leaseMs >= 30)) throw new CheckpointError(`"leaseMs" must be at least 30, got ${leaseMs}.`)
  return {
    async load(key) {
      const text = await store.load(key)
      if (text === undefined) return undefined
      const state = parseJson(text) as PollState
      new Cursor(0).restore(state, store.place(key))
      return state
    },
    async save(key, state) {
      await store.save(key, JSON.stringify(state))
    },
    async acquire(key, signal) {
      const token = owner ? `${owner()}:${randomUUID()}` : randomUUID()
      for (;;) {
        if (signal?.aborted)
          throw new AbortError('The wait for the lock was aborted.', {}, { cause: signal.reason })
        if (await store.acquire(key, token, leaseMs, signal))
          return new StoredLease(store, key, token, leaseMs)
        await sleep(systemClock, leaseMs / 3, signal)
      }
    },
  }
}

class StoredLease implements Lease {
  readonly #store: LeaseStore
  readonly #key: string
  readonly #token: string
  readonly #leaseMs: number
  readonly #lost = new AbortController()
  #timer: NodeJS.Timeout | undefined
  /** Number of consecutive failed renewals. */
  #failures = 0
  #saving: Promise<boolean> = Promise.resolve(true)

  constructor(store: LeaseStore, key: string, token: string, leaseMs: number) {
    this.#store = store
    this.#key = key
    this.#token = token
    this.#leaseMs = leaseMs
    this.#renewLater()
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  async save(key: string, state: PollState): Promise<void> {
    this.#saving = this.#store.saveFenced(key, this.#token, JSON.stringify(state))
    if (await this.#saving) return
    this.#lose()
    throw this.#lost.signal.reason
  }

  async release(): Promise<void> {
    clearTimeout(this.#timer)
    // An aborted poll does not wait for its save, which must not overwrite the state of the next holder.
    await this.#saving.catch(() => undefined)
    // If the store is unreachable, the lease expires.
    await this.#store.release(this.#key, this.#token).catch(() => undefined)
  }

  #renewLater(): void {
    this.#timer = setTimeout(() => this.#renew(), this.#leaseMs / 3)
    // An abandoned poll must not keep the process alive.
    this.#timer.unref()
  }

  #renew(): void {
    this.#store.renew(this.#key, this.#token, this.#leaseMs).then(
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
