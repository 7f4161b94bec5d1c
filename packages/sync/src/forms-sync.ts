import { randomUUID } from 'node:crypto'
import type { Form } from '@formwire/contract'
import { sleep } from '@formwire/internal/clock'
import { isRateLimitError, isTimeoutError } from '@formwire/sdk'
import { isIdleEnd } from './database/driver.ts'
import { pauseMs } from './failures.ts'
import type { SyncSettings } from './options.ts'
import { failureCode, isFormFailure, isFormLocked, isGone } from './round/errors.ts'
import { syncForm } from './round/form-round.ts'
import { markLost, readAllForms, readGivenForms, type WrittenForms } from './round/forms.ts'
import { integerOf } from './rows/row.ts'
import type { Run } from './run.ts'
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

/** Reads the forms, and synchronizes them one after the other. */
export class FormsSync<Transaction> {
  readonly #settings: SyncSettings<Transaction>
  readonly #activity: Activity
  readonly #written: WrittenForms = new Map()
  /** The total of responses at which forms were last read again. */
  readonly #refreshedAt = new Map<string, number>()
  /** Names this process in what is remembered of a form that it reads. */
  readonly #reader = randomUUID()
  /** Forms whose rows of earlier runs were erased. */
  readonly #erased = new Set<string>()

  constructor(settings: SyncSettings<Transaction>, activity: Activity) {
    this.#settings = settings
    this.#activity = activity
  }

  /** Reads the chosen forms, or all of the workspace, and writes them to the database. */
  async readForms(run: Run): Promise<{ forms: Form[]; unknown: string[] }> {
    const { context } = run
    const { forms } = this.#settings
    this.#refreshedAt.clear()
    return await (forms === 'all' ? readAllForms(context, this.#written) : readGivenForms(context, forms))
  }

  /**
   * Synchronizes forms one after the other. A form that the service fails for does not stop the others.
   *
   * @throws what concerns all forms, such as the second form in a row that times out
   */
  async syncForms(
    run: Run,
    forms: readonly Form[],
    { verify, drafts, sliced }: { verify: boolean; drafts: boolean; sliced: boolean },
    outcomes: Outcomes,
  ): Promise<void> {
    const { deletions, fullEveryMs, signal, clock, store } = this.#settings
    let timedOut = false
    let locked = 0
    // One whose lock another process holds is added at the end.
    const queue = [...forms]
    for (const form of queue) {
      signal?.throwIfAborted()
      const startedAt = clock.now()
      const table = run.context.tables.form(form.id)
      try {
        const listed = run.follows ? await table.begin(this.#reader) : undefined
        if (!this.#erased.has(form.id)) await table.eraseMarked()
        this.#erased.add(form.id)
        const responseCount = form.response_count
        run.totals.set(form.id, responseCount)
        // A round that is repeated after a failure does not verify again what it has verified.
        const isNew = !run.forms.has(form.id)
        const round = { deletions, drafts, verify: verify && isNew, fullEveryMs, responseCount, sliced }
        const isFinished = await this.patiently(() => syncForm(run.context, form.id, round))
        run.forms.add(form.id)
        this.#activity.reads(form.id)
        timedOut = false
        locked = 0
        if (listed && isFinished) {
          const count = integerOf((await this.#refreshed(run, form)).response_count)
          await table.finish(this.#reader, { ...listed, count }, drafts || !this.#settings.drafts)
        }
        outcomes.done?.(form, isFinished)
      } catch (error) {
        if (isGone(error)) {
          await markLost(run.context, form.id)
          this.#activity.reads(form.id)
          this.#written.delete(form.id)
          outcomes.lost(form.id)
        } else if (isFormLocked(error, store) && locked + 1 < MAX_LOCKED) {
          locked += 1
          // Another process that holds the lock records what becomes of the form itself.
          if (isIdleEnd(error)) await table.setError(codeOf(error)).catch(() => undefined)
          this.#activity.fails(form.id, error)
          if (run.follows) outcomes.failed(form, error, clock.now() - startedAt)
          else queue.push(form)
        } else if (isFormFailure(error)) {
          await table.setError(failureCode(error))
          this.#activity.fails(form.id, error)
          const isNew = outcomes.failed(form, error, clock.now() - startedAt)
          if (timedOut && isNew && isTimeoutError(error)) throw error
          timedOut = isTimeoutError(error)
        } else throw error
      } finally {
        if (run.reading) this.#settings.onProgress?.({ ...run.reading, read: run.reading.total })
        run.reading = undefined
      }
    }
  }

  /** Reads a form again whose responses are not as many as its row says, which would be old until the next list of forms. */
  async #refreshed({ context, totals }: Run, form: Form): Promise<Form> {
    const { id, response_count } = form
    const total = totals.get(id) ?? response_count
    if ((this.#refreshedAt.get(id) ?? response_count) === total) return form
    const { forms } = await this.patiently(() => readGivenForms(context, [id]))
    this.#refreshedAt.set(id, total)
    this.#written.delete(id)
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
    this.#activity.pauses(error, waitMs)
    onPause?.({ error, attempt, waitMs })
    return sleep(clock, waitMs, signal)
  }
}
