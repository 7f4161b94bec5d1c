import { randomUUID } from 'node:crypto'
import type { Form } from '@formwire/contract'
import { sleep } from '@formwire/internal/clock'
import { isRateLimitError, isTimeoutError } from '@formwire/sdk'
import { isIdleEnd } from './database/driver.ts'
import type { SyncSummary } from './errors.ts'
import { pauseMs } from './failures.ts'
import type { SyncSettings } from './options.ts'
import { failureCode, isFormFailure, isFormLocked, isGone } from './round/errors.ts'
import { syncForm } from './round/form-round.ts'
import { markLost, readAllForms, readGivenForms } from './round/forms.ts'
import type { ReaderContext } from './round/reader.ts'
import { integerOf } from './rows/row.ts'
import type { Tables } from './store/tables.ts'
import { type Activity, codeOf } from './watch/activity.ts'

/** What becomes of each form of a round. */
export interface Outcomes {
  /** @param isFinished whether nothing is left to read in the next round */
  done?(form: Form, isFinished: boolean): void
  lost(id: string): void
  /** Returns whether the form could be read before. */
  failed(form: Form, error: unknown, tookMs: number): boolean
}

/** Locks in a row that were not free, after which the database counts as locked. */
const MAX_LOCKED = 4

/** One call of `once()` or `run()`: reads forms, synchronizes them one after the other, and counts what changed. */
export class Run<Transaction> {
  /** Whether `run()` has found the forms that it follows. */
  follows = false
  /** Forms that were read. */
  readonly forms = new Set<string>()
  readonly activity: Activity
  readonly context: ReaderContext
  readonly #settings: SyncSettings<Transaction>
  readonly #startedAt: number
  readonly #sentBefore: number
  readonly #counts = { inserted: 0, updated: 0, deleted: 0 }
  /** `response_count` of each form, or the total of its last list. */
  readonly #totals = new Map<string, number>()
  /** The total of responses at which forms were last read again. */
  readonly #refreshedAt = new Map<string, number>()
  /** Forms whose rows of earlier runs were erased. */
  readonly #erased = new Set<string>()
  /** Names this run in what is remembered of a form that it reads. */
  readonly #reader = randomUUID()
  /** The form whose progress was reported, and not its end. */
  #reading: { formId: string; total: number } | undefined

