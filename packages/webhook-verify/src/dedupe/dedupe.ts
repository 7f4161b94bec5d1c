import type { VerifiedEvent } from '../event.ts'
import { type DedupeBy, dedupeKeys } from './dedupe-keys.ts'
import type { DedupeStore } from './store.ts'

/** Three days: longer than the 14.6 hours over which the service retries a delivery (DLV-06). */
const DEFAULT_KEEP_MS = 3 * 24 * 60 * 60 * 1000
/** Five minutes: the retry six minutes after the first failure takes over from a process that died. */
const DEFAULT_CLAIM_MS = 5 * 60 * 1000

/** How deliveries are recognised and for how long. */
export interface DedupeOptions {
  /** What makes two deliveries the same: what is signed, or the delivery id. @default 'signed' */
  by?: DedupeBy | undefined
  /** How long a completed delivery is remembered, in milliseconds. @default 3 days */
  keepMs?: number | undefined
  /**
   * How long a claim holds without being completed or released, in milliseconds: after it a process that died no longer
   * stands in the way. Longer than the longest handler. @default 5 minutes
   */
  claimMs?: number | undefined
  /** A token for each claim that no other process makes. @default a random UUID */
  newOwner?: (() => string) | undefined
}

/** A claim that was won: the delivery is this caller's, until its deadline, to complete or to release. */
export interface WonClaim {
  state: 'claimed'
  /** The work is done: from now on the delivery is a duplicate. @returns false when another process took it over. */
  complete(): Promise<boolean>
  /** The work failed: the delivery is open for its retry. @returns false when another process took it over. */
  release(): Promise<boolean>
}

/** A claim: won, or lost to work in progress elsewhere, or to work that is done. */
export type Claim = WonClaim | { state: 'in_progress' } | { state: 'completed' }

/** Handles each delivery once (DLV-10). */
export interface Dedupe {
  /** Asks for the delivery. Only after the signature held: what is not verified must not be remembered. */
  claim(event: VerifiedEvent): Promise<Claim>
  /** Claims, runs the handler, completes; releases when it throws, and throws on. @returns what the claim found. */
  once(event: VerifiedEvent, handler: () => unknown): Promise<Claim['state']>
}

/** Deduplication over any store; `createMemoryDedupe` and `createRedisDedupe` are this with their store. */
export function createDedupe(store: DedupeStore, options: DedupeOptions = {}): Dedupe {
  const { by = 'signed', keepMs = DEFAULT_KEEP_MS, claimMs = DEFAULT_CLAIM_MS } = options
  const newOwner = options.newOwner ?? (() => crypto.randomUUID())
  checkDuration('keepMs', keepMs)
  checkDuration('claimMs', claimMs)

  async function claim(event: VerifiedEvent): Promise<Claim> {
    const keys = dedupeKeys(event, by)
    const owner = newOwner()
    const state = await store.claim(keys, owner, claimMs)
    if (state !== 'claimed') return { state }
    return {
      state,
      complete: () => store.complete(keys, owner, keepMs),
      release: () => store.release(keys, owner),
    }
  }

  return {
    claim,
    async once(event, handler) {
      const won = await claim(event)
      if (won.state !== 'claimed') return won.state
      try {
        await handler()
      } catch (error) {
        // A release that fails leaves the claim to its deadline; the handler's error is the one to hear of.
        await won.release().catch(() => undefined)
        throw error
      }
      await won.complete()
      return 'claimed'
    },
  }
}

function checkDuration(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new RangeError(`${name} must be whole milliseconds above 0, got ${value}.`)
}
