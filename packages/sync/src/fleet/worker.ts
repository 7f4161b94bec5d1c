import { globalClock, sleep } from '@formwire/internal/clock'
import { isConnectionError, isForbiddenError, isRateLimitError, isUnauthorizedError } from '@formwire/sdk'
import { cleanText } from '../database/dialect.ts'
import { isIdleEnd } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { failureCode, isPassing } from '../round/errors.ts'
import { codeOf } from '../watch/activity.ts'
import { listRound, readForm } from './jobs.ts'
import type { FleetSettings } from './options.ts'
import type { FleetQueue, FormJob, Taken } from './queue.ts'
import { databaseError, type Reports } from './reports.ts'
import type { KeyInUse, Workspace } from './workspace.ts'

/** Milliseconds between two looks into an empty queue. */
const POLL_MS = 500

/** Milliseconds between two signs of life: three in the time after which a job is free for others. */
const TOUCH_MS = 3000

/** Milliseconds that jobs in progress may take after `stop()`. Then they are handed on. */
const DRAIN_MS = 10_000

/** A job with what it is done with. */
interface Task {
  job: Taken
  workspace: Workspace
  key: KeyInUse
  signal: AbortSignal
}

/** Takes jobs from the queue and does them, until it is stopped. */
export class Worker {
  readonly #settings: FleetSettings
  readonly #queue: FleetQueue
  readonly #workspaces: ReadonlyMap<string, Workspace>
  readonly #reports: Reports
  /** Jobs in progress. */
  readonly #held = new Map<Taken, { work: Promise<void>; claim: AbortController }>()
  readonly #drained = new AbortController()
  #isStopped = false
  /** Ends the wait for the next look. */
  #wake = new AbortController()
  readonly #running: Promise<void>
  readonly #timers: NodeJS.Timeout[]

  constructor(
    settings: FleetSettings,
    queue: FleetQueue,
    workspaces: ReadonlyMap<string, Workspace>,
    reports: Reports,
  ) {
    this.#settings = settings
    this.#queue = queue
    this.#workspaces = workspaces
    this.#reports = reports
    // Twice in each interval, so that a late timer leaves none out.
    this.#timers = [
      setInterval(() => this.#quietly(() => this.#offer()), settings.intervalMs / 2),
      setInterval(() => this.#quietly(() => this.#touch()), TOUCH_MS),
    ]
    this.#quietly(() => this.#offer())
    this.#running = this.#run()
  }

  /** Takes no more jobs, and waits for those in progress, which are handed on if they take long. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake.abort()
    await this.#running
    const timer = setTimeout(() => this.#drained.abort(), DRAIN_MS)
    await Promise.all([...this.#held.values()].map(({ work }) => work))
    clearTimeout(timer)
    for (const timer of this.#timers) clearInterval(timer)
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      let job: Taken | undefined
      try {
        job = await this.#take()
        for (const workspace of this.#workspaces.values()) workspace.looked()
      } catch (error) {
        this.#report(undefined, error)
      }
      for (const workspace of this.#workspaces.values()) workspace.moves()
      if (job) this.#begin(job)
      else if (!this.#isStopped) {
        this.#wake = new AbortController()
        await sleep(globalClock, POLL_MS, this.#wake.signal)
      }
    }
  }

  /** Takes the next job of a workspace that this worker has capacity for. */
  async #take(): Promise<Taken | undefined> {
    const all = [...this.#workspaces.values()]
    const names = (isExcluded: (workspace: Workspace) => boolean): string[] =>
      all.filter(isExcluded).map(({ name }) => name)
    const forms = names((workspace) => !workspace.hasCapacity)
    const rounds = names((workspace) => !workspace.isAvailable || workspace.hasRound)
    if (forms.length === all.length && rounds.length === all.length) return undefined
    const job = await this.#queue.take({ rounds, forms })
    this.#reports.recovered(undefined)
    return job
  }

  #begin(job: Taken): void {
    const claim = new AbortController()
    const work = this.#do(job, AbortSignal.any([claim.signal, this.#drained.signal]))
      .catch((error) => this.#report(this.#workspaces.get(job.workspace), error))
      .finally(() => {
        this.#held.delete(job)
        this.#wake.abort()
      })
    this.#held.set(job, { work, claim })
  }

  async #do(job: Taken, signal: AbortSignal): Promise<void> {
    const workspace = this.#workspaces.get(job.workspace)
    // Of a workspace that the configuration of this worker lacks, or that has failed since: a later round finds its forms.
    if (!workspace || workspace.error !== undefined) return await this.#queue.done(job)
    const key = workspace.key()
    const task = { job, workspace, key, signal }
    key.active += 1
    if (!job.form) workspace.hasRound = true
    try {
      if (job.form) await this.#readForm(task, job.form)
      else await this.#round(task)
    } catch (error) {
      const known = databaseError(error)
      await this.#failed(task, isPassing(known) ? known : await workspace.explained(known))
    } finally {
      key.active -= 1
      if (!job.form) workspace.hasRound = false
    }
  }

