import {
  BOOLEAN,
  COMMON,
  COMMON_DEFAULTS,
  type CommonOptions,
  DELETED,
  DURATION,
  functions,
  readOptions,
  required,
  rule,
  type Settings,
  type Shape,
} from './check-options.ts'
import type { SyncStore } from './database/driver.ts'
import { type SyncSummary, SyncUsageError } from './errors.ts'
import type { KnownResponse } from './rows/row.ts'
import type { DeletedRows, FullView, RowChange } from './store/scope.ts'

/** A response as `onResponse` receives it. */
export type SyncedResponse = KnownResponse & {
  /** False when it came by webhook: `started_at`, `duration_sec` and `email` are then null, and the next poll adds them. */
  complete: boolean
}

/** How far a form is read. */
export interface SyncProgress {
  formId: string
  /** Responses read so far. */
  read: number
  /** Responses of the form when the round began. */
  total: number
}

/** A wait because the service or the database is unavailable. */
export interface SyncPause {
  error: unknown
  /** Number of consecutive pauses, from 1. */
  attempt: number
  waitMs: number
}

/** How rows are kept. */
export interface RowOptions {
  /** Sets `deleted_at` of rows whose response was deleted. @default true */
  deletions?: boolean | undefined
  /**
   * What happens to the row of a deleted response: `mark` keeps every column and sets `deleted_at`; `erase` also clears email, score,
   * answers and meta. @default 'mark'
   */
  deleted?: DeletedRows | undefined
  /** Also keeps rows of saved drafts, with the status `in_progress`. @default false */
  drafts?: boolean | undefined
  /**
   * Milliseconds after which a form is read completely again, which finds what counts cannot show. `run()` reads a large form in slices,
   * one per round. @default 7 days
   */
  fullEveryMs?: number | undefined
}

/** Options of `createSync`. */
export interface SyncOptions<Transaction> extends CommonOptions, RowOptions {
  /** Database to write to. @example sqliteStore('responses.db') */
  store: SyncStore<Transaction>
  /**
   * Called once per response, when its first submitted row is written, inside the transaction that writes it. Work done through
   * `transaction` happens exactly once. Work done elsewhere happens at least once: the transaction may fail afterwards. If it throws,
   * nothing is written and the run fails.
   */
  onResponse?: ((response: SyncedResponse, transaction: Transaction) => unknown) | undefined
  /** Called after each commit that changed rows. */
  onChanges?: ((changes: readonly RowChange[]) => void) | undefined
  /** Called while a long list is read, at last with `read` equal to `total`. */
  onProgress?: ((progress: SyncProgress) => void) | undefined
  /** Called in each process when the view of a form leaves questions out, after 1,000 of them, and when these become more. */
  onViewFull?: ((view: FullView) => void) | undefined
  /** Called before each pause because the service or the database is unavailable. `run()` continues by itself. */
  onPause?: ((pause: SyncPause) => void) | undefined
  /** Called while `run()` follows, when a form was trashed or the key lost access to it. Its rows stay, and it is looked for again. */
  onFormLost?: ((formId: string) => void) | undefined
  /**
   * Called once while `run()` follows, when the service begins to fail for one form. The form is tried again, at first after a second, then
   * less and less often, and the other forms are read as usual.
   */
  onFormFailed?: ((failure: { formId: string; error: unknown }) => void) | undefined
  /** Called when a form that failed could be read again. */
  onFormRecovered?: ((formId: string) => void) | undefined
  /**
   * Called after each round of `run()` that left nothing to read and in which the service failed for no form, with what was done so far.
   */
  onUpToDate?: ((summary: SyncSummary) => void) | undefined
  /** Called when an error ends `once()` or `run()`, with what was done before it, unless that is nothing. */
  onFailure?: ((summary: SyncSummary) => void) | undefined
  /** Ends `run()` without an error, and `once()` with the reason of the signal. */
  signal?: AbortSignal | undefined
}

export const ROWS: Shape<RowOptions> = {
  deletions: BOOLEAN,
  deleted: DELETED,
  drafts: BOOLEAN,
  fullEveryMs: DURATION,
}

/** Defaults of {@link ROWS}. */
export const ROW_DEFAULTS = {
  deletions: true,
  deleted: 'mark' as DeletedRows,
  drafts: false,
  fullEveryMs: 7 * 86_400_000,
}

const DEFAULTS = { ...COMMON_DEFAULTS, ...ROW_DEFAULTS }

/** Validated options with their defaults. */
export type SyncSettings<Transaction> = Settings<SyncOptions<Transaction>, typeof DEFAULTS>

const { formwire, forms, ...common } = COMMON

const SHAPE: Shape<SyncOptions<unknown>> = {
  formwire,
  store: required(
    rule('a store, such as sqliteStore("responses.db")', (value) => typeof value?.transaction === 'function'),
  ),
  forms,
  ...ROWS,
  ...functions('onResponse', 'onChanges', 'onProgress', 'onViewFull', 'onPause', 'onFormLost'),
  ...functions('onFormFailed', 'onFormRecovered', 'onUpToDate', 'onFailure'),
  ...common,
}

/** Validates the options and applies the defaults. @throws SyncUsageError */
export function readSyncOptions<Transaction>(options: SyncOptions<Transaction>): SyncSettings<Transaction> {
  const shape = SHAPE as Shape<SyncOptions<Transaction>>
  const settings = readOptions('createSync()', options, { shape, defaults: DEFAULTS })
  checkDeleted(settings)
  const { forms } = settings
  return { ...settings, forms: forms === 'all' ? forms : [...new Set(forms)] }
}

/** @throws SyncUsageError for options that contradict each other */
export function checkDeleted({ deleted, deletions }: { deleted: DeletedRows; deletions: boolean }): void {
  if (deleted === 'erase' && !deletions)
    throw new SyncUsageError('"deleted" cannot be "erase" with "deletions" false: no deletion is looked for.')
}
