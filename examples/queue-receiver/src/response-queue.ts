import { createHash } from 'node:crypto'
import type { ResponseSubmittedEvent } from '@formwire/webhook-verify'
import { dedupeKeys } from '@formwire/webhook-verify/dedupe'
import { createNodeRedisClient, type IRedisClient, type Queue } from 'bullmq'
import { createClient } from 'redis'

/** Name of the queue that receiver and workers share. */
export const QUEUE_NAME = 'formwire-responses'

/** What a job carries: JSON, so the timestamp is text. */
export interface ResponseJob {
  form: ResponseSubmittedEvent['form']
  response: ResponseSubmittedEvent['response']
  signedAt: string
}

/** How long a finished job is remembered, and with it that its response was handled: longer than the retries last. */
const REMEMBERED_SECONDS = 3 * 24 * 60 * 60
const ATTEMPTS = 10
const FIRST_RETRY_MS = 1000

/** A connected client as BullMQ wants it. Commands fail at once while Redis is away, so that the service hears of it. */
export async function connect(redisUrl: string): Promise<{ connection: IRedisClient; close: () => void }> {
  const client = createClient({ url: redisUrl, disableOfflineQueue: true })
  client.on('error', () => {
    // The client reconnects by itself; what failed meanwhile is reported by the call that failed.
  })
  await client.connect()
  return { connection: createNodeRedisClient(client), close: () => client.destroy() }
}

/**
 * Puts a response in the queue. The job's id is made of what the signature covers, so a delivery that comes again, under
 * whatever delivery id, is the job that is there already (DLV-10). One that was given up begins anew: a replay from the
 * app (DLV-08) is how somebody asks for it.
 */
export async function enqueueResponse(
  queue: Queue<ResponseJob>,
  event: ResponseSubmittedEvent,
): Promise<void> {
  const { form, response, timestamp } = event
  // Hashed, because BullMQ allows no colon in an id.
  const jobId = createHash('sha256').update(dedupeKeys(event, 'signed').join('\n')).digest('hex')
  const job = await queue.add(
    event.type,
    { form, response, signedAt: timestamp.toISOString() },
    {
      jobId,
      attempts: ATTEMPTS,
      backoff: { type: 'exponential', delay: FIRST_RETRY_MS },
      removeOnComplete: { age: REMEMBERED_SECONDS },
    },
  )
  if (await job.isFailed()) await job.retry('failed', { resetAttemptsMade: true })
}
