import {
  ANYTHING,
  DURATION,
  durationFrom,
  FUNCTION,
  INTEGER_FROM_1,
  readOptions,
  rule,
  type Settings,
  type Shape,
} from '../check-options.ts'
import { cleanJson, quoteName } from '../database/dialect.ts'
import { startEngine } from '../engine/boss.ts'
import { QUEUE_SCHEMA } from '../engine/queue-status.ts'
import { StoreError } from '../errors.ts'
import { Once } from '../once.ts'
import type { SyncedResponse } from '../options.ts'
import { translated } from '../postgres/errors.ts'
import type { Arrival, InboxQueue, QueuedResponse, QueueState, ResponseKey, TakenResponse } from './queue.ts'
import {
  type Boss,
  idOf,
  idsOf,
  type Job,
  messageOf,
  originalOf,
  PAGE,
  type Payload,
  queued,
  readPage,
  UUID,
} from './queue-jobs.ts'

/** Options of {@link postgresQueue}. */
export interface PostgresQueueOptions {
  /** URL of the database. @default process.env.FORMWIRE_DATABASE_URL, else the variables of libpq (`PGHOST` …) */
  connectionString?: string | undefined
  /** Schema of the queues, which is created. @default 'formwire_queue' */
  schema?: string | undefined
  /** Name of the queue. Inboxes with different handlers for the same responses need different names. @default 'inbox' */
  name?: string | undefined
  /** Attempts to handle a response before it is dead. @default 10 */
  attempts?: number | undefined
  /** Milliseconds before the second attempt, at least 1000. Doubled for each further one, with jitter. @default 5000 */
  retryDelayMs?: number | undefined
  /** Milliseconds between two attempts at most. @default 3_600_000 */
  maxRetryDelayMs?: number | undefined
  /**
   * Milliseconds for which a response is remembered, with its payload, after it was handled or dropped: it is not handled again if it is
   * delivered or found again. Must be longer than `lookbackMs` of the inbox. @default three days: the service retries a delivery for 14.6 hours
   */
  keepMs?: number | undefined
  /**
   * Milliseconds after which a response goes to another worker if it is not renewed, at least 10_000. A worker renews it as long as it
   * handles it. @default 15_000
   */
  leaseMs?: number | undefined
  /** Connections at most. @default 4 */
  connections?: number | undefined
  /** Called with what fails in the background, such as an outage of the database. @default nothing: calls fail as well */
  onError?: ((error: unknown) => void) | undefined
}

const MIN_LEASE_MS = 10_000

const SHAPE: Shape<PostgresQueueOptions> = {
  connectionString: ANYTHING,
  schema: ANYTHING,
  name: rule(
    'a name of letters, digits, "_" and "-"',
    (value) => typeof value === 'string' && /^[\w-]{1,60}$/.test(value),
  ),
  attempts: INTEGER_FROM_1,
  retryDelayMs: DURATION,
  maxRetryDelayMs: DURATION,
  keepMs: DURATION,
  leaseMs: durationFrom(`from ${MIN_LEASE_MS}`, MIN_LEASE_MS),
  connections: ANYTHING,
  onError: FUNCTION,
}

const DEFAULTS = {
  name: 'inbox',
  attempts: 10,
  retryDelayMs: 5000,
  maxRetryDelayMs: 3_600_000,
  keepMs: 3 * 86_400_000,
  leaseMs: 15_000,
  onError: (): void => undefined,
}

type QueueSettings = Settings<PostgresQueueOptions, typeof DEFAULTS>

/**
 * Returns a queue in PostgreSQL for `createInbox`. It uses pg-boss 12 (`npm install pg-boss pg`), which requires Node 22.12 or newer and keeps
 * its tables in a schema of its own.
 *
 * The id of a response in the queue is derived from workspace, form and response, so that a webhook and a poll store it once. It stays there
 * for `keepMs` after it was handled, and a dead one until it is retried or dropped.
 *
 * @example createInbox({ formwire, forms: 'all', checkpoint, handle, queue: postgresQueue({ connectionString }) })
 * @throws SyncUsageError for an unknown or invalid option. Calls of the queue reject with a StoreError, with code `unsupported_node` or
 *   `no_driver` before anything is connected.
 */
export function postgresQueue(options: PostgresQueueOptions = {}): InboxQueue {
  return new PostgresQueue(readOptions('postgresQueue()', options, { shape: SHAPE, defaults: DEFAULTS }))
}

