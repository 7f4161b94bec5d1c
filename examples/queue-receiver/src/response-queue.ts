import { createHash } from 'node:crypto'
import type { ResponseSubmittedEvent } from '@formwire/webhook-verify'
import { dedupeKeys } from '@formwire/webhook-verify/dedupe'
import { createNodeRedisClient, type IRedisClient, type Queue } from 'bullmq'
import { createClient } from 'redis'
import { currentTraceContext, type TraceContext } from './tracing.ts'

/** Name of the queue that receiver and workers share. */
export const QUEUE_NAME = process.env.QUEUE ?? 'formwire-responses'

/** The data of a job. It is stored as JSON, so the timestamp is a string. */
export interface ResponseJob {
  form: ResponseSubmittedEvent['form']
  response: ResponseSubmittedEvent['response']
  signedAt: string
  /** Continues the trace of the receiver in the worker. */
  trace: TraceContext
}

/** How long completed jobs are kept to recognize duplicates. Longer than the service retries. */
const REMEMBERED_SECONDS = 3 * 24 * 60 * 60
const ATTEMPTS = 10
const FIRST_RETRY_MS = 1000

/**
 * Connects a client for BullMQ. While Redis is unavailable, commands wait, and the client reconnects with a growing delay.
 *
 * @param failsFast Has commands fail immediately instead, so that the service retries. Not for a worker, which would repeat its command
 *   without a pause, and so never reconnect. @default false
 */
export async function connect(
  redisUrl: string,
  { failsFast = false }: { failsFast?: boolean } = {},
): Promise<{ connection: IRedisClient; close: () => void }> {
  const client = createClient({ url: redisUrl, disableOfflineQueue: failsFast })
  client.on('error', () => {
    // The client reconnects automatically.
  })
  await client.connect()
  return { connection: createNodeRedisClient(client), close: () => client.destroy() }
}

/**
 * Puts a response in the queue. The job id is derived from the signed ids, so a repeated delivery is the same job, under
 * any delivery id (DLV-10). A failed job is run again, since a replay from the app (DLV-08) requests that.
 */
export async function enqueueResponse(
  queue: Queue<ResponseJob>,
  event: ResponseSubmittedEvent,
): Promise<void> {
  const { form, response, timestamp } = event
  // Hashed, because BullMQ does not allow colons in ids.
  const jobId = createHash('sha256').update(dedupeKeys(event, 'signed').join('\n')).digest('hex')
  const data = { form, response, signedAt: timestamp.toISOString(), trace: currentTraceContext() }
  const job = await queue.add(event.type, data, {
    jobId,
    attempts: ATTEMPTS,
    backoff: { type: 'exponential', delay: FIRST_RETRY_MS },
    removeOnComplete: { age: REMEMBERED_SECONDS },
  })
  if (await job.isFailed()) {
    // With the trace of the replay.
    await job.updateData(data)
    await job.retry('failed', { resetAttemptsMade: true })
  }
}
