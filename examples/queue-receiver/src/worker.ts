import { type IRedisClient, Worker } from 'bullmq'
import { QUEUE_NAME, type ResponseJob } from './response-queue.ts'

/** What a worker needs. */
export interface ResponseWorkerOptions {
  connection: IRedisClient
  /**
   * Works on one response. A worker can die between the work and the note that it is done, so the work must bear being
   * done twice: write under the response's id.
   */
  handle: (job: ResponseJob) => Promise<void>
  /** How long a job stays with a worker that gives no sign of life, in milliseconds. @default 30_000 */
  lockMs?: number
}

/** Takes responses off the queue, one after another. A job whose worker was killed goes to the next one. */
export function createResponseWorker({
  connection,
  handle,
  lockMs = 30_000,
}: ResponseWorkerOptions): Worker<ResponseJob> {
  return new Worker<ResponseJob>(QUEUE_NAME, (job) => handle(job.data), {
    connection,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    // Often enough that only a job that kills its worker every time is given up.
    maxStalledCount: 5,
  })
}