  /** @param prepare creates or checks the tables, and returns those of the key's workspace */
  constructor(
    settings: SyncSettings<Transaction>,
    activity: Activity,
    prepare: (signal: AbortSignal | undefined) => Promise<Tables<Transaction>>,
  ) {
    const { formwire, clock, signal, per_page: perPage } = settings
    const { onChanges, onProgress, onFormLost } = settings
    this.#settings = settings
    this.activity = activity
    this.#startedAt = clock.now()
    this.#sentBefore = formwire.budget.sent
    let tables: Tables<Transaction> | undefined
    this.context = {
      formwire,
      get tables() {
        if (!tables) throw new TypeError('The tables are used before prepare().')
        return tables
      },
      perPage,
      prepare: async () => {
        tables = await prepare(signal)
      },
      now: () => clock.now(),
      signal,
      onChanges: (changes) => {
        activity.wrote(changes)
        for (const { kind } of changes) this.#counts[kind] += 1
        if (changes.length > 0) onChanges?.(changes)
      },
      onProgress: (formId, read) => {
        const total = Math.max(read, this.#totals.get(formId) ?? read)
        this.#reading = { formId, total }
        if (read < total) onProgress?.({ formId, read, total })
      },
      onTotal: (formId, total) => void this.#totals.set(formId, total),
      onFormLost: (formId) => {
        if (this.follows) onFormLost?.(formId)
      },
    }
  }

  hasChanges(): boolean {
    return Object.values(this.#counts).some((count) => count > 0)
  }

  summary(): SyncSummary {
    const { formwire, clock } = this.#settings
    return {
      forms: this.forms.size,
      ...this.#counts,
      requests: formwire.budget.sent - this.#sentBefore,
      duration_ms: Math.max(0, Math.round(clock.now() - this.#startedAt)),
    }
  }

  /** Reads the chosen forms, or all of the workspace, and writes them to the database. */
  async readForms(): Promise<{ forms: Form[]; unknown: string[] }> {
    const { forms } = this.#settings
    this.#refreshedAt.clear()
    if (forms !== 'all') return await readGivenForms(this.context, forms)
    return await readAllForms(this.context, undefined, !this.follows)
  }

  /**
   * Synchronizes forms one after the other. A form that the service fails for does not stop the others.
   *
   * @throws what concerns all forms, such as the second form in a row that times out
   */
  async syncForms(
    forms: readonly Form[],
    { verify, drafts, sliced }: { verify: boolean; drafts: boolean; sliced: boolean },
    outcomes: Outcomes,
  ): Promise<void> {
    const { deletions, fullEveryMs, signal, clock, store } = this.#settings
    const { context, activity } = this
    let timedOut = false
    let locked = 0
    // One whose lock another process holds is added at the end.
    const queue = [...forms]
    for (const form of queue) {
      signal?.throwIfAborted()
      const startedAt = clock.now()
      const table = context.tables.form(form.id)
      try {
        const listed = this.follows ? await table.begin(this.#reader) : undefined
        if (!this.#erased.has(form.id)) await table.eraseMarked()
        this.#erased.add(form.id)
        const responseCount = form.response_count
        this.#totals.set(form.id, responseCount)
        // A round that is repeated after a failure does not verify again what it has verified.
        const isNew = !this.forms.has(form.id)
        const round = { deletions, drafts, verify: verify && isNew, fullEveryMs, responseCount, sliced }
        const isFinished = await this.patiently(() => syncForm(context, form.id, round))
        this.forms.add(form.id)
        activity.reads(form.id)
        timedOut = false
        locked = 0
        if (listed && isFinished) {
          const count = integerOf((await this.#refreshed(form)).response_count)
          await table.finish(this.#reader, { ...listed, count }, drafts || !this.#settings.drafts)
        }
        outcomes.done?.(form, isFinished)
      } catch (error) {
        if (isGone(error)) {
          await markLost(context, form.id)
          activity.reads(form.id)
          outcomes.lost(form.id)
        } else if (isFormLocked(error, store) && locked + 1 < MAX_LOCKED) {
          locked += 1
          // Another process that holds the lock records what becomes of the form itself.
          if (isIdleEnd(error)) await table.setError(codeOf(error)).catch(() => undefined)
          activity.fails(form.id, error)
          if (this.follows) outcomes.failed(form, error, clock.now() - startedAt)
          else queue.push(form)
        } else if (isFormFailure(error)) {
          await table.setError(failureCode(error))
          activity.fails(form.id, error)
          const isNew = outcomes.failed(form, error, clock.now() - startedAt)
          if (timedOut && isNew && isTimeoutError(error)) throw error
          timedOut = isTimeoutError(error)
        } else throw error
      } finally {
        if (this.#reading) this.#settings.onProgress?.({ ...this.#reading, read: this.#reading.total })
        this.#reading = undefined
      }
    }
  }

  /** Reads a form again whose responses are not as many as its row says, which would be old until the next list of forms. */
  async #refreshed(form: Form): Promise<Form> {
    const { id, response_count } = form
    const total = this.#totals.get(id) ?? response_count
    if ((this.#refreshedAt.get(id) ?? response_count) === total) return form
    const { forms } = await this.patiently(() => readGivenForms(this.context, [id]))
    this.#refreshedAt.set(id, total)
    // With any other count, something changed after the list, and the form is read again.
    return forms[0]?.response_count === total ? forms[0] : form
  }

  /** Waits out rate limits, as often as the service requires. What was written before stays written. */
  async patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        if (!isRateLimitError(error)) throw error
        await this.pause(error, attempt)
        this.#settings.signal?.throwIfAborted()
      }
    }
  }

  /** Waits before the next attempt. Returns false if the signal aborts. */
  pause(error: unknown, attempt: number): Promise<boolean> {
    const { clock, signal, random, onPause } = this.#settings
    const waitMs = pauseMs(error, attempt, random)
    this.activity.pauses(error, waitMs)
    onPause?.({ error, attempt, waitMs })
    return sleep(clock, waitMs, signal)
  }
}
