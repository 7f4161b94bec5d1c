import { sleep } from '@formwire/internal/clock'
import { isApiError, isCheckpointError, isOutage } from '@formwire/sdk'
import { DURATION, FUNCTION, INTEGER_FROM_1, readOptions, type Shape } from '../check-options.ts'
import { SyncUsageError } from '../errors.ts'
import { Failures } from '../failures.ts'
import type { SubmittedEvent } from '../rows/row.ts'
import { DirectIntake, type Intake, QueuedIntake } from './intake.ts'
import { type InboxDedupe, type InboxOptions, type InboxSettings, readInboxOptions } from './options.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'
import { isPermanent as isPermanentOfQueue, type WorkOptions, type WorkSummary, work } from './work.ts'

export { StoreError, type StoreErrorCode, SyncUsageError } from '../errors.ts'
export type { SyncedResponse, SyncPause } from '../options.ts'
export type { SubmittedEvent } from '../rows/row.ts'
export type { ClaimedEvent, InboxDedupe, InboxOptions } from './options.ts'
export { type PostgresQueueOptions, postgresQueue } from './postgres-queue.ts'
export type { Arrival, InboxQueue, QueuedResponse, QueueState, ResponseKey, TakenResponse } from './queue.ts'
export type { Reconciliation, UndeliveredResponse } from './reconcile.ts'
export type { FailedAttempt, WorkOptions, WorkSummary } from './work.ts'

/** What one run did. */
export interface InboxSummary {
  /** Forms that were polled. */
  forms: number
  /** Responses that the poll found and handled, or stored in the queue: webhooks had not brought them. */
  handled: number
  /** Responses that the poll found and that were handled or stored before. */
  skipped: number
  /** HTTP requests of the client during the run, retries included. */
  requests: number
}

/** Options of `reconcile()`. */
export interface ReconcileOptions {
  /**
   * Oldest instant to check: when the endpoint was created, since older responses count as lost, but not longer ago than the dedupe
   * store remembers. @default two days ago
   */
  since?: string | Date | undefined
}

/** Hands each response to one handler, once. Create it with {@link createInbox}. */
export interface Inbox {
  /**
   * Handlers for `createReceiver({ on })` of `@formwire/webhook-verify`. They reject if `handle` throws, or while the response is being
   * handled elsewhere, so that the service delivers again. With a queue, they resolve once the response is stored.
   */
  handlers: { 'response.submitted': (event: SubmittedEvent) => Promise<void> }
  /** Catches up what webhooks missed, and returns what was found. @throws the error of `handle`, of a store, or of the SDK */
  once(): Promise<InboxSummary>
  /**
   * Catches up again and again until `signal` aborts. Continues after failures of `handle`, the stores and the service. Permanent errors
   * end it, such as a revoked key; so does an unknown form, in the first round only.
   */
  run(): Promise<InboxSummary>
  /**
   * Handles the responses of the queue until `signal` aborts, then ends what it has begun. Any number of processes can do it. A response goes
   * to one worker at a time: its claim is renewed while `handle` runs. When `handle` fails, it is called again after a growing delay, ten
   * times by default; then the response is dead until it is retried or dropped (`formwire inbox`). At least once: if a worker is killed
   * after `handle` and before that is recorded, another one calls it again.
   *
   * @example await Promise.all([inbox.run(), inbox.work({ concurrency: 10 })])
   * @throws SyncUsageError without a queue. @throws StoreError for a queue that cannot be used
   */
  work(options?: WorkOptions): Promise<WorkSummary>
  /** Lists the responses of which no delivery was acknowledged. Handles nothing. Costs one request per hundred responses. */
  reconcile(options?: ReconcileOptions): Promise<Reconciliation>
}

/**
 * Creates an inbox: one handler, fed by webhooks and by a poll that catches up what they missed, each response once. With a `queue`,
 * webhooks and polls store responses, and `work()` handles them.
 *
 * @example
 * const inbox = createInbox({ formwire, forms: 'all', dedupe, checkpoint, handle: (response) => notify(response) })
 * app.post('/hook', createReceiver({ secret, on: inbox.handlers }))
 * await inbox.run()
 * @throws SyncUsageError for an unknown or invalid option.
 */
export function createInbox(options: InboxOptions): Inbox {
  const engine = new Engine(readInboxOptions(options))
  return {
    handlers: { 'response.submitted': (event) => engine.receive(event) },
    once: () => engine.once(),
    run: () => engine.run(),
    work: (given = {}) => engine.work(given),
    reconcile: (given = {}) => engine.reconcile(given),
  }
}

/** Wait of `once()` for a response that is being handled elsewhere. */
const BUSY_WAIT_MS = 1000

const TWO_DAYS_MS = 2 * 86_400_000

const WORK: Shape<WorkOptions> = { concurrency: INTEGER_FROM_1, pollMs: DURATION, onFailed: FUNCTION }

class Engine {
  readonly #settings: InboxSettings
  readonly #intake: Intake

