import type { Form } from '@formwire/contract'
import { sleep } from '@formwire/internal/clock'
import { isRateLimitError, isTimeoutError } from '@formwire/sdk'
import { pauseMs } from './failures.ts'
import type { SyncSettings } from './options.ts'
import { failureCode, isFormFailure, isGone } from './round/errors.ts'
import { syncForm } from './round/form-round.ts'
import { markLost, readAllForms, readGivenForms, type WrittenForms } from './round/forms.ts'
import type { Run } from './run.ts'
import type { Activity } from './watch/activity.ts'
import { DriftWatch } from './watch/drift.ts'

/** What becomes of each form of a round. */
export interface Outcomes {
  /** @param isFinished whether nothing is left to read in the next round */
  done?(form: Form, isFinished: boolean): void
  lost(id: string): void
  /** Returns whether the form could be read before. */
  failed(form: Form, error: unknown, tookMs: number): boolean
}

/** Reads the forms, and synchronizes them one after the other. */
export class FormsSync<Transaction> {
  readonly #settings: SyncSettings<Transaction>
  readonly #activity: Activity
  /** The latest run, whose tables are those of the workspace. */
  #run: Run | undefined
  readonly #drift: DriftWatch | undefined
  readonly #written: WrittenForms = new Map()
  /** The total of responses at which forms were last read again. */
  readonly #refreshedAt = new Map<string, number>()
  /** Forms whose rows of earlier runs were erased. */
  readonly #erased = new Set<string>()

  constructor(settings: SyncSettings<Transaction>, activity: Activity) {
    const { onDrift } = settings
    this.#settings = settings
    this.#activity = activity
    this.#drift = onDrift && new DriftWatch(() => (this.#run as Run).context.tables.drift, onDrift)
  }

  /** Reads the chosen forms, or all of the workspace, and writes them to the database. */
  async readForms(run: Run): Promise<{ forms: Form[]; unknown: string[] }> {
    const { context } = run
    const { forms } = this.#settings
    this.#run = run
    this.#refreshedAt.clear()
    const found = await (forms === 'all'
      ? readAllForms(context, this.#written)
      : readGivenForms(context, forms))
    await this.#drift?.forms(found.forms, forms)
    return found
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
    const { deletions, fullEveryMs, signal, clock } = this.#settings
    const { marks } = run.context.tables
    let timedOut = false
    for (const form of forms) {
      signal?.throwIfAborted()
      const startedAt = clock.now()
      try {
        if (!this.#erased.has(form.id)) await marks.eraseMarked(form.id)
        this.#erased.add(form.id)
        const responseCount = form.response_count
        run.totals.set(form.id, responseCount)
        // A round that is repeated after a failure does not verify again what it has verified.
        const isNew = !run.forms.has(form.id)
        const round = { deletions, drafts, verify: verify && isNew, fullEveryMs, responseCount, sliced }
        const isFinished = await this.patiently(() => syncForm(run.context, form.id, round))
        await this.#drift?.questions(form.id)
        run.forms.add(form.id)
        this.#activity.reads(form.id)
        timedOut = false
        outcomes.done?.(run.follows ? await this.#refreshed(run, form) : form, isFinished)
      } catch (error) {
        if (isGone(error)) {
          await markLost(run.context, form.id)
          await this.#drift?.lost(form.id)
          this.#activity.reads(form.id)
          this.#written.delete(form.id)
          outcomes.lost(form.id)
        } else if (isFormFailure(error)) {
          await marks.setError(form.id, failureCode(error))
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
