import { globalClock } from '@formwire/internal/clock'
import { type BudgetStore, Formwire, isRateLimitError } from '@formwire/sdk'
import { cleanText, quoteName } from '../database/dialect.ts'
import { failedBy, LOCK_WAIT_MS, type Session, type SyncStore } from '../database/driver.ts'
import { recordStop } from '../engine/stops.ts'
import { StoreError, UnknownFormsError } from '../errors.ts'
import { Failures } from '../failures.ts'
import { Once } from '../once.ts'
import type { SyncedResponse } from '../options.ts'
import { roomOf } from '../plan/follow.ts'
import { type PostgresTransaction, postgresStore } from '../postgres/index.ts'
import { isFormLocked } from '../round/errors.ts'
import type { ReaderContext } from '../round/reader.ts'
import type { KnownResponse } from '../rows/row.ts'
import { type FormStatus, readSyncStatus } from '../status.ts'
import { explained } from '../store/schema.ts'
import { Tables } from '../store/tables.ts'
import { prepareForWorkspace } from '../store/workspace.ts'
import { Activity } from '../watch/activity.ts'
import type { FleetSettings, FleetWorkspace } from './options.ts'

/** Forms in a row that fail, from which on the service is said to be unavailable: nothing else is known to work. */
const MANY_FAILURES = 5

/** A key of a workspace, with what this worker does with it. */
export interface KeyInUse {
  readonly formwire: Formwire
  /** Jobs in progress. */
  active: number
  /** Creates or checks the tables, once the service has accepted the key. */
  readonly preparation: Once
}

/** What the workspaces of one worker share. */
export interface SharedByWorkspaces {
  readonly root: SyncStore<PostgresTransaction>
  readonly budget: BudgetStore
  /** Name and service of the workspace that has an id in a schema. */
  readonly owners: Map<string, { readonly name: string; readonly baseUrl: string }>
}

/** One workspace in one worker. */
export class Workspace {
  readonly name: string
  /** What this worker does for it. */
  readonly activity: Activity
  /** Records for other processes the code of what stopped the work, or null if it goes on. */
  readonly record: (error: string | null) => Promise<void>
  readonly #settings: FleetSettings
  /** Ids of forms, or all. */
  readonly #chosen: readonly string[] | 'all'
  readonly #store: SyncStore<PostgresTransaction>
  /** The rows, once the service has accepted a key. */
  #tables: Tables<PostgresTransaction> | undefined
  /** Keys that the service accepts, as far as this worker knows. */
  #keys: KeyInUse[]
  /** Keys with which the service was last unavailable or limited requests. */
  readonly #outages = new Failures<KeyInUse>(globalClock, Math.random)
  /** Forms that failed since the service last worked, and worked before. */
  readonly #failing = new Set<string>()
  /** Forms that failed while the service worked for others. */
  readonly #broken = new Set<string>()
  /** Forms whose lock another process held. */
  readonly locked = new Failures<string>(globalClock, Math.random)
  /** Why the work for it has ended in this worker. */
  error: unknown
  /** Chosen forms that the last round did not list. */
  #unknown: ReadonlySet<string> = new Set()
  /** Whether this worker has a round of it in progress. */
  hasRound = false

