/** Processes the queue: `REDIS_URL=redis://… npx tsx src/worker-main.ts`. Start as many as needed. */
import { connect } from './response-queue.ts'
import { createResponseWorker } from './worker.ts'

const { connection } = await connect(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379')

createResponseWorker({
  connection,
  handle: async ({ form, response }) => {
    console.log(`${form.title}: response ${response.id} with ${response.answers.length} answers`)
  },
}).on('failed', (job, error) => console.error(`response ${job?.data.response.id} failed: ${error.message}`))
