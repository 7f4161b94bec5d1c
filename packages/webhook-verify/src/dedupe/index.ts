import { checkOptions, type OptionNames } from '../verification/check-options.ts'
import { createDedupe, DEDUPE_OPTIONS, type Dedupe, type DedupeOptions } from './dedupe.ts'
import { createMemoryStore } from './memory-store.ts'

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
export { createMemoryStore, type MemoryStore } from './memory-store.ts'

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
