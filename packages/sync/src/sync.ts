import { BOOLEAN, readOptions } from './check-options.ts'
import { type SyncSummary, UnknownFormsError } from './errors.ts'
import { Following } from './following.ts'
import { Once } from './once.ts'
import { readSyncOptions, type SyncedResponse, type SyncOptions, type SyncSettings } from './options.ts'
import { deliveredResponse, type SubmittedEvent } from './rows/row.ts'
import { Run } from './run.ts'
import { explained } from './store/schema.ts'
import { Tables } from './store/tables.ts'
import { prepareForWorkspace } from './store/workspace.ts'
import { Activity, type RunStatus } from './watch/activity.ts'

/** Options of `once()`. */
export interface OnceOptions {
  /** Reads every response, which also finds what counts cannot show. @default false */
  verify?: boolean | undefined
}

/** Keeps a database equal to the service. Create it with {@link createSync}. */
export interface Sync {
  /**
   * Makes the database equal to the service, and returns what changed.
   *
   * @throws UnknownFormsError if given forms do not exist; the others are synchronized.
   * @throws StoreError if the database refuses or fails. @throws the SDK's errors
   */
  once(options?: OnceOptions): Promise<SyncSummary>
  /**
   * Follows the service until `signal` aborts, and returns what changed. Continues after outages of the service and the database, and
   * while the service fails for some forms. Permanent errors end it, such as a revoked key; so does an unknown form, at the start only.
   */
  run(options?: OnceOptions): Promise<SyncSummary>
  /** Returns what `once()` or `run()` does in this process, without a request or a query. `readSyncStatus` reads the database. */
  status(): RunStatus
  /**
   * Handlers for `createReceiver({ on })` of `@formwire/webhook-verify`: a response is in the table as soon as its delivery is
   * acknowledged. If writing fails, the handler rejects, and the service delivers again.
   */
  handlers: {
    'response.submitted': (event: SubmittedEvent) => Promise<void>
  }
}

/**
 * Creates a synchronization of forms into a database.
 *
 * @example
 * const sync = createSync({ formwire, store: sqliteStore('responses.db'), forms: 'all' })
 * const { inserted, deleted } = await sync.once()
 * @throws SyncUsageError for an unknown or invalid option.
 */
export function createSync<Transaction>(options: SyncOptions<Transaction>): Sync {
  const engine = new Engine(readSyncOptions(options))
  return {
    once: async (given = {}) => engine.once(readVerify('once()', given)),
    run: async (given = {}) => engine.run(readVerify('run()', given)),
    status: () => engine.activity.status(),
    handlers: { 'response.submitted': (event) => engine.receive(event) },
  }
}

function readVerify(call: string, options: OnceOptions): boolean {
  return readOptions(call, options, { shape: { verify: BOOLEAN } }).verify === true
}

class Engine<Transaction> {
  readonly activity: Activity
  readonly #settings: SyncSettings<Transaction>
  /** Those of the key's workspace, once it is known. */
  #tables: Tables<Transaction> | undefined
  /** For webhooks, many of which may come at once. The end of `run()` does not stop them. */
  readonly #preparation: Once<Tables<Transaction>>
  /** The latest call of `run()`. */
  #following: Following<Transaction> | undefined

  constructor(settings: SyncSettings<Transaction>) {
    this.#settings = settings
    this.activity = new Activity(() => settings.clock.now(), settings.formwire.budget)
    this.#preparation = new Once(() => this.#prepare(undefined))
  }

  async #prepare(signal: AbortSignal | undefined): Promise<Tables<Transaction>> {
    const { formwire, store, deleted, onResponse, onViewFull, clock } = this.#settings
    const workspaceId = await prepareForWorkspace(store, formwire, signal)
    this.activity.workspaceId = workspaceId
    this.#tables ??= new Tables({
      store,
      workspaceId,
      deleted,
      onFirst: onResponse && ((response, transaction) => onResponse(response as SyncedResponse, transaction)),
      onViewFull,
      now: () => clock.now(),
    })
    return this.#tables
  }

  once(verify: boolean): Promise<SyncSummary> {
    return this.#ending((run) => this.#once(run, verify))
  }

  run(verify: boolean): Promise<SyncSummary> {
    return this.#ending((run) => {
      this.#following = new Following(this.#settings, run, verify)
      return this.#following.follow()
    })
  }

  async receive(event: SubmittedEvent): Promise<void> {
    const { form } = event
    const { forms, onChanges } = this.#settings
    if (forms !== 'all' && !forms.includes(form.id)) return
    const tables = await this.#preparation.run()
    const changes = await tables.form(form.id).deliver(deliveredResponse(event))
    this.activity.counts(changes)
    this.#following?.touch(form.id)
    if (changes.length > 0) onChanges?.(changes)
  }

  /** Reports what was done before an error. */
  async #ending(work: (run: Run<Transaction>) => Promise<SyncSummary>): Promise<SyncSummary> {
    // A missing driver is reported before any request, and the tables are created after the first one.
    await this.#settings.store.load?.()
    const run = new Run(this.#settings, this.activity, (signal) => this.#prepare(signal))
    this.activity.moves()
    try {
      const summary = await work(run)
      this.activity.ends()
      return summary
    } catch (error) {
      this.activity.ends(this.#settings.signal?.aborted ? undefined : error)
      const summary = run.summary()
      if (run.forms.size > 0 || run.hasChanges()) this.#settings.onFailure?.(summary)
      throw await explained(this.#settings.store, error)
    }
  }

  async #once(run: Run<Transaction>, verify: boolean): Promise<SyncSummary> {
    const { forms, unknown } = await run.patiently(() => run.readForms())
    let failure: unknown
    const { drafts } = this.#settings
    await run.syncForms(
      forms,
      { verify, drafts, sliced: false },
      {
        lost: (id) => this.#settings.forms !== 'all' && unknown.push(id),
        failed(_form, error) {
          failure ??= error
          return true
        },
      },
    )
    await this.#tables?.followViews()
    if (failure !== undefined) throw failure
    run.activity.endsRound(unknown.length === 0)
    if (unknown.length > 0) throw new UnknownFormsError(unknown, run.summary())
    return run.summary()
  }
}
