import { MAX_TIMER_MS } from '@formwire/internal/clock'
import { checkOption, checkOptions, invalidOption, type OptionNames } from '../verification/check-options.ts'
import type { VerifiedEvent } from '../verification/event.ts'
import { checkKeepMs, checkTolerance, DEFAULT_TOLERANCE_SECONDS } from '../verification/freshness.ts'
import { verificationOf } from '../verification/verification.ts'

/** Three days: longer than the 14.6 hours during which the service retries a delivery (DLV-06). */
const DEFAULT_KEEP_MS = 3 * 24 * 60 * 60 * 1000
/** Five minutes, so that the retry six minutes after the first failure can take over from a process that died. */
const DEFAULT_CLAIM_MS = 5 * 60 * 1000

/** What makes two deliveries the same. */
export type DedupeBy = 'signed' | 'delivery'

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
   * block its delivery forever. Must be longer than the longest handler, unless the store renews claims. @default 5 minutes
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

/** The state that a claim found. */
export type ClaimState = 'claimed' | 'in_progress' | 'completed'

/**
 * Stores claims. Every method is atomic over all its keys: if several processes claim at the same time, one wins. Any
 * store with compare-and-set can implement it.
 */
export interface DedupeStore {
  /**
   * Claims all keys for `owner` for `claimMs` milliseconds. If any key is already claimed or completed, changes nothing and
   * returns that state; "completed" takes precedence over "in_progress".
   */
  claim(keys: readonly string[], owner: string, claimMs: number): Promise<ClaimState>
  /**
   * Marks the keys as completed for `keepMs` milliseconds, even if the claim has expired, unless another owner has claimed
   * them since. @returns whether every key is completed.
   */
  complete(keys: readonly string[], owner: string, keepMs: number): Promise<boolean>
  /** Releases the keys that `owner` holds. @returns whether `owner` held all of them. */
  release(keys: readonly string[], owner: string): Promise<boolean>
  /**
   * Extends a claim to `claimMs` milliseconds from now. With it, a claim is renewed until it is completed or released.
   * @returns whether `owner` still holds every key.
   */
  renew?: ((keys: readonly string[], owner: string, claimMs: number) => Promise<boolean>) | undefined
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
 * Creates a deduplication with your own store. For memory, Redis and PostgreSQL, use `createMemoryDedupe`, `createRedisDedupe` and
 * `createPostgresDedupe`.
 * @throws WebhookVerificationError code "invalid_option", also for a `keepMs` below `toleranceSeconds`; a `RangeError`
 * for a duration that is not a positive integer.
 */
export function createDedupe(store: DedupeStore, options: DedupeOptions = {}): Dedupe {
  checkOptions(options, DEDUPE_OPTIONS)
  const { by = 'signed', keepMs = DEFAULT_KEEP_MS, claimMs = DEFAULT_CLAIM_MS } = options
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = options
  const newOwner = options.newOwner ?? (() => crypto.randomUUID())
  checkOption(by === 'signed' || by === 'delivery', 'by', '"signed" or "delivery"', by)
  checkDuration('keepMs', keepMs)
  checkDuration('claimMs', claimMs)
  checkTolerance(toleranceSeconds)
  checkKeepMs(keepMs, toleranceSeconds)

  async function claim(event: VerifiedEvent): Promise<Claim> {
    const keys = dedupeKeys(event, by)
    const owner = newOwner()
    const state = await store.claim(keys, owner, claimMs)
    if (state !== 'claimed') return { state }
    const end = store.renew && renewing(() => store.renew?.(keys, owner, claimMs), claimMs)
    return {
      state,
      complete() {
        end?.()
        return store.complete(keys, owner, keepMs)
      },
      release() {
        end?.()
        return store.release(keys, owner)
      },
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

/** Renews a claim three times as often as it expires, until it is lost. Returns a function that ends the renewals. */
function renewing(renew: () => Promise<boolean> | undefined, claimMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const wait = (): void => {
    timer = setTimeout(renewOnce, Math.min(claimMs / 3, MAX_TIMER_MS))
    // A claim that was forgotten must not keep the process alive. Not every runtime has it.
    timer.unref?.()
  }
  const renewOnce = async (): Promise<void> => {
    // After a failure, the claim is valid until the next attempt.
    const isHeld = await renew()?.catch(() => true)
    if (isHeld && !isOver) wait()
  }
  wait()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

function checkDuration(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new RangeError(`${name} must be a positive integer of milliseconds, got ${value}.`)
}

/**
 * Returns the keys under which a delivery is claimed. A delivery is a duplicate if any of them is known.
 *
 * `signed`: event, form and response id, all covered by the signature. A replay from the app has the same response and
 * is a duplicate. Every `test.ping` has response id 0, so it has two keys: its delivery id, which identifies a retry, and
 * its signature, which identifies a captured ping sent again under another id.
 *
 * `delivery`: the delivery id, so that replays from the app are handled again. It is not signed: an attacker can resend a
 * captured delivery under another id within the tolerance, and it is handled again.
 * @throws WebhookVerificationError code "invalid_option" for an event without any of these.
 */
export function dedupeKeys(event: VerifiedEvent, by: DedupeBy): string[] {
  if (by === 'delivery' && event.deliveryId !== null) return [`delivery:${event.deliveryId}`]
  const formId = idOf(event.form)
  const responseId = idOf(event.response)
  if (formId !== undefined && responseId !== undefined && responseId !== 0) {
    return [`${event.type}:${formId}:${responseId}`]
  }
  // The braces put both keys in one slot of a Redis cluster.
  const scope = `{${event.type}:${formId ?? ''}}`
  const keys: string[] = []
  if (event.deliveryId !== null) keys.push(`${scope}:delivery:${event.deliveryId}`)
  // Missing on an event from a queue.
  const signature = verificationOf(event)?.signature
  if (signature !== undefined) keys.push(`${scope}:signature:${signature}`)
  if (keys.length > 0) return keys
  throw invalidOption(
    `Cannot dedupe a ${JSON.stringify(event.type)} event without response id, delivery id and signature; pass the event that the verifier returned.`,
  )
}

/** Events of later versions may lack a form or response, or have a different shape. */
function idOf(part: unknown): string | number | undefined {
  const id = (part as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
