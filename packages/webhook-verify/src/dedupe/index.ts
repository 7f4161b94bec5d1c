import { checkFunction, checkOptions, type OptionNames } from '../verification/check-options.ts'
import { createDedupe, DEDUPE_OPTIONS, type Dedupe, type DedupeOptions, type DedupeStore } from './dedupe.ts'

export type * from '../types.ts'
export type { ClaimState, DedupeStore } from './dedupe.ts'
export {
  type Claim,
  createDedupe,
  type Dedupe,
  type DedupeBy,
  type DedupeOptions,
  dedupeKeys,
  type WonClaim,
} from './dedupe.ts'

/** Options of {@link createMemoryDedupe}. */
export interface MemoryDedupeOptions extends DedupeOptions {
  /** Milliseconds since 1970. @default the system clock */
  now?: (() => number) | undefined
}

const MEMORY_OPTIONS: OptionNames<MemoryDedupeOptions> = { ...DEDUPE_OPTIONS, now: true }

/**
 * Handles each delivery once within this process. For several processes, or across restarts, use `/dedupe/redis`
 * or `/dedupe/postgres`.
 * @example
 * createReceiver({ secret, dedupe: createMemoryDedupe(), on })
 */
export function createMemoryDedupe(options: MemoryDedupeOptions = {}): Dedupe {
  checkOptions(options, MEMORY_OPTIONS)
  const { now, ...rest } = options
  let owners = 0
  // Unique in this process is enough for a store that no other process sees, and costs less than a UUID.
  const newOwner = rest.newOwner ?? (() => String(++owners))
  return createDedupe(createMemoryStore(now), { ...rest, newOwner })
}

interface HeldClaim {
  readonly owner: string
  readonly expiresAtMs: number
}

/** Entries checked for expiry per claimed key. Two, so that the sweep outruns the entries that claims add. */
const SWEPT_PER_KEY = 2

/** A store in this process's memory. */
export interface MemoryStore extends DedupeStore {
  /** Number of entries, including expired ones that were not swept yet. */
  readonly size: number
}

/**
 * Creates a store in memory, for one process; a restart loses its content. Every call is O(1), since it sweeps only a few
 * entries, and no timer keeps the process alive.
 * @param now milliseconds since 1970. Default the system clock.
 */
export function createMemoryStore(now: () => number = Date.now): MemoryStore {
  checkFunction('now', now)
  const claims = new Map<string, HeldClaim>()
  /** When completed keys expire. Apart from the claims, since these are kept for days: numbers take less memory and time. */
  const completed = new Map<string, number>()
  const sweepClaims = sweeper(claims, ({ expiresAtMs }) => expiresAtMs)
  const sweepCompleted = sweeper(completed, (expiresAtMs) => expiresAtMs)

  function liveClaim(key: string, nowMs: number): HeldClaim | undefined {
    const claim = claims.get(key)
    return claim !== undefined && claim.expiresAtMs > nowMs ? claim : undefined
  }

  return {
    get size() {
      return claims.size + completed.size
    },
    async claim(keys, owner, claimMs) {
      const nowMs = now()
      sweepClaims(nowMs, SWEPT_PER_KEY * keys.length)
      sweepCompleted(nowMs, SWEPT_PER_KEY * keys.length)
      let inProgress = false
      for (const key of keys) {
        if ((completed.get(key) ?? 0) > nowMs) return 'completed'
        if (liveClaim(key, nowMs)) inProgress = true
      }
      if (inProgress) return 'in_progress'
      for (const key of keys) claims.set(key, { owner, expiresAtMs: nowMs + claimMs })
      return 'claimed'
    },
    async complete(keys, owner, keepMs) {
      const nowMs = now()
      let all = true
      for (const key of keys) {
        if ((liveClaim(key, nowMs)?.owner ?? owner) !== owner) {
          all = false
        } else {
          claims.delete(key)
          completed.set(key, nowMs + keepMs)
        }
      }
      return all
    },
    async release(keys, owner) {
      const nowMs = now()
      let all = true
      for (const key of keys) {
        if (liveClaim(key, nowMs)?.owner === owner) claims.delete(key)
        else all = false
      }
      return all
    },
  }
}

/** Returns a function that checks the next `count` entries, round and round, and deletes those that have expired. */
function sweeper<Value>(entries: Map<string, Value>, expiresAtMs: (value: Value) => number) {
  let position = entries.entries()
  return (nowMs: number, count: number): void => {
    for (let checked = 0; checked < count; checked++) {
      const next = position.next()
      if (next.done) {
        position = entries.entries()
        return
      }
      const [key, value] = next.value
      if (expiresAtMs(value) <= nowMs) entries.delete(key)
    }
  }
}
