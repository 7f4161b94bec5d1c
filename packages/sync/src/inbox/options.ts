import type { EventForm, EventResponse } from '@formwire/contract'
import { globalClock } from '@formwire/internal/clock'
import type { CheckpointStore, Clock, Formwire } from '@formwire/sdk'
import { checkCommon, checkDurations, checkFunctions, checkNames, invalid } from '../check-options.ts'
import type { SyncedResponse, SyncPause } from '../options.ts'

/** What is claimed: the shape of a verified event, with ids of the inbox's own. */
export interface ClaimedEvent {
  type: 'response.submitted'
  form: EventForm
  response: EventResponse
  deliveryId: null
  timestamp: Date
}

/** The part of a `Dedupe` of `@formwire/webhook-verify` that the inbox uses. */
export interface InboxDedupe {
  claim(
    event: ClaimedEvent,
  ): Promise<
    | { state: 'claimed'; complete(): Promise<boolean>; release(): Promise<boolean> }
    | { state: 'in_progress' }
    | { state: 'completed' }
  >
}

/** How a response arrived. */
export interface Arrival {
  /** Whether a delivery brought the response, or the poll found it. */
  source: 'webhook' | 'poll'
}

/** Options of `createInbox`. */
export interface InboxOptions {
  /** Client of the service. */
  formwire: Formwire
  /** Ids of forms, or all forms of the key's workspace, including later ones. */
  forms: readonly string[] | 'all'
  /**
   * Remembers which responses were handled. It may be the one of your receiver.
   *
   * @example createRedisDedupe(client)
   */
  dedupe: InboxDedupe
  /** Remembers how far each form was polled. @example redisCheckpoint({ client }) @example fileCheckpoint('./checkpoints') */
  checkpoint: CheckpointStore
  /**
   * Handles a response. Called once per response, whether it came by webhook or by poll. If it throws or the process dies in it, the
   * response is handled again. `complete` is false when it came by webhook: `started_at`, `duration_sec` and `email` are then null.
   */
  handle: (response: SyncedResponse, arrival: Arrival) => unknown
  /** Where the poll begins if there is no checkpoint. @default the first response of each form */
  since?: string | Date | undefined
  /**
   * Milliseconds before the newest response in which the poll looks for rows that appear late, because of replication lag or
   * back-filling. @default 0
   */
  lookbackMs?: number | undefined
  /** Called before a form is tried again. The poll continues by itself. */
  onPause?: ((pause: SyncPause & { formId: string | undefined }) => void) | undefined
  /** Ends `run()` without an error, and `once()` and `reconcile()` with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Milliseconds between rounds of `run()`. @default 30_000 */
  intervalMs?: number | undefined
  /** Responses per request, at most 100 (ENV-06). @default 100 */
  per_page?: number | undefined
  /** Source of time, for tests. @default the system clock */
  clock?: Clock | undefined
  /** Source of jitter, for tests. Returns a number in [0, 1). @default Math.random */
  random?: (() => number) | undefined
}

/** Validated options with their defaults. */
export interface InboxSettings extends InboxOptions {
  lookbackMs: number
  intervalMs: number
  per_page: number
  clock: Clock
  random: () => number
}

const NAMES: { [Name in keyof Required<InboxOptions>]: true } = {
  formwire: true,
  forms: true,
  dedupe: true,
  checkpoint: true,
  handle: true,
  since: true,
  lookbackMs: true,
  onPause: true,
  signal: true,
  intervalMs: true,
  per_page: true,
  clock: true,
  random: true,
}

/** Validates the options and applies the defaults. @throws SyncUsageError */
export function readOptions(options: InboxOptions): InboxSettings {
  checkNames('createInbox()', options, NAMES)
  checkCommon(options)
  const { forms, dedupe, checkpoint, handle, onPause, random, since } = options
  if (typeof dedupe?.claim !== 'function')
    throw invalid('dedupe', 'an object with claim(), such as createRedisDedupe(client)', dedupe)
  if (typeof checkpoint?.load !== 'function' || typeof checkpoint.save !== 'function')
    throw invalid(
      'checkpoint',
      'a store with load() and save(), such as fileCheckpoint(directory)',
      checkpoint,
    )
  if (typeof handle !== 'function') throw invalid('handle', 'a function', handle)
  checkFunctions({ onPause, random })
  if (since !== undefined && Number.isNaN(new Date(since).getTime()))
    throw invalid('since', 'an ISO 8601 date or date-time, or a Date', since)
  const { intervalMs = 30_000, lookbackMs = 0, per_page = 100 } = options
  checkDurations({ intervalMs })
  if (typeof lookbackMs !== 'number' || !(lookbackMs >= 0))
    throw invalid('lookbackMs', 'a number of milliseconds from 0', lookbackMs)
  return {
    ...options,
    forms: forms === 'all' ? forms : [...new Set(forms)],
    lookbackMs,
    intervalMs,
    per_page,
    clock: options.clock ?? globalClock,
    random: random ?? Math.random,
  }
}
