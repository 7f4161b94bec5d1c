import type { Form } from '@formwire/contract'
import { sleep } from '@formwire/internal/clock'
import { cleanText } from './database/dialect.ts'
import { type SyncSummary, UnknownFormsError } from './errors.ts'
import { Failures } from './failures.ts'
import type { SyncSettings } from './options.ts'
import { type FormMemory, leastTurns, planRound, roomOf, SLOW_ROUNDS } from './plan/follow.ts'
import { isPassing } from './round/errors.ts'
import type { Outcomes, Run } from './run.ts'

/** Milliseconds between looks at the rate budget in a pause: requests of the last minute expire one after the other. */
const BUDGET_CHECK_MS = 1000

/** A form that a round may read. */
interface Listed extends FormMemory {
  form: Form
}

/** One call of `run()`: rounds over the forms until the signal aborts. What was read is remembered in the tables. */
export class Following<Transaction> {
  readonly #settings: SyncSettings<Transaction>
  readonly #run: Run<Transaction>
  readonly #verify: boolean
  /** Forms that the service fails for. Each is tried again by itself, so that it does not delay the others. */
  readonly #failures: Failures<string>
  /** The forms that exist. */
  #listed = new Map<string, Form>()
  /** Forms whose counts did not move and that this round has not read, least recently read first. */
  #others = new Map<string, Listed>()
  /** Forms to read in the next round, and of this one, whatever their count is: a delivery arrived, or they were lost. */
  #touched = new Set<string>()
  #unread = new Set<string>()
  #rounds = 0
  /** Whether forms of this round are to be read further in the next one. */
  #hasMore = false

  constructor(settings: SyncSettings<Transaction>, run: Run<Transaction>, verify: boolean) {
    this.#settings = settings
    this.#run = run
    this.#verify = verify
    this.#failures = new Failures(settings.clock, settings.random)
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
        if (!(await this.#run.pause(error, pauses))) break
      }
    }
    return this.#run.summary()
  }

  /** Makes the next round read a form: a delivery of it arrived. */
  touch(formId: string): void {
    this.#touched.add(formId)
  }

  /** Whether this round also looks for lost forms, sweeps drafts, and lets some forms have their turn whatever the rate budget leaves. */
  get #isSlow(): boolean {
    return this.#rounds % SLOW_ROUNDS === 0
  }

  /** Returns when the next round begins. */
  async #round(): Promise<number> {
    const { forms: chosen, clock, drafts, intervalMs } = this.#settings
    const run = this.#run
    const sweep = drafts && this.#isSlow
    const outcomes = this.#outcomes()
    if (!run.follows || chosen === 'all' || this.#isSlow) {
      const { forms, unknown } = await run.readForms()
      if (!run.follows && unknown.length > 0) {
        const round = { verify: this.#verify, drafts: sweep, sliced: false }
        await run.syncForms(forms, round, outcomes)
        throw new UnknownFormsError(unknown, run.summary())
      }
      const listed = new Map(forms.map((form) => [form.id, form]))
      for (const id of this.#listed.keys()) if (!listed.has(id)) outcomes.lost(id)
      this.#listed = listed
      run.follows = true
    }
    const round = { verify: this.#verify, drafts: sweep, sliced: true }
    this.#hasMore = false
    await run.syncForms(await this.#moved(), round, outcomes)
    await run.context.tables.followViews()
    const isUpToDate = !this.#hasMore && this.#failures.nextAt === Number.POSITIVE_INFINITY
    run.activity.endsRound(isUpToDate)
    if (isUpToDate) this.#settings.onUpToDate?.(run.summary())
    return clock.now() + intervalMs
  }

  /**
   * Returns the forms that may have changed: their counts moved, or there is no list that shows the counts. Forms that failed are tried in
   * the pause.
   */
  async #moved(): Promise<Form[]> {
    const { context, forms: read } = this.#run
    this.#unread = new Set([...this.#unread, ...this.#touched])
    this.#touched = new Set()
    const forms = [...this.#listed.values()].filter(({ id }) => !this.#failures.has(id))
    if (this.#settings.forms !== 'all') return forms
    const known = new Map((await context.tables.knownForms()).map((form) => [form.id, form]))
    const listed = forms.map((form): Listed => {
      const memory = known.get(cleanText(form.id)) ?? NEVER_READ
      // What an earlier process has read says nothing of what changed since, where the count is equal.
      const isUnread = this.#unread.has(form.id) || !read.has(form.id)
      return { ...memory, isMoved: memory.isMoved || isUnread, form }
    })
    // Drafts have their turn in slow rounds, whatever the rate budget leaves.
    const { moved, others } = planRound(listed, { by: this.#isSlow ? 'swept' : 'turn' })
    this.#others = new Map(others.map((one) => [one.form.id, one]))
    return moved.map(({ form }) => form)
  }

  /** What is done about each form. */
  #outcomes(): Outcomes {
    const { onFormFailed, onFormRecovered } = this.#settings
    return {
      done: (form, isFinished) => {
        this.#unread.delete(form.id)
        this.#others.delete(form.id)
        if (this.#failures.delete(form.id)) onFormRecovered?.(form.id)
        if (!isFinished) this.#hasMore = true
      },
      lost: (id) => {
        this.#listed.delete(id)
        this.#others.delete(id)
        this.#failures.delete(id)
        this.#touched.add(id)
      },
      failed: (form, error, tookMs) => {
        this.#others.delete(form.id)
        const isNew = this.#failures.add(form.id, error, tookMs).attempt === 1
        if (isNew) onFormFailed?.({ formId: form.id, error })
        return isNew
      },
    }
  }

  /**
   * Waits until the next round begins. Meanwhile tries forms again that failed, and reads those whose counts did not move. Returns false if
   * the signal aborts.
   */
  async #pauseUntil(nextAt: number): Promise<boolean> {
    const { formwire, clock, signal, drafts, intervalMs } = this.#settings
    const isSlow = this.#isSlow
    const outcomes = this.#outcomes()
    let least = isSlow ? leastTurns(this.#listed.size) : 0
    this.#rounds += 1
    for (;;) {
      const { nextAt: retryAt } = this.#failures
      const [other] = this.#others.values()
      const hasTurn = least > 0 || (clock.now() < nextAt && roomOf(formwire.budget) >= 1)
      if (other && hasTurn && retryAt > clock.now()) {
        least -= 1
        this.#others.delete(other.form.id)
        const sweep = drafts && (isSlow || other.swept <= clock.now() - SLOW_ROUNDS * intervalMs)
        const round = { verify: false, drafts: sweep, sliced: true }
        await this.#run.syncForms([other.form], round, outcomes)
        continue
      }
      const wakeAt = Math.min(retryAt, nextAt, other ? clock.now() + BUDGET_CHECK_MS : nextAt)
      const pauseMs = Math.max(0, wakeAt - clock.now())
      this.#run.activity.moves(pauseMs)
      if (!(await sleep(clock, pauseMs, signal))) return false
      if (wakeAt === nextAt) return true
      if (wakeAt !== retryAt) continue
      const isDue = ({ id }: Form): boolean => this.#failures.has(id) && this.#failures.retryAt(id) <= retryAt
      const round = { verify: this.#verify, drafts, sliced: true }
      await this.#run.syncForms([...this.#listed.values()].filter(isDue), round, outcomes)
    }
  }
}

const NEVER_READ: FormMemory = { isMoved: true, turn: 0, swept: 0 }