  constructor(settings: InboxSettings) {
    const { queue, dedupe } = settings
    this.#settings = settings
    this.#intake = queue
      ? new QueuedIntake(settings, queue)
      : new DirectIntake(settings, dedupe as InboxDedupe)
  }

  async receive(event: SubmittedEvent): Promise<void> {
    const { forms } = this.#settings
    if (forms === 'all' || forms.includes(event.form.id)) await this.#intake.deliver(event)
  }

  async once(): Promise<InboxSummary> {
    const { clock, signal } = this.#settings
    const run = startRun(this.#settings)
    let open = await this.#formIds()
    while (open.length > 0) {
      const busy: string[] = []
      for (const formId of open) if (!(await this.#catchUp(formId, run))) busy.push(formId)
      open = busy
      if (open.length > 0) await sleep(clock, BUSY_WAIT_MS, signal)
      signal?.throwIfAborted()
    }
    return run.summary()
  }

  async run(): Promise<InboxSummary> {
    const { clock, signal, intervalMs, random } = this.#settings
    const run = startRun(this.#settings)
    const failures = new Failures<string | undefined>(clock, random)
    for (let isFirst = true; !signal?.aborted; isFirst = false) {
      const started = await this.#attempt(undefined, failures, isFirst, async () => {
        const formIds = await this.#formIds()
        for (const formId of failures.keys())
          if (formId !== undefined && !formIds.includes(formId)) failures.delete(formId)
        for (const formId of formIds) {
          if (failures.retryAt(formId) > clock.now()) continue
          await this.#attempt(formId, failures, isFirst, () => this.#catchUp(formId, run))
          if (signal?.aborted) return
        }
      })
      const nextAt = started
        ? Math.min(clock.now() + intervalMs, failures.nextAt)
        : failures.retryAt(undefined)
      if (!(await sleep(clock, Math.max(0, nextAt - clock.now()), signal))) break
    }
    return run.summary()
  }

  async work(options: WorkOptions): Promise<WorkSummary> {
    const { queue } = this.#settings
    const settings = readOptions('work()', options, { shape: WORK })
    if (!queue) throw new SyncUsageError('work() requires an inbox with "queue".')
    return await work(queue, this.#settings, settings)
  }

  async reconcile({ since }: ReconcileOptions): Promise<Reconciliation> {
    const { clock } = this.#settings
    const from = since ?? new Date(clock.now() - TWO_DAYS_MS)
    return await reconcile(this.#settings, this.#intake, await this.#formIds(), from)
  }

  /** Polls a form once. Returns false if a response is being handled elsewhere: the form is then polled again from there. */
  async #catchUp(formId: string, run: ReturnType<typeof startRun>): Promise<boolean> {
    const { formwire, checkpoint, since, lookbackMs, per_page, signal } = this.#settings
    const checkpointKey = `inbox:${formId}`
    const options = { once: true, checkpoint, checkpointKey, since, lookbackMs, per_page, signal }
    for await (const response of formwire.responses.poll(formId, options)) {
      const found = await this.#intake.find({ ...response, complete: true })
      // Leaving the loop does not acknowledge the response.
      if (found === 'busy') return false
      run.counts[found === 'new' ? 'handled' : 'skipped'] += 1
    }
    run.forms.add(formId)
    return true
  }

  /** Tries a step of `run()`. Schedules the next attempt if it fails. */
  async #attempt(
    formId: string | undefined,
    failures: Failures<string | undefined>,
    isFirst: boolean,
    step: () => Promise<unknown>,
  ): Promise<boolean> {
    const { signal, onPause } = this.#settings
    try {
      await step()
      failures.delete(formId)
      return true
    } catch (error) {
      if (signal?.aborted) return false
      // The handler may throw an error of the SDK too, of its own requests.
      if (!this.#intake.isOfHandler(error) && isPermanent(error, isFirst)) throw error
      onPause?.({ formId, error, ...failures.add(formId, error) })
      return false
    }
  }

  async #formIds(): Promise<readonly string[]> {
    const { formwire, forms, signal } = this.#settings
    if (forms !== 'all') return forms
    const ids: string[] = []
    for await (const form of formwire.forms.list({ per_page: 100 }, { signal })) ids.push(form.id)
    return ids
  }
}

/** Starts to count one call of `once()` or `run()`. */
function startRun({ formwire: { budget } }: InboxSettings) {
  const sentBefore = budget.sent
  const forms = new Set<string>()
  const counts = { handled: 0, skipped: 0 }
  const summary = (): InboxSummary => ({ forms: forms.size, ...counts, requests: budget.sent - sentBefore })
  return { forms, counts, summary }
}

/** Whether a retry fails as well: a wrong key, invalid options, a damaged checkpoint; in the first round also an unknown form. */
function isPermanent(error: unknown, isFirst: boolean): boolean {
  if (isPermanentOfQueue(error)) return true
  if (isCheckpointError(error)) return error.reason === undefined
  if (!isApiError(error) || isOutage(error)) return false
  return error.status === 401 || error.status === 403 || (isFirst && error.status === 404)
}
