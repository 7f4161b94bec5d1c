import type { Form } from '@formwire/contract'
import { sleep } from '@formwire/internal/clock'
import { type SyncSummary, UnknownFormsError } from './errors.ts'
import { Failures } from './failures.ts'
import type { FormsSync, Outcomes } from './forms-sync.ts'
import type { SyncSettings } from './options.ts'
import { FollowPlan, RESERVED_ROUNDS, SLOW_ROUNDS } from './plan/follow.ts'
import { isPassing } from './round/errors.ts'
import type { Run } from './run.ts'

/** Milliseconds between looks at the rate budget in a pause: requests of the last minute expire one after the other. */
const BUDGET_CHECK_MS = 1000

/** One call of `run()`: rounds over the forms until the signal aborts. */
export class Following<Transaction> {
  readonly #settings: SyncSettings<Transaction>
  readonly #forms: FormsSync<Transaction>
  readonly #run: Run
  /** Which forms the next round reads. */
  readonly #plan: FollowPlan
  readonly #verify: boolean
  /** Whether forms of this round are to be read further in the next one. */
  #hasMore = false

  constructor(
    settings: SyncSettings<Transaction>,
    forms: FormsSync<Transaction>,
    { run, verify }: { run: Run; verify: boolean },
  ) {
    this.#settings = settings
    this.#forms = forms
    this.#run = run
    this.#plan = new FollowPlan(SLOW_ROUNDS, new Failures(settings.clock, settings.random))
    this.#verify = verify
  }

  /** Follows until the signal aborts. Outages are waited out. @throws permanent errors */
  async follow(): Promise<SyncSummary> {
    const { signal } = this.#settings
    let pauses = 0
    while (!signal?.aborted) {
      try {
        const nextAt = await this.#round()
        pauses = 0
        if (!(await this.#pauseUntil(nextAt))) break
      } catch (error) {
        if (signal?.aborted) break
        if (!isPassing(error)) throw error
        pauses += 1
        if (!(await this.#forms.pause(error, pauses))) break
      }
    }
    return this.#run.summary()
  }

  /** Has the next round read a form: a delivery of it arrived. */
  touch(formId: string): void {
    this.#plan.touch(formId)
  }

  /** Returns when the next round begins. */
  async #round(): Promise<number> {
    const { formwire, forms: chosen, clock, drafts, intervalMs } = this.#settings
    const run = this.#run
    const plan = this.#plan
    const sentBefore = formwire.budget.sent
    const isAll = chosen === 'all'
    const sweep = drafts && plan.isSlow
    const outcomes = this.#outcomes({ complete: !drafts || sweep })
    if (!run.follows || isAll || plan.isSlow) {
      const { forms, unknown } = await this.#forms.readForms(run)
      if (!run.follows && unknown.length > 0) {
        await this.#forms.syncForms(
          run,
          forms,
          { verify: this.#verify, drafts: sweep, sliced: false },
          outcomes,
        )
        throw new UnknownFormsError(unknown, run.summary())
      }
      plan.setForms(forms)
      run.follows = true
    }
    const round = { verify: this.#verify, drafts: sweep, sliced: true }
    this.#hasMore = false
    await this.#forms.syncForms(run, plan.next(isAll), round, outcomes)
    await run.context.tables.followViews()
    const isUpToDate = !this.#hasMore && plan.retryAt === Number.POSITIVE_INFINITY
    run.activity.endsRound(isUpToDate)
    if (isUpToDate) this.#settings.onUpToDate?.(run.summary())
    const nextAt = clock.now() + intervalMs
    await this.#readUnmoved({ requests: formwire.budget.sent - sentBefore, nextAt })
    plan.endRound()
    return nextAt
  }

  /** What is done about each form. @param complete whether its drafts are read too */
  #outcomes({ complete }: { complete: boolean }): Outcomes {
    const { onFormFailed, onFormRecovered } = this.#settings
    return {
      done: (form, isFinished) => {
        if (this.#plan.done(form, { complete })) onFormRecovered?.(form.id)
        if (isFinished) return
        this.#plan.touch(form.id)
        this.#hasMore = true
      },
      lost: (id) => this.#plan.lose(id),
      failed: (form, error, tookMs) => {
        const isNew = this.#plan.fail(form, error, tookMs) === 1
        if (isNew) onFormFailed?.({ formId: form.id, error })
        return isNew
      },
    }
  }

  /**
   * Reads forms whose turn it is, in the pause after a round. More than a few only while the rate budget leaves enough for another
   * round, so that new responses do not wait for it.
   */
  async #readUnmoved({ requests, nextAt }: { requests: number; nextAt: number }): Promise<void> {
    const { formwire, drafts, clock, signal } = this.#settings
    const plan = this.#plan
    const outcomes = this.#outcomes({ complete: true })
    const reserved = RESERVED_ROUNDS * requests
    let least = plan.leastUnmoved
    while (plan.hasUnmoved && (least > 0 || clock.now() < nextAt)) {
      if (least <= 0 && formwire.budget.remaining <= reserved) {
        if (await sleep(clock, Math.min(BUDGET_CHECK_MS, nextAt - clock.now()), signal)) continue
        break
      }
      least -= 1
      const form = plan.takeUnmoved() as Form
      await this.#forms.syncForms(this.#run, [form], { verify: false, drafts, sliced: true }, outcomes)
    }
  }

  /** Waits until the next round begins, and tries forms again that failed. Returns false if the signal aborts. */
  async #pauseUntil(nextAt: number): Promise<boolean> {
    const { clock, signal, drafts } = this.#settings
    const outcomes = this.#outcomes({ complete: true })
    const round = { verify: this.#verify, drafts, sliced: true }
    for (;;) {
      const { retryAt } = this.#plan
      const pauseMs = Math.max(0, Math.min(retryAt, nextAt) - clock.now())
      this.#run.activity.moves(pauseMs)
      if (!(await sleep(clock, pauseMs, signal))) return false
      if (retryAt >= nextAt) return true
      await this.#forms.syncForms(this.#run, this.#plan.failedBy(retryAt), round, outcomes)
    }
  }
}