  constructor(
    settings: FleetSettings,
    workspace: FleetWorkspace,
    { root, budget, owners }: SharedByWorkspaces,
  ) {
    const { name, schema, apiKeys, baseUrl, transport, forms = 'all' } = workspace
    const { connectionString, queueSchema, poolSize, transactionIdleMs } = settings
    const rateLimit = settings.rateLimit && { ...settings.rateLimit, store: budget }
    this.name = name
    this.#settings = settings
    this.record = (error) => recordStop(root, { schema: queueSchema, name, error })
    this.#chosen = forms
    this.#store =
      schema === undefined ? root : postgresStore({ connectionString, schema, poolSize, transactionIdleMs })
    const schemas = new Once(async () => {
      await createSchema(root, queueSchema)
      if (schema !== undefined) await createSchema(root, schema)
    })
    this.#keys = apiKeys.map((apiKey) => {
      // The queue repeats what failed, and a job waits for the budget as long as others need it.
      const options = {
        apiKey,
        rateLimit,
        transport,
        maxRetries: 0,
        totalTimeoutMs: Number.POSITIVE_INFINITY,
      }
      const formwire = new Formwire(baseUrl === undefined ? options : { ...options, baseUrl })
      const preparation = new Once(async () => {
        await schemas.run()
        const id = await prepareForWorkspace(this.#store, formwire)
        const place = JSON.stringify([schema, id])
        const owner = owners.get(place) ?? { name, baseUrl: formwire.baseUrl }
        if (owner.baseUrl !== formwire.baseUrl)
          throw new StoreError(
            `The workspaces ${JSON.stringify(owner.name)} (${owner.baseUrl}) and ${JSON.stringify(name)} (${formwire.baseUrl}) of different services both have the id ${id} and would overwrite the rows of each other in one schema. Give one of them a "schema" of its own.`,
            'other_workspace',
          )
        owners.set(place, owner)
        this.#begin(id)
      })
      return { formwire, active: 0, preparation }
    })
    const all = this.#keys
    const keys = (): KeyInUse[] => this.#keys
    this.activity = new Activity(() => globalClock.now(), {
      get sent() {
        return all.reduce((sum, { formwire }) => sum + formwire.budget.sent, 0)
      },
      get remaining() {
        return keys().reduce((sum, { formwire }) => sum + formwire.budget.remaining, 0)
      },
    })
  }

  /** @throws StoreError if the keys belong to several workspaces, whose rows would be one another's */
  #begin(workspaceId: string): void {
    const { name, activity } = this
    const { onResponse, onViewFull, deleted } = this.#settings
    const known = activity.workspaceId ?? workspaceId
    if (known !== workspaceId)
      throw new StoreError(
        `The keys of ${JSON.stringify(name)} belong to the workspaces ${known} and ${workspaceId}. Give each workspace an entry of its own.`,
        'other_workspace',
      )
    activity.workspaceId = workspaceId
    this.#tables ??= new Tables({
      store: this.#store,
      workspaceId,
      deleted,
      onFirst:
        onResponse && ((response, transaction) => onResponse(response as SyncedResponse, transaction, name)),
      onViewFull: onViewFull && ((view) => onViewFull(view, name)),
      now: () => globalClock.now(),
    })
  }

  /** The rows of the workspace. Available after the preparation of a key. */
  get tables(): Tables<PostgresTransaction> {
    return this.#tables as Tables<PostgresTransaction>
  }

  /** Records why a form could not be read, if the tables are there. */
  async setError(formId: string, code: string): Promise<void> {
    await this.#tables?.form(formId).setError(code)
  }

  /** Whether this worker may begin another job of the workspace. */
  get hasCapacity(): boolean {
    return this.#available().some(({ active }) => active < this.#settings.concurrency)
  }

  /** Whether a key works, and does not wait for the end of an outage. */
  get isAvailable(): boolean {
    return this.#available().length > 0
  }

  #available(): KeyInUse[] {
    const now = globalClock.now()
    return this.#keys.filter((key) => now >= this.#outages.retryAt(key))
  }

  /** The available key with the fewest jobs, of these the one with the most requests left. */
  key(): KeyInUse {
    const available = this.#available()
    const [key] = (available.length > 0 ? available : this.#keys).toSorted(
      (a, b) => a.active - b.active || b.formwire.budget.remaining - a.formwire.budget.remaining,
    )
    return key as KeyInUse
  }

  /** Requests that forms may take whose counts did not move. */
  get room(): number {
    return Math.floor(this.#keys.reduce((sum, { formwire }) => sum + roomOf(formwire.budget), 0))
  }

  isChosen(formId: string): boolean {
    return this.#chosen === 'all' || this.#chosen.includes(formId)
  }

  /** Returns an error that names the chosen forms that do not exist, each once until it is listed. */
  unknown(listed: readonly { id: string }[]): UnknownFormsError | undefined {
    const ids = new Set(listed.map(({ id }) => id))
    const absent = this.#chosen === 'all' ? [] : this.#chosen.filter((id) => !ids.has(id))
    const unknown = absent.filter((id) => !this.#unknown.has(id))
    this.#unknown = new Set(absent)
    if (unknown.length === 0) return undefined
    const { changes, requests } = this.activity.status()
    const summary = { forms: ids.size, ...changes, requests: requests.sent, duration_ms: 0 }
    return new UnknownFormsError(unknown, summary)
  }

  /** Returns how far its tables are; nothing before this worker has used them. */
  async forms(): Promise<FormStatus[]> {
    if (!this.#tables) return []
    const { forms } = await readSyncStatus(this.#store)
    const { workspaceId } = this.activity
    return forms.filter((form) => form.workspace_id === workspaceId && this.isChosen(form.id))
  }

  /** The worker has looked into the queue. An outage is over when its pause is, also if others do what there is to do. */
  looked(): void {
    this.activity.starts()
    if (this.isAvailable) this.activity.recovers()
  }

  /** The worker goes on. A job in progress has to move by itself. */
  moves(): void {
    if (this.error === undefined && this.#keys.every(({ active }) => active === 0)) this.activity.moves()
  }

  /** What a round or a form is read with. */
  context({ formwire, preparation }: KeyInUse, signal: AbortSignal, isOver?: () => boolean): ReaderContext {
    const { onChanges } = this.#settings
    return {
      formwire,
      tables: this.tables,
      perPage: 100,
      prepare: () => preparation.run(),
      now: () => globalClock.now(),
      signal,
      onChanges: (changes) => {
        this.activity.wrote(changes)
        if (changes.length > 0) onChanges?.(changes, this.name)
      },
      ...(isOver && { isOver }),
    }
  }

  /** Notes that the service works with a key, and for a form if it was read. Returns whether an outage is over. */
  worked(key: KeyInUse, formId?: string): boolean {
    const wasOut = this.#outages.has(key)
    this.#outages.delete(key)
    for (const id of this.#failing) this.#broken.add(id)
    this.#failing.clear()
    if (formId !== undefined) this.#broken.delete(formId)
    return wasOut && !this.#keys.some((other) => this.#outages.has(other))
  }

  /** Notes that a form failed. Returns whether so many do, which worked before, that the service is unavailable. Locks say nothing of it. */
  formFailed(formId: string, error: unknown): boolean {
    this.activity.fails(formId, error)
    if (this.isLocked(error)) return false
    if (!this.#broken.has(formId)) this.#failing.add(formId)
    return this.#failing.size > MANY_FAILURES
  }

  /**
   * Begins no job with a key for a while. Returns the milliseconds, and whether an outage begins. Jobs that fail at the same time have one
   * pause, unless the service says how long it is.
   */
  pause(key: KeyInUse, error: unknown): { waitMs: number; isNew: boolean } {
    const isNew = !this.#keys.some((other) => this.#outages.has(other))
    const leftMs = this.#outages.retryAt(key) - globalClock.now()
    const waitMs = leftMs > 0 && !isRateLimitError(error) ? leftMs : this.#outages.add(key, error).waitMs
    this.activity.pauses(error, waitMs)
    return { waitMs, isNew }
  }

  /** Ends the use of a key that the service rejects for good. With the last one, the work ends. */
  drop(key: KeyInUse, error: unknown): void {
    this.#keys = this.#keys.filter((other) => other !== key)
    if (this.#keys.length === 0) this.end(error)
    else this.activity.notes(error)
  }

  /** Ends the work for the workspace in this worker. */
  end(error: unknown): void {
    this.error ??= error
    this.#keys = []
    this.activity.ends(error)
  }

  /** Whether another process holds the lock of a form. */
  isLocked(error: unknown): boolean {
    return isFormLocked(error, this.#store)
  }

  /** Returns an error, or what explains it: a newer version of the package has replaced the tables. */
  explained(error: unknown): Promise<unknown> {
    return explained(this.#store, error)
  }

  /** Writes a response that came by webhook, and has the next round read its form. */
  async deliver(response: KnownResponse): Promise<void> {
    if (this.error !== undefined) throw this.error
    await this.key().preparation.run()
    const table = this.tables.form(response.form_id)
    const changes = await table.deliver(response)
    await table.forget()
    this.activity.counts(changes)
    if (changes.length > 0) this.#settings.onChanges?.(changes, this.name)
  }

  async close(): Promise<void> {
    await this.#store.close()
  }
}

/** A role that may not create schemas can use one that exists. */
async function createSchema(root: SyncStore<PostgresTransaction>, schema: string): Promise<void> {
  const name = quoteName(cleanText(schema))
  const create = async (session: Session): Promise<void> => {
    const [row] = await session.query('SELECT to_regnamespace(?) IS NOT NULL AS found', [name])
    if (row?.found) return
    try {
      await session.query(`CREATE SCHEMA ${name}`)
    } catch (error) {
      if (error instanceof StoreError) throw error
      // For example a name that is reserved.
      throw failedBy(error, 'refused', `Cannot create the schema ${name}: ${(error as Error).message}.`)
    }
  }
  await root.transaction('tables', create, { waitMs: LOCK_WAIT_MS })
}
