import type { Form } from '@formwire/contract'
import { isRateLimitError } from '@formwire/sdk'
import { pauseMs, sleep } from './clock.ts'
import { type SyncSummary, UnknownFormsError } from './errors.ts'
import { readOptions, type SyncedResponse, type SyncOptions, type SyncSettings } from './options.ts'
import { FollowPlan } from './plan/follow.ts'
import { isGone, isPassing, isServerFailure } from './round/errors.ts'
import { syncForm } from './round/form-round.ts'
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
   * Follows the service until `signal` aborts, and returns what changed. Continues after outages of the service and the database.
   * Permanent errors end it, such as a revoked key; so does an unknown form, at the start only.
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
    once: ({ verify = false } = {}) => engine.once(verify),
    run: ({ verify = false } = {}) => engine.run(verify),
    handlers: { 'response.submitted': (event) => engine.receive(event) },
  }
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
    const failed = await this.#syncForms(run, forms, { verify, drafts: this.#settings.drafts })
    for (const id of failed.lost) if (this.#settings.forms !== 'all') unknown.push(id)
    if (failed.error !== undefined) throw failed.error
    if (unknown.length > 0) throw new UnknownFormsError(unknown, run.summary())
    return run.summary()
  }

  async #run(run: Run, verify: boolean): Promise<SyncSummary> {
    const { signal, clock } = this.#settings
    const plan = new FollowPlan(SLOW_ROUNDS)
    this.#plan = plan
    let isFirst = true
    let pauses = 0
    while (!signal?.aborted) {
      try {
        const nextAt = await this.#round(run, plan, { isFirst, verify: verify && isFirst })
        isFirst = false
        pauses = 0
        if (!(await sleep(clock, Math.max(0, nextAt - clock.now()), signal))) break
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
        onProgress: (formId, read) => onProgress?.({ formId, read, total: totals.get(formId) ?? read }),
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

  /** Synchronizes forms one after the other. A form that the service fails for does not stop the others. */
  async #syncForms(
    run: Run,
    forms: readonly Form[],
    { verify, drafts }: { verify: boolean; drafts: boolean },
    onDone?: (form: Form) => void,
  ): Promise<{ lost: string[]; error: unknown }> {
    const { deletions, fullEveryMs, signal } = this.#settings
    const lost: string[] = []
    let failure: unknown
    for (const form of forms) {
      signal?.throwIfAborted()
      try {
        if (!this.#erased.has(form.id)) await this.#tables.marks.eraseMarked(form.id)
        this.#erased.add(form.id)
        const responseCount = form.response_count
        run.totals.set(form.id, responseCount)
        // A round that is repeated after a failure does not verify again what it has verified.
        const isNew = !run.forms.has(form.id)
        const round = { deletions, drafts, verify: verify && isNew, fullEveryMs, responseCount }
        await this.#patiently(() => syncForm(run.context, form.id, round))
        run.forms.add(form.id)
        onDone?.(form)
      } catch (error) {
        if (isGone(error)) {
          await markLost(run.context, form.id)
          this.#written.delete(form.id)
          lost.push(form.id)
        } else if (isServerFailure(error)) failure ??= error
        else throw error
      }
    }
    return { lost, error: failure }
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
    const sweep = { drafts: drafts && plan.isSlow }
    if (isFirst || isAll || plan.isSlow) {
      const { forms, unknown } = await this.#readForms(run.context)
      if (isFirst && unknown.length > 0) {
        const failed = await this.#syncForms(run, forms, { verify, ...sweep })
        throw failed.error ?? new UnknownFormsError(unknown, run.summary())
      }
      plan.setForms(forms)
      run.follows = true
    }
    const done = (form: Form): void => plan.done(form, { complete: !drafts || sweep.drafts })
    const { lost, error } = await this.#syncForms(run, plan.next(isAll), { verify, ...sweep }, done)
    const nextAt = clock.now() + intervalMs
    for (const id of lost) plan.lose(id)
    const failure = await this.#readUnmoved(run, plan, {
      requests: formwire.budget.sent - sentBefore,
      nextAt,
    })
    // Also after a failure: a form that the service always fails for must not prevent slow rounds.
    plan.endRound()
    if (error !== undefined || failure !== undefined) throw error ?? failure
    return nextAt
  }

  /**
   * Reads forms whose turn it is, in the pause after a round. More than a few only while the rate budget leaves enough for another
   * round, so that new responses do not wait for it. Returns the first error of the service for one of them.
   */
  async #readUnmoved(
    run: Run,
    plan: FollowPlan,
    { requests, nextAt }: { requests: number; nextAt: number },
  ): Promise<unknown> {
    const { formwire, drafts, clock, signal } = this.#settings
    const reserved = RESERVED_ROUNDS * requests
    let least = plan.leastUnmoved
    let failure: unknown
    while (plan.hasUnmoved && (least > 0 || clock.now() < nextAt)) {
      if (least <= 0 && formwire.budget.remaining <= reserved) {
        if (await sleep(clock, Math.min(BUDGET_CHECK_MS, nextAt - clock.now()), signal)) continue
        break
      }
      least -= 1
      const form = plan.takeUnmoved() as Form
      const { lost, error } = await this.#syncForms(run, [form], { verify: false, drafts })
      for (const id of lost) plan.lose(id)
      failure ??= error
    }
    return failure
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

/** Counts of one call of `once()` or `run()`. */
interface Run {
  context: ReaderContext
  /** Whether `run()` has found the forms that it follows. */
  follows: boolean
  forms: Set<string>
  /** `response_count` of each form. */
  totals: Map<string, number>
  hasChanges(): boolean
  summary(): SyncSummary
}
