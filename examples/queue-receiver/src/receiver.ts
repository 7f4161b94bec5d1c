import { createServer, type Server } from 'node:http'
import { createReceiver, type ReceiverOptions } from '@formwire/webhook-verify/node'
import type { Queue } from 'bullmq'
import { enqueueResponse, type ResponseJob } from './response-queue.ts'

/** What the receiver needs. */
export interface QueueReceiverOptions extends Pick<ReceiverOptions, 'secret' | 'now' | 'onError'> {
  queue: Queue<ResponseJob>
}

/**
 * Answers 200 as soon as Redis has the response, long before anybody worked on it: well within the ten seconds of the
 * service (DLV-05). When Redis is away it answers 500, and the service sends the delivery again.
 */
export function createQueueReceiver({ queue, ...options }: QueueReceiverOptions): Server {
  return createServer(
    createReceiver({ ...options, on: { 'response.submitted': (event) => enqueueResponse(queue, event) } }),
  )
}
