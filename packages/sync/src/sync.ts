import type { Form } from '@formwire/contract'
import { isRateLimitError, isTimeoutError } from '@formwire/sdk'
import { checkNames, invalid } from './check-options.ts'
import { pauseMs, sleep } from './clock.ts'
import { type SyncSummary, UnknownFormsError } from './errors.ts'
import { Failures } from './failures.ts'
import { readOptions, type SyncedResponse, type SyncOptions, type SyncSettings } from './options.ts'
import { FollowPlan } from './plan/follow.ts'
import { isFormFailure, isGone, isPassing } from './round/errors.ts'
import { type Slice, syncForm } from './round/form-round.ts'
import { markLost, readAllForms, readGivenForms, type WrittenForms } from './round/forms.ts'
import type { ReaderContext } from './round/reader.ts'
import { deliveredResponse, type SubmittedEvent } from './rows/delivered.ts'
import { prepareStore } from './store/migrations.ts'
import { Tables } from './store/tables.ts'

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
  const engine = new Engine(readOptions(options))
  return {
    once: async (given = {}) => engine.once(readVerify('once()', given)),
    run: async (given = {}) => engine.run(readVerify('run()', given)),
    handlers: { 'response.submitted': (event) => engine.receive(event) },
  }
}

function readVerify(call: string, options: OnceOptions): boolean {
  checkNames(call, options, { verify: true })
  const { verify = false } = options
  if (typeof verify !== 'boolean') throw invalid('verify', 'true or false', verify)
  return verify
}

/** Every how many rounds of `run()` slow work is done: drafts, lost forms, and forms whose counts did not move. */
const SLOW_ROUNDS = 10

/** Milliseconds between looks at the rate budget in a pause: requests of the last minute expire one after the other. */
const BUDGET_CHECK_MS = 1000

/** Requests that a pause leaves for the next round, in those of the last one: more forms may have changed. */
const RESERVED_ROUNDS = 1.5

class Engine<Transaction> {
  readonly #settings: SyncSettings<Transaction>
  readonly #tables: Tables<Transaction>
  readonly #written: WrittenForms = new Map()
  /** Which forms `run()` reads next. */
  #plan: FollowPlan | undefined
  /** Forms whose rows of earlier runs were erased. */
  readonly #erased = new Set<string>()
  /** How far `run()` is with the full reads that it does in slices. */
  readonly #slices = new Map<string, Slice>()