  async #round({ job, workspace, key, signal }: Task): Promise<void> {
    await key.preparation.run()
    const dead = await this.#queue.deadForms(workspace.name)
    const { moved, inTurn, unknown } = await listRound(workspace, key, this.#settings, { dead, signal })
    await this.#queue.addForms(moved, 0)
    await this.#queue.addForms(inTurn, -1)
    await this.#queue.done(job)
    if (unknown) this.#report(workspace, unknown)
    // The work may have ended meanwhile, at a form.
    if (workspace.error !== undefined) return
    this.#worked(workspace, key)
    workspace.activity.endsRound(moved.length === 0)
    await workspace.record(null)
  }

  async #readForm({ job, workspace, key, signal }: Task, form: FormJob): Promise<void> {
    const reader = `${job.id} ${job.retryCount}`
    const isFinished = await readForm(workspace, key, this.#settings, { form: form.form, reader, signal })
    this.#worked(workspace, key, form.form)
    workspace.activity.reads(form.form)
    if (workspace.locked.delete(form.form))
      this.#settings.onFormRecovered?.({ workspace: workspace.name, formId: form.form })
    if (isFinished) await this.#queue.done(job)
    else await this.#queue.again(job, 0)
    if (form.isDead) await this.#queue.revive(form)
  }

  #worked(workspace: Workspace, key: KeyInUse, formId?: string): void {
    if (workspace.worked(key, formId)) this.#reports.recovered(workspace.name)
  }

  async #failed(task: Task, error: unknown): Promise<void> {
    const { job, workspace, key, signal } = task
    if (this.#drained.signal.aborted) return await this.#queue.again(job, 0)
    // Another worker has the job.
    if (signal.aborted) return
    if (!isPassing(error) && (isUnauthorizedError(error) || isForbiddenError(error))) {
      workspace.drop(key, error)
      if (workspace.error === undefined) this.#report(workspace, error)
      else await this.#stands(workspace, error)
      return await this.#queue.again(job, 0)
    }
    if (error instanceof StoreError && !error.isPassing) {
      workspace.end(error)
      await this.#stands(workspace, error)
      return await this.#queue.done(job)
    }
    const { form } = job
    const isOutage = form
      ? (error instanceof StoreError && !workspace.isLocked(error)) ||
        isConnectionError(error) ||
        isRateLimitError(error)
      : isPassing(error)
    if (isOutage || (form && workspace.formFailed(form.form, error))) {
      const { waitMs, isNew } = workspace.pause(key, error)
      if (isNew) await this.#stands(workspace, error)
      return await this.#queue.again(job, Math.ceil(waitMs / 1000))
    }
    if (!form) {
      await this.#queue.done(job)
      return await this.#stands(workspace, error)
    }
    await this.#formFailed(task, form, error)
  }

  async #formFailed({ job, workspace }: Task, form: FormJob, error: unknown): Promise<void> {
    const { message } = Object(error) as { message?: unknown }
    const text = failureCode(error)
    const failure = { workspace: workspace.name, formId: form.form, error }
    if (workspace.isLocked(error)) {
      // Another worker that holds the lock records what becomes of the form itself.
      if (isIdleEnd(error)) await workspace.setError(form.form, codeOf(error)).catch(() => undefined)
      const { attempt, waitMs } = workspace.locked.add(form.form, error)
      if (attempt === 1) this.#settings.onFormFailed?.(failure)
      return await this.#queue.again(job, Math.ceil(waitMs / 1000))
    }
    await workspace.setError(form.form, text)
    // It stays a dead letter, until its turn comes again.
    if (form.isDead) return await this.#queue.done(job)
    if (job.retryCount === 0) this.#settings.onFormFailed?.(failure)
    await this.#queue.fail(job, { code: text, message: cleanText(String(message)) })
  }

  async #offer(): Promise<void> {
    const names = [...this.#workspaces.values()].filter(({ error }) => error === undefined)
    if (this.#isStopped || names.length === 0) return
    const seconds = Math.max(1, Math.round(this.#settings.intervalMs / 1000))
    await this.#queue.offerRounds(
      names.map(({ name }) => name),
      seconds,
    )
  }

  async #touch(): Promise<void> {
    if (this.#held.size === 0) return
    for (const job of await this.#queue.touch([...this.#held.keys()])) this.#held.get(job)?.claim.abort()
  }

  /** Reports what stopped a workspace, and records it for other processes. */
  async #stands(workspace: Workspace, error: unknown): Promise<void> {
    await workspace.record(codeOf(error))
    this.#report(workspace, error)
  }

  #report(workspace: Workspace | undefined, error: unknown): void {
    this.#reports.failed({ workspace: workspace?.name, error, ended: workspace?.error !== undefined })
  }

  /** Reports a failure of work that is repeated anyway. */
  #quietly(work: () => Promise<void>): void {
    work().catch((error) => this.#report(undefined, error))
  }
}
