import {
  type CommonOptions,
  type CommonSettings,
  checkDurations,
  checkFunctions,
  checkNames,
  invalid,
  readCommon,
  serviceUrl,
} from './check-options.ts'
import type { SyncStore } from './database/driver.ts'
import { type SyncSummary, SyncUsageError } from './errors.ts'
import type { KnownResponse } from './rows/row.ts'
import type { DeletedRows } from './store/marks.ts'
import type { RowChange } from './store/writes.ts'
import type { Drift } from './watch/drift.ts'

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

/** Options of `createSync`. */
export interface SyncOptions<Transaction> extends CommonOptions {
  /** Database to write to. @example sqliteStore('responses.db') */
  store: SyncStore<Transaction>
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
   * Called once per response, when its first submitted row is written, inside the transaction that writes it. Work done through
   * `transaction` happens exactly once. Work done elsewhere happens at least once: the transaction may fail afterwards. If it throws,
   * nothing is written and the run fails.
   */
  onResponse?: ((response: SyncedResponse, transaction: Transaction) => unknown) | undefined
  /** Called after each commit that changed rows. */
  onChanges?: ((changes: readonly RowChange[]) => void) | undefined
  /** Called while a long list is read, at last with `read` equal to `total`. */
  onProgress?: ((progress: SyncProgress) => void) | undefined
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
   * Called once for each change of a form: a question appeared, changed its type or went, or the form stopped. What is stored says what
   * was before, so that each change is reported once, also after a restart; the first look at a form reports nothing. It is called
   * after the rows are written and costs no request. Changes made while it was not set are reported at the next look, too.
   */
  onDrift?: ((drift: Drift) => void) | undefined
  /**
   * Called after each round of `run()` that left nothing to read and in which the service failed for no form, with what was done so far.
   */
  onUpToDate?: ((summary: SyncSummary) => void) | undefined
  /** Called when an error ends `once()` or `run()`, with what was done before it, unless that is nothing. */
  onFailure?: ((summary: SyncSummary) => void) | undefined
  /** Ends `run()` without an error, and `once()` with the reason of the signal. */
  signal?: AbortSignal | undefined
  /**
   * Milliseconds after which a form is read completely again, which finds what counts cannot show. `run()` reads a large form in slices,
   * one per round. @default 7 days
   */
  fullEveryMs?: number | undefined
  /**
   * URL that the service had before it moved. Rows that came from there are then accepted as those of the client's service; rows of any
   * other service are still refused with `other_workspace`.
   */
  movedFrom?: string | undefined
}

/** Validated options with their defaults. */
export type SyncSettings<Transaction> = SyncOptions<Transaction> &
  CommonSettings & {
    deletions: boolean
    deleted: DeletedRows
    drafts: boolean
    fullEveryMs: number
  }

const NAMES: { [Name in keyof Required<SyncOptions<unknown>>]: true } = {
  formwire: true,
  store: true,
  forms: true,
  deletions: true,
  deleted: true,
  drafts: true,
  onResponse: true,
  onChanges: true,
  onProgress: true,
  onPause: true,
  onFormLost: true,
  onFormFailed: true,
  onFormRecovered: true,
  onDrift: true,
  onUpToDate: true,
  onFailure: true,
  signal: true,
  per_page: true,
  intervalMs: true,
  fullEveryMs: true,
  movedFrom: true,
  clock: true,
  random: true,
}

const DAY_MS = 86_400_000

/** Validates the options and applies the defaults. @throws SyncUsageError */
export function readOptions<Transaction>(options: SyncOptions<Transaction>): SyncSettings<Transaction> {
  checkNames('createSync()', options, NAMES)
  const common = readCommon(options)
  const { store, deleted = 'mark' } = options
  if (typeof store?.transaction !== 'function')
    throw invalid('store', 'a store, such as sqliteStore("responses.db")', store)
  if (deleted !== 'mark' && deleted !== 'erase') throw invalid('deleted', '"mark" or "erase"', deleted)
  if (deleted === 'erase' && options.deletions === false)
    throw new SyncUsageError('"deleted" cannot be "erase" with "deletions" false: no deletion is looked for.')
  for (const name of ['deletions', 'drafts'] as const) {
    const value = options[name]
    if (value !== undefined && typeof value !== 'boolean') throw invalid(name, 'true or false', value)
  }
  const { onResponse, onChanges, onProgress, onPause, onFormLost, onFormFailed, onFormRecovered } = options
  const { onDrift, onUpToDate, onFailure, fullEveryMs = 7 * DAY_MS } = options
  checkFunctions({ onResponse, onChanges, onProgress, onPause, onFormLost, onFormFailed, onFormRecovered })
  checkFunctions({ onDrift, onUpToDate, onFailure })
  checkDurations({ fullEveryMs })
  return {
    ...options,
    ...common,
    deletions: options.deletions ?? true,
    deleted,
    drafts: options.drafts ?? false,
    fullEveryMs,
    movedFrom: serviceUrl('movedFrom', options.movedFrom),
  }
}
