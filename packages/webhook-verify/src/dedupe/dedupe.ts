import { checkOptions, invalidOption, type OptionNames } from '../verification/check-options.ts'
import type { VerifiedEvent } from '../verification/event.ts'
import { checkKeepMs, checkTolerance, DEFAULT_TOLERANCE_SECONDS } from '../verification/freshness.ts'
import { shown } from '../verification/shown.ts'
import { type DedupeBy, dedupeKeys } from './dedupe-keys.ts'
import type { DedupeStore } from './store.ts'

/** Three days: longer than the 14.6 hours during which the service retries a delivery (DLV-06). */
const DEFAULT_KEEP_MS = 3 * 24 * 60 * 60 * 1000
/** Five minutes, so that the retry six minutes after the first failure can take over from a process that died. */
const DEFAULT_CLAIM_MS = 5 * 60 * 1000

/** How deliveries are recognized, and for how long. */
export interface DedupeOptions {
  /** How duplicates are recognized: by the signed ids, or by the delivery id. @default 'signed' */
  by?: DedupeBy | undefined
  /** How long a completed delivery is remembered, in milliseconds: at least as long as its signature is valid. @default 3 days */
  keepMs?: number | undefined
  /** Tolerance of the verification, in seconds, if it is not the default: `keepMs` must not be below it. @default 300 */
  toleranceSeconds?: number | undefined
  /**
   * How long a claim is valid without being completed or released, in milliseconds, so that a process that died does not
   * block its delivery forever. Must be longer than the longest handler. @default 5 minutes
   */
  claimMs?: number | undefined
  /** Returns a unique token per claim. @default a random UUID */
  newOwner?: (() => string) | undefined
}

/** The names of {@link DedupeOptions}. */
export const DEDUPE_OPTIONS: OptionNames<DedupeOptions> = {
  by: true,
  keepMs: true,
  toleranceSeconds: true,
  claimMs: true,
  newOwner: true,
}

/** A successful claim: until its deadline, only this caller may complete or release the delivery. */
export interface WonClaim {
  state: 'claimed'
  /** Marks the work as done: from now on the delivery is a duplicate. @returns false if another process took over. */
  complete(): Promise<boolean>
  /** Gives up the claim, so that a retry is handled. @returns false if another process took over. */
  release(): Promise<boolean>
}

/** The result of a claim: won, in progress elsewhere, or already completed. */
export type Claim = WonClaim | { state: 'in_progress' } | { state: 'completed' }

/** Handles each delivery once (DLV-10). */
export interface Dedupe {
  /** How long a completed delivery is remembered, in milliseconds. */
  readonly keepMs: number
  /** Claims the delivery. Only claim verified events. */
  claim(event: VerifiedEvent): Promise<Claim>
  /**
   * Claims the delivery, runs the handler and completes the claim. If the handler throws, releases the claim and rethrows.
   * @returns the state found; the handler ran if it is "claimed".
   * @example await dedupe.once(event, () => save(event.response))
   */
  once(event: VerifiedEvent, handler: () => unknown): Promise<Claim['state']>
}

/**
 * Creates a deduplication with your own store. For memory and Redis, use `createMemoryDedupe` and `createRedisDedupe`.
 * @throws WebhookVerificationError code "invalid_option", also for a `keepMs` below `toleranceSeconds`; a `RangeError`
 * for a duration that is not a positive integer.
 */
export function createDedupe(store: DedupeStore, options: DedupeOptions = {}): Dedupe {
  checkOptions(options, DEDUPE_OPTIONS)
  const { by = 'signed', keepMs = DEFAULT_KEEP_MS, claimMs = DEFAULT_CLAIM_MS } = options
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = options
  const newOwner = options.newOwner ?? (() => crypto.randomUUID())
  if (by !== 'signed' && by !== 'delivery') {
    throw invalidOption(`by must be "signed" or "delivery", got ${shown(by)}.`)
  }
  checkDuration('keepMs', keepMs)
  checkDuration('claimMs', claimMs)
  checkTolerance(toleranceSeconds)
  checkKeepMs(keepMs, toleranceSeconds)

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
    keepMs,
    claim,
    async once(event, handler) {
      const won = await claim(event)
      if (won.state !== 'claimed') return won.state
      try {
        await handler()
      } catch (error) {
        // If the release fails, the claim expires at its deadline. The handler's error matters more.
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
  throw new RangeError(`${name} must be a positive integer of milliseconds, got ${value}.`)
}
