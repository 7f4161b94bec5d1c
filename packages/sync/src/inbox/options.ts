import type { EventForm, EventResponse } from '@formwire/contract'
import type { CheckpointStore } from '@formwire/sdk'
import {
  type CommonOptions,
  type CommonSettings,
  checkFunctions,
  checkNames,
  invalid,
  readCommon,
} from '../check-options.ts'
import { SyncUsageError } from '../errors.ts'
import type { SyncedResponse, SyncPause } from '../options.ts'
import type { Arrival, InboxQueue } from './queue.ts'

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

/** Options of `createInbox`. */
export interface InboxOptions extends CommonOptions {
  /**
   * Remembers which responses were handled, in an inbox without `queue`. It may be the one of your receiver.
   *
   * @example createRedisDedupe(client)
   */
  dedupe?: InboxDedupe | undefined
  /**
   * Keeps responses until they are handled: webhooks and polls only store them, and `work()` handles them, with retries. Replaces `dedupe`.
   *
   * @example postgresQueue({ connectionString })
   */
  queue?: InboxQueue | undefined
  /** Remembers how far each form was polled. @example redisCheckpoint({ client }) @example fileCheckpoint('./checkpoints') */
  checkpoint: CheckpointStore
  /**
   * Handles a response. Called once per response, whether it came by webhook or by poll. If it throws, or the process dies in it or before
   * it is recorded, the response is handled again. `complete` is false when it came by webhook: `started_at`, `duration_sec` and `email` are then null.
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
}

/** Validated options with their defaults. */
export type InboxSettings = InboxOptions & CommonSettings & { lookbackMs: number }

const NAMES: { [Name in keyof Required<InboxOptions>]: true } = {
  formwire: true,
  forms: true,
  dedupe: true,
  queue: true,
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
  const common = readCommon(options)
  const { dedupe, queue, checkpoint, handle, onPause, since, lookbackMs = 0 } = options
  if (queue !== undefined && typeof queue?.add !== 'function')
    throw invalid('queue', 'a queue, such as postgresQueue({ connectionString })', queue)
  if (queue !== undefined && dedupe !== undefined)
    throw new SyncUsageError('"dedupe" and "queue" exclude each other: a queue remembers what was handled.')
  if (queue === undefined && typeof dedupe?.claim !== 'function')
    throw invalid('dedupe', 'an object with claim(), such as createRedisDedupe(client)', dedupe)
  if (typeof checkpoint?.load !== 'function' || typeof checkpoint.save !== 'function')
    throw invalid(
      'checkpoint',
      'a store with load() and save(), such as fileCheckpoint(directory)',
      checkpoint,
    )
  if (typeof handle !== 'function') throw invalid('handle', 'a function', handle)
  checkFunctions({ onPause })
  if (since !== undefined && Number.isNaN(new Date(since).getTime()))
    throw invalid('since', 'an ISO 8601 date or date-time, or a Date', since)
  if (typeof lookbackMs !== 'number' || !(lookbackMs >= 0))
    throw invalid('lookbackMs', 'a number of milliseconds from 0', lookbackMs)
  if (queue !== undefined && lookbackMs >= queue.keepMs)
    throw invalid('lookbackMs', `less than keepMs of the queue (${queue.keepMs})`, lookbackMs)
  return { ...options, ...common, lookbackMs }
}
