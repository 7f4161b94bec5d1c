/** Starts the receiver: `FORMWIRE_WEBHOOK_SECRET=whsec_… REDIS_URL=redis://… npx tsx src/receiver-main.ts`. */
import { traceHandlers } from '@formwire/sdk/otel'
import { Queue } from 'bullmq'
import { createQueueReceiver } from './receiver.ts'
import { connect, QUEUE_NAME, type ResponseJob } from './response-queue.ts'

// A span for each delivery, if an OpenTelemetry SDK is set up.
traceHandlers()

const { connection } = await connect(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', { failsFast: true })
const queue = new Queue<ResponseJob>(QUEUE_NAME, { connection })
const port = Number(process.env.PORT ?? 4000)

createQueueReceiver({ queue, secret: () => process.env.FORMWIRE_WEBHOOK_SECRET }).listen(
  port,
  '127.0.0.1',
  () => {
    console.log(`listening on http://127.0.0.1:${port}`)
  },
)
