import { createServer, type Server } from 'node:http'
import { createReceiver, type ReceiverOptions } from '@formwire/webhook-verify/node'
import type { Queue } from 'bullmq'
import { enqueueResponse, type ResponseJob } from './response-queue.ts'

/** Options of the receiver. */
export interface QueueReceiverOptions extends Pick<ReceiverOptions, 'secret' | 'now' | 'onError'> {
  queue: Queue<ResponseJob>
}

/**
 * Creates a receiver that responds with 200 as soon as the response is in Redis, well within the ten seconds that the
 * service waits (DLV-05). While Redis is unavailable it responds with 500, and the service retries.
 */
export function createQueueReceiver({ queue, ...options }: QueueReceiverOptions): Server {
  return createServer(
    createReceiver({ ...options, on: { 'response.submitted': (event) => enqueueResponse(queue, event) } }),
  )
}
