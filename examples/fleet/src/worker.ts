import type { Formwire } from '@formwire/sdk'
import { createSync, type SyncOptions, UnknownFormsError } from '@formwire/sync'
import { type PostgresTransaction, postgresStore } from '@formwire/sync/postgres'
import { type Job, openQueue, type Queue } from './queue.ts'
import { formsToSync } from './round.ts'

/** Options of {@link runWorker}. */
export interface WorkerOptions {
  /** Client with the budget that all workers share. */
  formwire: Formwire
  databaseUrl: string
  /** Seconds between two looks at the list of forms. @default 30 */
  roundSeconds?: number
  /** Seconds after which a form is synchronized although its count did not move. @default 3600 */
  slowSeconds?: number
  /** Seconds after which the work of a worker that died goes to another one. @default 900 */
  leaseSeconds?: number
  /** Forms at a time. @default 4 */
  concurrency?: number
  onResponse?: SyncOptions<PostgresTransaction>['onResponse']
  onError(error: unknown): void
  signal: AbortSignal
}

/** Synchronizes the forms that the queue hands out until the signal aborts. Start as many workers as needed. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { formwire, databaseUrl, leaseSeconds = 900, concurrency = 4, onError, signal } = options
  const { onResponse, roundSeconds = 30, slowSeconds = 3600 } = options
  const store = postgresStore({ connectionString: databaseUrl })
  const queue = await openQueue({ databaseUrl, leaseSeconds, onError })
  const handle = async ({ form, signal }: Job): Promise<void> => {
    if (form === undefined) return await round(queue, signal)
    try {
      await createSync({ formwire, store, forms: [form], onResponse, signal }).once()
    } catch (error) {
      // Trashed, which is in formwire_forms now.
      if (!(error instanceof UnknownFormsError)) throw error
    }
  }
  const round = async (queue: Queue, signal: AbortSignal): Promise<void> => {
    // First, so that there is a next round whatever becomes of this one.
    await queue.addRound(roundSeconds)
    const slowBefore = new Date(Date.now() - slowSeconds * 1000)
    await queue.addForms(await formsToSync(formwire, store, slowBefore, signal))
  }
  try {
    await queue.addRound(0)
    await Promise.all(Array.from({ length: concurrency }, () => queue.work(signal, handle)))
  } finally {
    await queue.close()
    await store.close()
  }
}