/** Seconds for which a handler may run: the most that the engine allows, less an hour. */
const HANDLER_SECONDS = 23 * 3600
/** Seconds for which responses wait for a worker, and dead ones for an operator: ten years. */
const PATIENCE_SECONDS = 315_360_000

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

class PostgresQueue implements InboxQueue {
  readonly keepMs: number
  readonly leaseMs: number
  readonly #settings: QueueSettings
  readonly #opening: Once<Boss>
  /** Done by what stores or handles responses. */
  readonly #creation = new Once(async () => await this.#createQueues(await this.#opening.run()))
  #closed = false

  constructor(settings: QueueSettings) {
    this.#settings = settings
    this.keepMs = settings.keepMs
    this.leaseMs = settings.leaseMs
    this.#opening = new Once(() => startEngine(settings))
  }

  /** Responses that are handled or will be. */
  get #name(): string {
    return this.#settings.name
  }

  get #deadName(): string {
    return `${this.#name}.dead`
  }

  /** Notes of deliveries whose response the poll had found before. No worker takes them. */
  get #deliveredName(): string {
    return `${this.#name}.delivered`
  }

  async add(key: ResponseKey, response: SyncedResponse, source: Arrival['source']): Promise<boolean> {
    const id = idOf(key)
    const payload: Payload = { ...key, source, response }
    // The server cannot hold NUL and unpaired surrogates, which respondents can send.
    const data = JSON.parse(cleanJson(JSON.stringify(payload))) as Payload
    return await this.#call(async (boss) => {
      await this.#creation.run()
      if ((await boss.send(this.#name, data, { id })) !== null) return true
      if (source === 'webhook') await boss.send(this.#deliveredName, null, { id })
      return false
    })
  }

  async exists(): Promise<boolean> {
    return await this.#look(false, async () => true)
  }

  async wasDelivered(key: ResponseKey): Promise<boolean> {
    const id = idOf(key)
    return await this.#look(false, async (boss) => {
      const [job] = await boss.findJobs<Payload>(this.#name, { id })
      if (job?.data.source === 'webhook') return true
      return (await boss.findJobs(this.#deliveredName, { id })).length > 0
    })
  }

  async take(count: number): Promise<TakenResponse[]> {
    return await this.#call(async (boss) => {
      await this.#creation.run()
      const jobs = await boss.fetch<Payload>(this.#name, { batchSize: count })
      const isLast = ({ retryCount }: { retryCount: number }): boolean =>
        retryCount + 1 >= this.#settings.attempts
      if (jobs.some(isLast)) await this.#remember(boss, jobs.filter(isLast), '0')
      return jobs.map(({ id, retryCount, data: { response, source } }) => {
        // Names the attempt, so that a worker that has lost the response does not end the attempt of another one.
        const attempt = { id, retryCount }
        return {
          response,
          source,
          attempt: retryCount + 1,
          isLast: isLast(attempt),
          renew: () => this.#call(async () => void (await boss.touch(this.#name, attempt))),
          // Also if the lease has expired and nobody has taken the response since: the work is done.
          complete: () =>
            this.#call(async () => {
              if (isLast(attempt)) await this.#remember(boss, [attempt])
              await boss.complete(this.#name, attempt, null, { includeQueued: true })
            }),
          fail: (error) =>
            this.#call(
              async () => void (await boss.fail(this.#name, attempt, { message: messageOf(error) })),
            ),
        }
      })
    })
  }

  async list(state: QueueState, limit = Number.POSITIVE_INFINITY): Promise<QueuedResponse[]> {
    const name = state === 'dead' ? this.#deadName : this.#name
    return await this.#look([], async (boss) => {
      const found: QueuedResponse[] = []
      for (let after: string | undefined; ; ) {
        const jobs = await readPage(boss, name, after, state === 'pending')
        found.push(...jobs.map((job) => queued(job)).filter((one) => one.state === state))
        after = jobs.at(-1)?.id
        if (jobs.length < PAGE || found.length >= limit) return found.slice(0, limit)
      }
    })
  }

  async get(id: string): Promise<{ queued: QueuedResponse; response: SyncedResponse } | undefined> {
    if (!UUID.test(id)) return undefined
    return await this.#look(undefined, async (boss) => {
      for (const name of [this.#deadName, this.#name]) {
        const [job] = await boss.findJobs<Payload>(name, { id })
        if (job) return { queued: queued(job), response: job.data.response }
      }
      return undefined
    })
  }

  async retry(ids: readonly string[]): Promise<number> {
    return await this.#look(0, async (boss) => {
      const dead = await this.#findDead(boss, ids)
      const jobs = dead.map(originalOf)
      // Unlike those of `redrive`, the new job has the id of the response. It may be queued or handled already, if a retry was interrupted.
      await this.#change(boss, jobs, (schema) => `DELETE FROM ${schema}.job WHERE state = 'failed'`)
      await boss.insert(this.#name, jobs)
      return await this.#removeDead(boss, dead)
    })
  }

  async drop(ids: readonly string[]): Promise<number> {
    return await this.#look(0, async (boss) => {
      const dead = await this.#findDead(boss, ids)
      await this.#remember(boss, dead.map(originalOf))
      return await this.#removeDead(boss, dead)
    })
  }

  async #findDead(boss: Boss, ids: readonly string[]): Promise<Job[]> {
    const found: Job[] = []
    for (const id of new Set(ids))
      if (UUID.test(id)) found.push(...(await boss.findJobs<Payload>(this.#deadName, { id })))
    return found
  }

  async #removeDead(boss: Boss, dead: readonly Job[]): Promise<number> {
    if (dead.length > 0) await boss.deleteJob(this.#deadName, idsOf(dead))
    return dead.length
  }

  /**
   * Makes the engine keep jobs after their end as long as the queue says, from now on if they have ended; '0': always. What may become dead is
   * kept until it is retried or dropped, so that no delivery stores its response again.
   */
  async #remember(boss: Boss, jobs: readonly { id: string }[], keep?: '0'): Promise<void> {
    const ended = 'CASE WHEN completed_on IS NOT NULL THEN now() END'
    const seconds = (schema: string) =>
      keep ?? `(SELECT deletion_seconds FROM ${schema}.queue WHERE name = $1)`
    await this.#change(
      boss,
      jobs,
      (schema) =>
        `UPDATE ${schema}.job SET deletion_seconds = ${seconds(schema)}, completed_on = ${ended} WHERE true`,
    )
  }

  /** Changes jobs by their ids, which the engine cannot do in this manner. */
  async #change(boss: Boss, jobs: readonly { id: string }[], sql: (schema: string) => string): Promise<void> {
    const schema = quoteName(this.#settings.schema ?? QUEUE_SCHEMA)
    await boss.getDb().executeSql(`${sql(schema)} AND name = $1 AND id = ANY($2)`, [this.#name, idsOf(jobs)])
  }

  async close(): Promise<void> {
    this.#closed = true
    const boss = await this.#opening.settled()
    await boss?.stop({ graceful: false })
  }

  async #createQueues(boss: Boss): Promise<void> {
    const { attempts, keepMs, leaseMs, retryDelayMs, maxRetryDelayMs } = this.#settings
    const lasting = { retentionSeconds: PATIENCE_SECONDS, expireInSeconds: HANDLER_SECONDS }
    const work = {
      ...lasting,
      retryLimit: attempts - 1,
      retryDelay: seconds(retryDelayMs),
      retryDelayMax: seconds(Math.max(maxRetryDelayMs, retryDelayMs)),
      retryBackoff: true,
      heartbeatSeconds: seconds(leaseMs),
      deleteAfterSeconds: seconds(keepMs),
      deadLetter: this.#deadName,
    }
    await ensureQueue(boss, this.#deadName, lasting)
    await ensureQueue(boss, this.#deliveredName, { retentionSeconds: seconds(keepMs) })
    await ensureQueue(boss, this.#name, work)
  }

  /** Works with the queue if there is one, and leaves its options as its workers have set them. */
  async #look<Result>(none: Result, work: (boss: Boss) => Promise<Result>): Promise<Result> {
    return await this.#call(async (boss) => ((await boss.getQueue(this.#name)) ? await work(boss) : none))
  }

  async #call<Result>(work: (boss: Boss) => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new StoreError('The queue is closed.', 'closed')
    try {
      return await work(await this.#opening.run())
    } catch (error) {
      throw translated(error)
    }
  }
}

/** Creates a queue, or gives an existing one the present options. */
async function ensureQueue(
  boss: Boss,
  name: string,
  options: NonNullable<Parameters<Boss['createQueue']>[1]>,
): Promise<void> {
  await boss.createQueue(name, options)
  await boss.updateQueue(name, options)
}
