import type { EventForm, EventResponse } from '@formwire/contract'
import type { CheckpointStore } from '@formwire/sdk'
import {
  COMMON,
  COMMON_DEFAULTS,
  type CommonOptions,
  durationFrom,
  FUNCTION,
  invalid,
  readOptions,
  required,
  rule,
  type Settings,
  type Shape,
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

const DEFAULTS = { ...COMMON_DEFAULTS, lookbackMs: 0 }

/** Validated options with their defaults. */
export type InboxSettings = Settings<InboxOptions, typeof DEFAULTS>

const { formwire, forms, ...common } = COMMON

const SHAPE: Shape<InboxOptions> = {
  formwire,
  forms,
  dedupe: rule(
    'an object with claim(), such as createRedisDedupe(client)',
    (value) => typeof value?.claim === 'function',
  ),
  queue: rule(
    'a queue, such as postgresQueue({ connectionString })',
    (value) => typeof value?.add === 'function',
  ),
  checkpoint: required(
    rule(
      'a store with load() and save(), such as fileCheckpoint(directory)',
      (value) => typeof value?.load === 'function' && typeof value.save === 'function',
    ),
  ),
  handle: required(FUNCTION),
  since: rule(
    'an ISO 8601 date or date-time, or a Date',
    (value) => !Number.isNaN(new Date(value).getTime()),
  ),
  lookbackMs: durationFrom('from 0', 0),
  onPause: FUNCTION,
  ...common,
}

/** Validates the options and applies the defaults. @throws SyncUsageError */
export function readInboxOptions(options: InboxOptions): InboxSettings {
  const settings = readOptions('createInbox()', options, { shape: SHAPE, defaults: DEFAULTS })
  const { forms, dedupe, queue, lookbackMs } = settings
  if (queue !== undefined && dedupe !== undefined)
    throw new SyncUsageError('"dedupe" and "queue" exclude each other: a queue remembers what was handled.')
  if (queue === undefined && dedupe === undefined) throw invalid('dedupe', SHAPE.dedupe.expected, dedupe)
  if (queue !== undefined && lookbackMs >= queue.keepMs)
    throw invalid('lookbackMs', `less than keepMs of the queue (${queue.keepMs})`, lookbackMs)
  return { ...settings, forms: forms === 'all' ? forms : [...new Set(forms)] }
}
