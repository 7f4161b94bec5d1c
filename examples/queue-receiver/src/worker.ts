import { type IRedisClient, type Job, Worker } from 'bullmq'
import { QUEUE_NAME, type ResponseJob } from './response-queue.ts'
import { continueTrace } from './tracing.ts'

/** Options of a worker. */
export interface ResponseWorkerOptions {
  connection: IRedisClient
  /**
   * Processes one response. Must be idempotent, for example by writing under the response id, since a worker can die
   * after the work and before the job is marked as completed.
   */
  handle: (job: ResponseJob) => Promise<void>
  /** Milliseconds before the job of an unresponsive worker goes to another. @default 30_000 */
  lockMs?: number
}

/** Processes responses from the queue one after another. The job of a killed worker goes to another one. */
export function createResponseWorker({
  connection,
  handle,
  lockMs = 30_000,
}: ResponseWorkerOptions): Worker<ResponseJob> {
  const process = ({ name, data }: Job<ResponseJob>): Promise<void> =>
    continueTrace(data.trace, `work ${name}`, () => handle(data))
  return new Worker<ResponseJob>(QUEUE_NAME, process, {
    connection,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    // High enough that only a job that always kills its worker fails.
    maxStalledCount: 5,
  })
}
