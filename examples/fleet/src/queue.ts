import PgBoss from 'pg-boss'

/** Jobs that synchronize one form. */
const FORMS = 'formwire-forms'
/** Jobs that look for forms that moved. */
const ROUNDS = 'formwire-rounds'

/** Milliseconds between two looks into an empty queue, and at most every how many milliseconds to look for a round before a form. */
const POLL_MS = 500
/** Repetitions of a job: each one continues where the last one ended. */
const RETRIES = 100
/** Attempts to create a queue, each of which another worker may prevent. */
const START_ATTEMPTS = 10
/** What PostgreSQL calls `deadlock_detected`. */
const DEADLOCK = '40P01'

/** Options of {@link openQueue}. */
export interface QueueOptions {
  databaseUrl: string
  /** Seconds after which the job of a worker that died goes to another worker. A job that takes longer is stopped before that. */
  leaseSeconds: number
  onError(error: unknown): void
}

/** Work that a worker took. */
export interface Job {
  /** The form to synchronize, or `undefined` for a round. */
  form: string | undefined
  /** Aborts shortly before another worker may take the job. */
  signal: AbortSignal
}

/** The queue that all workers share, in the database that the responses are written to. */
export interface Queue {
  /** Adds jobs of forms. A form that waits already keeps its one job. */
  addForms(ids: readonly string[]): Promise<void>
  /** Adds a round after some seconds, unless one waits already. */
  addRound(afterSeconds: number): Promise<void>
  /** Takes jobs, one after the other, until the signal aborts. A job whose work rejects is done again. */
  work(signal: AbortSignal, handle: (job: Job) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Opens the queue, and creates its tables in the schema `pgboss`. */
export async function openQueue({ databaseUrl, leaseSeconds, onError }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: 4,
    // Looks for jobs of dead workers twice in a lease.
    maintenanceIntervalSeconds: Math.max(1, Math.floor(leaseSeconds / 2)),
  })
  boss.on('error', onError)
  await boss.start()
  const limits = { retryLimit: RETRIES, retryDelay: 1, expireInSeconds: leaseSeconds }
  // "short": one waiting job a key.
  for (const name of [FORMS, ROUNDS])
    await withoutDeadlock(() => boss.createQueue(name, { name, policy: 'short', ...limits }))

  /** Takes and does one job. Returns false if there is none. */
  const step = async (name: string, signal: AbortSignal, handle: (job: Job) => Promise<void>) => {
    const [job] = (await boss.fetch<{ form?: string }>(name)) ?? []
    if (!job) return false
    const lease = AbortSignal.timeout(leaseSeconds * 900)
    try {
      await handle({ form: job.data.form, signal: AbortSignal.any([signal, lease]) })
      await boss.complete(name, job.id)
    } catch (error) {
      if (!signal.aborted && !lease.aborted) onError(error)
      await boss.fail(name, job.id)
    }
    return true
  }

  return {
    addForms: (ids) =>
      boss.insert(ids.map((form) => ({ name: FORMS, data: { form }, singletonKey: form, ...limits }))),
    async addRound(afterSeconds) {
      await boss.send(ROUNDS, {}, { singletonKey: 'round', startAfter: afterSeconds, ...limits })
    },
    async work(signal, handle) {
      let lookedAt = Number.NEGATIVE_INFINITY
      while (!signal.aborted) {
        try {
          if (performance.now() - lookedAt >= POLL_MS) {
            lookedAt = performance.now()
            if (await step(ROUNDS, signal, handle)) continue
          }
          if (await step(FORMS, signal, handle)) continue
        } catch (error) {
          // The database is unavailable: the job is done again when its lease has ended.
          onError(error)
        }
        await pause(POLL_MS, signal)
      }
    },
    close: () => boss.stop({ graceful: false, wait: true }),
  }
}

/** Repeats what PostgreSQL ended because another worker that starts does the same: creating a queue takes locks on shared tables. */
async function withoutDeadlock(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || attempt === START_ATTEMPTS) throw error
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
