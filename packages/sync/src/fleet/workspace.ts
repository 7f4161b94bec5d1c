import { globalClock } from '@formwire/internal/clock'
import { type BudgetStore, Formwire, isRateLimitError } from '@formwire/sdk'
import { serviceUrl } from '../check-options.ts'
import { quoteName } from '../database/dialect.ts'
import type { SyncStore } from '../database/driver.ts'
import { recordStop } from '../engine/stops.ts'
import { StoreError, UnknownFormsError } from '../errors.ts'
import { Failures } from '../failures.ts'
import { Once } from '../once.ts'
import type { SyncedResponse } from '../options.ts'
import { type PostgresTransaction, postgresStore } from '../postgres/index.ts'
import { isGone } from '../round/errors.ts'
import type { ReaderContext } from '../round/reader.ts'
import type { KnownResponse } from '../rows/row.ts'
import { type FormStatus, readSyncStatus } from '../status.ts'
import { explained } from '../store/migrations.ts'
import { Tables } from '../store/tables.ts'
import { prepareForWorkspace } from '../store/workspace.ts'
import { Activity } from '../watch/activity.ts'
import { DriftWatch } from '../watch/drift.ts'
import type { FleetSettings, FleetWorkspace } from './options.ts'
import { SeenForms } from './seen.ts'
import { OtherServiceError, type Owner } from './services.ts'

/** Forms in a row that fail, from which on the service is said to be unavailable: nothing else is known to work. */
const MANY_FAILURES = 5

/** A key of a workspace, with what this worker does with it. */
export interface Lane {
  readonly formwire: Formwire
  /** Jobs in progress. */
  active: number
  /** Creates or checks the tables, once the service has accepted the key. */
  readonly preparation: Once
}

interface Rows {
  readonly workspaceId: string
  readonly tables: Tables<PostgresTransaction>
  readonly seen: SeenForms<PostgresTransaction>
}

/** One workspace in one worker. */
export class Workspace {
  readonly name: string
  /** Whose rows it has, also after its work has ended. */
  readonly owner: Owner
  /** What this worker does for it. */
  readonly activity: Activity
  readonly drift: DriftWatch | undefined
  /** Records for other processes the code of what stopped the work, or null if it goes on. */
  readonly record: (error: string | null) => Promise<void>
  readonly #settings: FleetSettings
  readonly #workspace: FleetWorkspace
  readonly #store: SyncStore<PostgresTransaction>
  /** What is known of the rows, once the service has accepted a key. */
  #rows: Rows | undefined
  /** Keys that the service accepts, as far as this worker knows. */
  #lanes: Lane[]
  /** Keys with which the service was last unavailable or limited requests. */
  readonly #outages = new Failures<Lane>(globalClock, Math.random)
  /** Forms that failed since the service last worked, and worked before. */
  readonly #failing = new Set<string>()
  /** Forms that failed while the service worked for others. */
  readonly #broken = new Set<string>()
  /** Why the work for it has ended in this worker. */
  error: unknown
  /** Chosen forms that were not listed, and were asked for since. */
  readonly #sought = new Set<string>()
  /** Whether this worker has a round of it in progress. */
  hasRound = false

