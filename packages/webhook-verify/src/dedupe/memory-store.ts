import type { DedupeStore } from './store.ts'

interface Entry {
  /** `undefined` once completed. */
  owner: string | undefined
  expiresAtMs: number
}

/** Entries looked at for each key claimed. Two, so that the sweep is faster than claims can add and comes round again. */
const SWEPT_PER_KEY = 2

/** A store in this process's memory. */
export interface MemoryStore extends DedupeStore {
  /** Entries held, expired ones that were not swept yet included. */
  readonly size: number
}

/**
 * Claims in memory: every call is O(1) at any size, since each one sweeps a few entries on and none walks them all. No
 * timer is used, so nothing keeps the process alive. For one process only; a restart forgets everything.
 * @param now milliseconds since 1970. Default the system clock.
 */
export function createMemoryStore(now: () => number = Date.now): MemoryStore {
  const entries = new Map<string, Entry>()
  let sweeper = entries.entries()

  function sweep(nowMs: number, count: number): void {
    for (let looked = 0; looked < count; looked++) {
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
      const found = keys.map((key) => live(key, nowMs)).filter((entry) => entry !== undefined)
      if (found.some((entry) => entry.owner === undefined)) return 'completed'
      if (found.length > 0) return 'in_progress'
      for (const key of keys) entries.set(key, { owner, expiresAtMs: nowMs + claimMs })
      return 'claimed'
    },
    async complete(keys, owner, keepMs) {
      const nowMs = now()
      let all = true
      for (const key of keys) {
        const entry = live(key, nowMs)
        if (entry?.owner !== undefined && entry.owner !== owner) all = false
        else entries.set(key, { owner: undefined, expiresAtMs: nowMs + keepMs })
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
