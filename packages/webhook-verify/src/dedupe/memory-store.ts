import { invalidOption } from '../verification/check-options.ts'
import { shown } from '../verification/shown.ts'
import type { DedupeStore } from './store.ts'

interface Entry {
  /** `undefined` once completed. */
  owner: string | undefined
  expiresAtMs: number
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
  if (typeof now !== 'function') throw invalidOption(`now must be a function, got ${shown(now)}.`)
  const entries = new Map<string, Entry>()
  let sweeper = entries.entries()

  function sweep(nowMs: number, count: number): void {
    for (let checked = 0; checked < count; checked++) {
      const next = sweeper.next()
      if (next.done) {
        sweeper = entries.entries()
        return
      }
      const [key, entry] = next.value
      if (entry.expiresAtMs <= nowMs) entries.delete(key)
    }
  }

  function live(key: string, nowMs: number): Entry | undefined {
    const entry = entries.get(key)
    return entry !== undefined && entry.expiresAtMs > nowMs ? entry : undefined
  }

  return {
    get size() {
      return entries.size
    },
    async claim(keys, owner, claimMs) {
      const nowMs = now()
      sweep(nowMs, SWEPT_PER_KEY * keys.length)
      let inProgress = false
      for (const key of keys) {
        const entry = live(key, nowMs)
        if (entry === undefined) continue
        if (entry.owner === undefined) return 'completed'
        inProgress = true
      }
      if (inProgress) return 'in_progress'
      for (const key of keys) entries.set(key, { owner, expiresAtMs: nowMs + claimMs })
      return 'claimed'
    },
    async complete(keys, owner, keepMs) {
      const nowMs = now()
      let all = true
      for (const key of keys) {
        const entry = live(key, nowMs)
        if (entry === undefined) {
          entries.set(key, { owner: undefined, expiresAtMs: nowMs + keepMs })
        } else if (entry.owner !== undefined && entry.owner !== owner) {
          all = false
        } else {
          entry.owner = undefined
          entry.expiresAtMs = nowMs + keepMs
        }
      }
      return all
    },
    async release(keys, owner) {
      const nowMs = now()
      let all = true
      for (const key of keys) {
        if (live(key, nowMs)?.owner === owner) entries.delete(key)
        else all = false
      }
      return all
    },
  }
}