  constructor(
    settings: FleetSettings,
    workspace: FleetWorkspace,
    {
      root,
      budget,
      checks,
    }: { root: SyncStore<PostgresTransaction>; budget: BudgetStore; checks: ReadonlyMap<unknown, Once> },
  ) {
    const { name, schema, apiKeys, baseUrl } = workspace
    const { connectionString, onDrift, queueSchema, poolSize } = settings
    const rateLimit = settings.rateLimit && { ...settings.rateLimit, store: budget }
    this.name = name
    this.#settings = settings
    this.record = (error) => recordStop(root, { schema: queueSchema, name, error })
    this.#workspace = workspace
    this.#store = schema === undefined ? root : postgresStore({ connectionString, schema, poolSize })
    const now = (): number => globalClock.now()
    this.drift =
      onDrift &&
      new DriftWatch(
        () => this.tables.drift,
        (drift) => onDrift(drift, name),
      )
    const schemas = new Once(async () => {
      await createSchema(root, queueSchema)
      if (schema !== undefined) await createSchema(root, schema)
    })
    this.#lanes = apiKeys.map((apiKey) => {
      // The queue repeats what failed, and a job waits for the budget as long as others need it.
      const options = { apiKey, rateLimit, maxRetries: 0, totalTimeoutMs: Number.POSITIVE_INFINITY }
      const formwire = new Formwire(baseUrl === undefined ? options : { ...options, baseUrl })
      const preparation = new Once(async () => {
        await schemas.run()
        const workspaceId = await prepareForWorkspace(this.#store, formwire, {
          movedFrom: serviceUrl('movedFrom', workspace.movedFrom),
          beforeFirst: async () => await checks.get(schema)?.run(),
        })
        this.#begin(workspaceId)
        this.activity.workspaceId = workspaceId
      })
      return { formwire, active: 0, preparation }
    })
    const all = this.#lanes
    const service = all[0]?.formwire.baseUrl
    this.owner = { name, schema, baseUrl: service, clients: all.map(({ formwire }) => formwire) }
    const remaining = (): number => this.remaining
    this.activity = new Activity(now, {
      get sent() {
        return all.reduce((sum, { formwire }) => sum + formwire.budget.sent, 0)
      },
      get remaining() {
        return remaining()
      },
    })
  }

  /** @throws StoreError if the keys belong to several workspaces, whose rows would be one another's */
  #begin(workspaceId: string): void {
    const { name } = this
    const { onResponse, deleted } = this.#settings
    if (this.#rows && this.#rows.workspaceId !== workspaceId)
      throw new StoreError(
        `The keys of ${JSON.stringify(name)} belong to the workspaces ${this.#rows.workspaceId} and ${workspaceId}. Give each workspace an entry of its own.`,
        'other_workspace',
      )
    const store = this.#store
    const now = (): number => globalClock.now()
    const onFirst: ConstructorParameters<typeof Tables<PostgresTransaction>>[0]['onFirst'] =
      onResponse && ((response, transaction) => onResponse(response as SyncedResponse, transaction, name))
    this.#rows ??= {
      workspaceId,
      tables: new Tables({ store, workspaceId, deleted, onFirst, now }),
      seen: new SeenForms(store, workspaceId, now),
    }
  }

  /** The rows of the workspace. Available after the preparation of a key. */
  get tables(): Tables<PostgresTransaction> {
    return (this.#rows as Rows).tables
  }

  /** What was read of the workspace. Available after the preparation of a key. */
  get seen(): SeenForms<PostgresTransaction> {
    return (this.#rows as Rows).seen
  }

  /** Records why a form could not be read, if the tables are there. */
  async setError(formId: string, code: string): Promise<void> {
    await this.#rows?.tables.marks.setError(formId, code)
  }

  /** Whether this worker may begin another job of the workspace. */
  get hasCapacity(): boolean {
    return this.#available().some(({ active }) => active < this.#settings.concurrency)
  }

  /** Whether a key works, and does not wait for the end of an outage. */
  get isAvailable(): boolean {
    return this.#available().length > 0
  }

  #available(): Lane[] {
    const now = globalClock.now()
    return this.#lanes.filter((lane) => now >= this.#outages.retryAt(lane))
  }

  /** The available key with the fewest jobs, of these the one with the most requests left. */
  lane(): Lane {
    const available = this.#available()
    const [lane] = (available.length > 0 ? available : this.#lanes).toSorted(
      (a, b) => a.active - b.active || b.formwire.budget.remaining - a.formwire.budget.remaining,
    )
    return lane as Lane
  }

  /** Requests that may be sent now, with all keys. */
  get remaining(): number {
    return this.#lanes.reduce((sum, { formwire }) => sum + formwire.budget.remaining, 0)
  }

  /** Ids of forms, or all. */
  get chosen(): readonly string[] | 'all' {
    return this.#workspace.forms ?? 'all'
  }

  isChosen(formId: string): boolean {
    return this.chosen === 'all' || this.chosen.includes(formId)
  }

  /** Returns an error that names the chosen forms that do not exist, each once until it is listed. */
  async unknown(
    listed: readonly { id: string }[],
    { formwire }: Lane,
    signal: AbortSignal,
  ): Promise<UnknownFormsError | undefined> {
    const ids = new Set(listed.map(({ id }) => id))
    const unknown: string[] = []
    for (const id of this.chosen === 'all' ? [] : this.chosen) {
      if (ids.has(id)) this.#sought.delete(id)
      else if (!this.#sought.has(id)) {
        // The list may lack a form that was updated while it was read.
        await formwire.forms.get(id, { signal }).catch((error: unknown) => {
          if (!isGone(error)) throw error
          unknown.push(id)
        })
        this.#sought.add(id)
      }
    }
    if (unknown.length === 0) return undefined
    const { changes, requests } = this.activity.status()
    const summary = { forms: ids.size, ...changes, requests: requests.sent, duration_ms: 0 }
    return new UnknownFormsError(unknown, summary)
  }

  /** Returns how far its tables are; nothing before this worker has used them. */
  async forms(): Promise<FormStatus[]> {
    if (!this.#rows) return []
    const { workspaceId } = this.#rows
    const { forms } = await readSyncStatus(this.#store)
    return forms.filter((form) => form.workspace_id === workspaceId && this.isChosen(form.id))
  }

  /** The worker has looked into the queue. An outage is over when its pause is, also if others do what there is to do. */
  looked(): void {
    this.activity.starts()
    if (this.isAvailable) this.activity.recovers()
  }

  /** The worker goes on. A job in progress has to move by itself. */
  moves(): void {
    if (this.error === undefined && this.#lanes.every(({ active }) => active === 0)) this.activity.moves()
  }

  /** What a round or a form is read with. */
  context({ formwire, preparation }: Lane, signal: AbortSignal, isOver?: () => boolean): ReaderContext {
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
      onProgress: () => undefined,
      onTotal: () => undefined,
      onFormLost: () => undefined,
      ...(isOver && { isOver }),
    }
  }

  /** Notes that the service works with a key, and for a form if it was read. Returns whether an outage is over. */
  worked(lane: Lane, formId?: string): boolean {
    const wasOut = this.#outages.has(lane)
    this.#outages.delete(lane)
    for (const id of this.#failing) this.#broken.add(id)
    this.#failing.clear()
    if (formId !== undefined) this.#broken.delete(formId)
    return wasOut && !this.#lanes.some((other) => this.#outages.has(other))
  }

  /** Notes that a form failed. Returns whether so many do, which worked before, that the service is unavailable. */
  formFailed(formId: string, error: unknown): boolean {
    this.activity.fails(formId, error)
    if (!this.#broken.has(formId)) this.#failing.add(formId)
    return this.#failing.size > MANY_FAILURES
  }

  /**
   * Begins no job with a key for a while. Returns the milliseconds, and whether an outage begins. Jobs that fail at the same time have one
   * pause, unless the service says how long it is.
   */
  pause(lane: Lane, error: unknown): { waitMs: number; isNew: boolean } {
    const isNew = !this.#lanes.some((other) => this.#outages.has(other))
    const leftMs = this.#outages.retryAt(lane) - globalClock.now()
    const waitMs = leftMs > 0 && !isRateLimitError(error) ? leftMs : this.#outages.add(lane, error).waitMs
    this.activity.pauses(error, waitMs)
    return { waitMs, isNew }
  }

  /** Ends the use of a key that the service rejects for good. With the last one, the work ends. */
  drop(lane: Lane, error: unknown): void {
    this.#lanes = this.#lanes.filter((other) => other !== lane)
    if (this.#lanes.length === 0) this.end(error)
    else this.activity.notes(error)
  }

  /** Ends the work for the workspace in this worker. */
  end(error: unknown): void {
    this.error ??= error
    this.#lanes = []
    this.activity.ends(error)
  }

  /** Returns an error, or what explains it: a newer version of the package has upgraded the tables. */
  explained(error: unknown): Promise<unknown> {
    return explained(this.#store, error)
  }

  /** Writes a response that came by webhook, and has the next round read its form. */
  async deliver(response: KnownResponse): Promise<void> {
    if (this.error !== undefined) throw this.error
    await this.lane()
      .preparation.run()
      .catch((error: unknown) => {
        throw error instanceof OtherServiceError ? error.cause : error
      })
    const writing = this.tables.writes.deliver(response.form_id, response)
    const changes = await writing.catch(async (error: unknown) => Promise.reject(await this.explained(error)))
    await this.seen.forget(response.form_id)
    this.activity.counts(changes)
    if (changes.length > 0) this.#settings.onChanges?.(changes, this.name)
  }

  async close(): Promise<void> {
    await this.#store.close()
  }
}

/** A role that may not create schemas can use one that exists. */
async function createSchema(root: SyncStore<PostgresTransaction>, schema: string): Promise<void> {
  const name = quoteName(root.dialect.text(schema))
  await root.transaction('migrations', async (session) => {
    const [row] = await session.query('SELECT to_regnamespace(?) IS NOT NULL AS found', [name])
    if (row?.found) return
    try {
      await session.query(`CREATE SCHEMA ${name}`)
    } catch (error) {
      if (error instanceof StoreError) throw error
      // For example a name that is reserved.
      throw new StoreError(`Cannot create the schema ${name}: ${(error as Error).message}.`, 'refused', {
        cause: error,
      })
    }
  })
}
