import { createDedupe, type Dedupe, type DedupeOptions } from './dedupe.ts'
import { createMemoryStore } from './memory-store.ts'

export { type Claim, createDedupe, type Dedupe, type DedupeOptions, type WonClaim } from './dedupe.ts'
export { type DedupeBy, dedupeKeys } from './dedupe-keys.ts'
export { createMemoryStore, type MemoryStore } from './memory-store.ts'
export type { ClaimState, DedupeStore } from './store.ts'

/** Options of {@link createMemoryDedupe}. */
export interface MemoryDedupeOptions extends DedupeOptions {
  /** Milliseconds since 1970. @default the system clock */
  now?: (() => number) | undefined
}

/** Each delivery once within this process. For several processes, or across restarts: `/dedupe/redis`. */
export function createMemoryDedupe(options: MemoryDedupeOptions = {}): Dedupe {
  return createDedupe(createMemoryStore(options.now), options)
}
