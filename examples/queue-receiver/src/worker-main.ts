/** Saves the responses of the queue in a folder: `REDIS_URL=redis://… RESPONSES=responses npx tsx src/worker-main.ts`. Start as many as needed. */
import { connect } from './response-queue.ts'
import { saveResponse } from './save-response.ts'
import { createResponseWorker } from './worker.ts'

const { connection } = await connect(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379')
const folder = process.env.RESPONSES ?? 'responses'

createResponseWorker({
  connection,
  lockMs: Number(process.env.LOCK_MS ?? 30_000),
  handle: async ({ form, response }) => {
    await saveResponse(folder, response)
    console.log(`${form.title}: response ${response.id} with ${response.answers.length} answers`)
  },
}).on('failed', (job, error) => console.error(`response ${job?.data.response.id} failed: ${error.message}`))