  constructor(settings: SyncSettings<Transaction>) {
    this.#settings = settings
    const { store, deleted, onResponse, clock } = settings
    this.#tables = new Tables({
      store,
      deleted,
      onFirst: onResponse && ((response, transaction) => onResponse(response as SyncedResponse, transaction)),
      now: () => clock.now(),
    })
  }

  once(verify: boolean): Promise<SyncSummary> {
    return this.#ending((run) => this.#once(run, verify))
  }

  run(verify: boolean): Promise<SyncSummary> {
    return this.#ending((run) => this.#run(run, verify))
  }

  /** Reports what was done before an error. */
  async #ending(work: (run: Run) => Promise<SyncSummary>): Promise<SyncSummary> {
    // A missing driver is reported before any request, and the tables are created after the first one.
    await this.#settings.store.load?.()
    const run = this.#start()
    try {
      return await work(run)
    } catch (error) {
      const summary = run.summary()
      if (run.forms.size > 0 || run.hasChanges()) this.#settings.onFailure?.(summary)
      throw error
    }
  }

  async #once(run: Run, verify: boolean): Promise<SyncSummary> {
    const { forms, unknown } = await this.#patiently(() => this.#readForms(run.context))
    let failure: unknown
    const { drafts } = this.#settings
    await this.#syncForms(
      run,
      forms,
      { verify, drafts },
      {
        lost: (id) => this.#settings.forms !== 'all' && unknown.push(id),
        failed(_form, error) {
          failure ??= error
          return true
        },
      },
    )
    if (failure !== undefined) throw failure
    if (unknown.length > 0) throw new UnknownFormsError(unknown, run.summary())
    return run.summary()
  }

  async #run(run: Run, verify: boolean): Promise<SyncSummary> {
    const { signal, clock, random } = this.#settings
    const plan = new FollowPlan(SLOW_ROUNDS, new Failures(clock, random))
    this.#plan = plan
    let isFirst = true
    let pauses = 0
    while (!signal?.aborted) {
      try {
        const nextAt = await this.#round(run, plan, { isFirst, verify })
        isFirst = false
        pauses = 0
        if (!(await this.#pauseUntil(nextAt, run, plan, verify))) break
      } catch (error) {
        if (signal?.aborted) break
        if (!isPassing(error)) throw error
        pauses += 1
        if (!(await this.#pause(error, pauses))) break
      }
    }
    return run.summary()
  }

  async receive(event: SubmittedEvent): Promise<void> {
    const { form } = event
    const { forms, onChanges } = this.#settings
    if (forms !== 'all' && !forms.includes(form.id)) return
    await prepareStore(this.#settings.store)
    const changes = await this.#tables.writes.deliver(form.id, deliveredResponse(event))
    this.#plan?.touch(form.id)
    if (changes.length > 0) onChanges?.(changes)
  }

  #start(): Run {
    const { formwire, clock, signal, per_page: perPage } = this.#settings
    const { onChanges, onProgress, onFormLost } = this.#settings
    const startedAt = clock.now()
    const sentBefore = formwire.budget.sent
    const counts = { inserted: 0, updated: 0, deleted: 0 }
    const forms = new Set<string>()
    const totals = new Map<string, number>()
    const run: Run = {
      follows: false,
      reading: undefined,
      forms,
      totals,
      hasChanges: () => counts.inserted + counts.updated + counts.deleted > 0,
      summary: () => ({
        forms: forms.size,
        ...counts,
        requests: formwire.budget.sent - sentBefore,
        duration_ms: Math.max(0, Math.round(clock.now() - startedAt)),
      }),
      context: {
        formwire,
        tables: this.#tables,
        perPage,
        prepare: () => prepareStore(this.#settings.store),
        now: () => clock.now(),
        signal,
        onChanges: (changes) => {
          for (const { kind } of changes) counts[kind] += 1
          if (changes.length > 0) onChanges?.(changes)
        },
        onProgress(formId, read) {
          const total = Math.max(read, totals.get(formId) ?? read)
          run.reading = { formId, total }
          if (read < total) onProgress?.({ formId, read, total })
        },
        onFormLost: (formId) => {
          if (run.follows) onFormLost?.(formId)
        },
      },
    }
    return run
  }

  #readForms(context: ReaderContext): Promise<{ forms: Form[]; unknown: string[] }> {
    const { forms } = this.#settings
    return forms === 'all' ? readAllForms(context, this.#written) : readGivenForms(context, forms)
  }

  /**
   * Synchronizes forms one after the other. A form that the service fails for does not stop the others.
   *
   * @throws what concerns all forms, such as the second form in a row that times out
   */
  async #syncForms(
    run: Run,
    forms: readonly Form[],
    { verify, drafts, slices }: { verify: boolean; drafts: boolean; slices?: Map<string, Slice> },
    outcomes: Outcomes,
  ): Promise<void> {
    const { deletions, fullEveryMs, signal, clock } = this.#settings
    let timedOut = false
    for (const form of forms) {
      signal?.throwIfAborted()
      const startedAt = clock.now()
      try {
        if (!this.#erased.has(form.id)) await this.#tables.marks.eraseMarked(form.id)
        this.#erased.add(form.id)
        const responseCount = form.response_count
        run.totals.set(form.id, responseCount)
        // A round that is repeated after a failure does not verify again what it has verified.
        const isNew = !run.forms.has(form.id)
        const round = { deletions, drafts, verify: verify && isNew, fullEveryMs, responseCount, slices }
        const isFinished = await this.#patiently(() => syncForm(run.context, form.id, round))
        run.forms.add(form.id)
        timedOut = false
        outcomes.done?.(form, isFinished)
      } catch (error) {
        if (isGone(error)) {
          await markLost(run.context, form.id)
          this.#written.delete(form.id)
          outcomes.lost(form.id)
        } else if (isFormFailure(error)) {
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

  /** Returns when the next round begins. */
  async #round(
    run: Run,
    plan: FollowPlan,
    { isFirst, verify }: { isFirst: boolean; verify: boolean },
  ): Promise<number> {
    const { formwire, forms: chosen, clock, drafts, intervalMs } = this.#settings
    const sentBefore = formwire.budget.sent
    const isAll = chosen === 'all'
    const sweep = drafts && plan.isSlow
    const outcomes = this.#outcomes(plan, { complete: !drafts || sweep })
    if (isFirst || isAll || plan.isSlow) {
      const { forms, unknown } = await this.#readForms(run.context)
      if (isFirst && unknown.length > 0) {
        await this.#syncForms(run, forms, { verify, drafts: sweep }, outcomes)
        throw new UnknownFormsError(unknown, run.summary())
      }
      plan.setForms(forms)
      run.follows = true
    }
    await this.#syncForms(run, plan.next(isAll), { verify, drafts: sweep, slices: this.#slices }, outcomes)
    const nextAt = clock.now() + intervalMs
    await this.#readUnmoved(run, plan, { requests: formwire.budget.sent - sentBefore, nextAt })
    plan.endRound()
    return nextAt
  }

  /** What `run()` does about each form. @param complete whether its drafts are read too */
  #outcomes(plan: FollowPlan, { complete }: { complete: boolean }): Outcomes {
    const { onFormFailed, onFormRecovered } = this.#settings
    return {
      done: (form, isFinished) => {
        if (plan.done(form, { complete })) onFormRecovered?.(form.id)
        if (!isFinished) plan.touch(form.id)
      },
      lost: (id) => {
        this.#slices.delete(id)
        plan.lose(id)
      },
      failed(form, error, tookMs) {
        const isNew = plan.fail(form, error, tookMs) === 1
        if (isNew) onFormFailed?.({ formId: form.id, error })
        return isNew
      },
    }
  }

  /**
   * Reads forms whose turn it is, in the pause after a round. More than a few only while the rate budget leaves enough for another
   * round, so that new responses do not wait for it.
   */
  async #readUnmoved(
    run: Run,
    plan: FollowPlan,
    { requests, nextAt }: { requests: number; nextAt: number },
  ): Promise<void> {
    const { formwire, drafts, clock, signal } = this.#settings
    const outcomes = this.#outcomes(plan, { complete: true })
    const reserved = RESERVED_ROUNDS * requests
    let least = plan.leastUnmoved
    while (plan.hasUnmoved && (least > 0 || clock.now() < nextAt)) {
      if (least <= 0 && formwire.budget.remaining <= reserved) {
        if (await sleep(clock, Math.min(BUDGET_CHECK_MS, nextAt - clock.now()), signal)) continue
        break
      }
      least -= 1
      const form = plan.takeUnmoved() as Form
      await this.#syncForms(run, [form], { verify: false, drafts, slices: this.#slices }, outcomes)
    }
  }

  /** Waits until the next round begins, and tries forms again that failed. Returns false if the signal aborts. */
  async #pauseUntil(nextAt: number, run: Run, plan: FollowPlan, verify: boolean): Promise<boolean> {
    const { clock, signal, drafts } = this.#settings
    const outcomes = this.#outcomes(plan, { complete: true })
    for (;;) {
      const { retryAt } = plan
      if (!(await sleep(clock, Math.max(0, Math.min(retryAt, nextAt) - clock.now()), signal))) return false
      if (retryAt >= nextAt) return true
      await this.#syncForms(run, plan.failedBy(retryAt), { verify, drafts, slices: this.#slices }, outcomes)
    }
  }

  /** Waits out rate limits, as often as the service requires. What was written before stays written. */
  async #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        if (!isRateLimitError(error)) throw error
        await this.#pause(error, attempt)
        this.#settings.signal?.throwIfAborted()
      }
    }
  }

  /** Waits before the next attempt. Returns false if the signal aborts. */
  #pause(error: unknown, attempt: number): Promise<boolean> {
    const { clock, signal, random, onPause } = this.#settings
    const waitMs = pauseMs(error, attempt, random)
    onPause?.({ error, attempt, waitMs })
    return sleep(clock, waitMs, signal)
  }
}

/** What becomes of each form of a round. */
interface Outcomes {
  /** @param isFinished whether nothing is left to read in the next round */
  done?(form: Form, isFinished: boolean): void
  lost(id: string): void
  /** Returns whether the form could be read before. */
  failed(form: Form, error: unknown, tookMs: number): boolean
}

/** Counts of one call of `once()` or `run()`. */
interface Run {
  context: ReaderContext
  /** Whether `run()` has found the forms that it follows. */
  follows: boolean
  /** The form whose progress was reported, and not its end. */
  reading: { formId: string; total: number } | undefined
  forms: Set<string>
  /** `response_count` of each form. */
  totals: Map<string, number>
  hasChanges(): boolean
  summary(): SyncSummary
}
