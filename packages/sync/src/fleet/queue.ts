import type { PgBoss } from 'pg-boss'
import { type EngineOptions, startEngine } from '../engine/boss.ts'
import { FORM_QUEUE } from '../engine/queue-status.ts'
import { connectionFailure } from '../postgres/errors.ts'

const ROUNDS = 'formwire-rounds'
/** Forms that failed too often. */
const FAILED = `${FORM_QUEUE}-failed`

/** A form to read. */
export interface FormJob {
  workspace: string
  form: string
  /** Whether it is in the dead letter queue, and read because its turn has come. */
  isDead?: boolean
}

/** Work that a worker took. */
export interface Taken {
  id: string
  /** Which attempt it is, from 0. */
  retryCount: number
  queue: string
  workspace: string
  /** The form to read, or `undefined` for a round. */
  form: FormJob | undefined
}

/** Seconds without a sign of life after which a job is free for other workers: the least that the engine allows. */
const HEARTBEAT_SECONDS = 10

/** A job that fails is tried again after 2 to 4 s, doubling up to ten minutes, and becomes a dead letter after some twenty minutes. */
const RETRIES = { retryLimit: 10, retryDelay: 2, retryBackoff: true, retryDelayMax: 600 }

/** A job ends much earlier, and that of a dead worker is found by its heartbeat. */
const EXPIRE_SECONDS = 43_200

/** The queue that all workers share, in the database that the responses are written to. */
export class FleetQueue {
  readonly #boss: PgBoss

  private constructor(boss: PgBoss) {
    this.#boss = boss
  }

  /** Starts the engine and creates the queues. @throws StoreError */
  static async open(options: EngineOptions): Promise<FleetQueue> {
    const boss = await startEngine(options)
    // "exclusive": one job a key, queued or active.
    const common = {
      policy: 'exclusive',
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: EXPIRE_SECONDS,
      // Long enough for a round to stay the only one of its interval.
      deleteAfterSeconds: 900,
    } as const
    try {
      await boss.createQueue(FAILED, { policy: 'exclusive', retentionSeconds: 31_536_000 })
      await boss.createQueue(FORM_QUEUE, { ...common, ...RETRIES, deadLetter: FAILED })
      await boss.createQueue(ROUNDS, { ...common, retryLimit: 0 })
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined)
      throw connectionFailure(error)
    }
    return new FleetQueue(boss)
  }

  /** Adds a round of each workspace, unless there was one in this interval or one is queued or in progress. */
  async offerRounds(workspaces: readonly string[], intervalSeconds: number): Promise<void> {
    await this.#boss.insert(
      ROUNDS,
      workspaces.map((workspace) => ({
        data: { workspace },
        singletonKey: workspace,
        singletonSeconds: intervalSeconds,
        group: { id: workspace },
      })),
    )
  }

  /** Adds forms, except for those that are queued or in progress. @param priority higher ones come first */
  async addForms(jobs: readonly FormJob[], priority: number): Promise<void> {
    if (jobs.length > 0)
      await this.#boss.insert(
        FORM_QUEUE,
        jobs.map((job) => insertOf(job, { priority })),
      )
  }

  /** Takes a round or, without one, a form of a workspace that is not excluded. */
  async take(excluded: { rounds: readonly string[]; forms: readonly string[] }): Promise<Taken | undefined> {
    for (const [queue, ignored] of [
      [ROUNDS, excluded.rounds],
      [FORM_QUEUE, excluded.forms],
    ] as const) {
      const [job] = await this.#boss.fetch<FormJob>(queue, { ignoreGroups: [...ignored] })
      if (!job) continue
      const { id, data, retryCount } = job
      return { id, retryCount, queue, workspace: data.workspace, form: queue === ROUNDS ? undefined : data }
    }
    return undefined
  }

  /** Gives a sign of life. Returns the jobs that other workers have now. */
  async touch(jobs: readonly Taken[]): Promise<Taken[]> {
    const lost: Taken[] = []
    for (const queue of new Set(jobs.map((job) => job.queue))) {
      const held = jobs.filter((job) => job.queue === queue)
      const { settled } = (await this.#boss.touch(queue, held)) as { settled?: string[] }
      if (settled) lost.push(...held.filter(({ id }) => !settled.includes(id)))
    }
    return lost
  }

  async done(job: Taken): Promise<void> {
    await this.#boss.complete(job.queue, [job])
  }

  /** Ends a job and queues the same work again. If the process dies in between, a later round finds what is missing. */
  async again(job: Taken, afterSeconds: number): Promise<void> {
    await this.done(job)
    if (job.form) await this.#boss.insert(FORM_QUEUE, [insertOf(job.form, { startAfter: afterSeconds })])
  }

  /** Ends an attempt: the job is tried again later, or becomes a dead letter. */
  async fail(job: Taken, error: object): Promise<void> {
    await this.#boss.fail(job.queue, [job], error)
  }

  /** Returns the forms of a workspace that failed too often. */
  async deadForms(workspace: string): Promise<Set<string>> {
    const jobs = await this.#boss.findJobs<FormJob>(FAILED, {
      data: { workspace },
      queued: true,
      limit: 10_000,
    })
    return new Set(jobs.map(({ data }) => data.form))
  }

  /** Removes a form that could be read from the dead letters. */
  async revive({ workspace, form }: FormJob): Promise<void> {
    const jobs = await this.#boss.findJobs(FAILED, { key: keyOf({ workspace, form }) })
    if (jobs.length > 0)
      await this.#boss.deleteJob(
        FAILED,
        jobs.map(({ id }) => id),
      )
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false })
  }
}

const keyOf = ({ workspace, form }: FormJob): string => `${workspace}/${form}`

const insertOf = <Options extends object>(job: FormJob, options: Options) => ({
  data: job,
  singletonKey: keyOf(job),
  group: { id: job.workspace },
  ...options,
})
