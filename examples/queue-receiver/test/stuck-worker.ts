/** A worker that starts a job, prints its id and never finishes it. The test kills it. */
import { connect } from '../src/response-queue.ts'
import { createResponseWorker } from '../src/worker.ts'

const { connection } = await connect(process.argv[2] as string)
createResponseWorker({
  connection,
  lockMs: Number(process.argv[3]),
  handle: async ({ response }) => {
    process.stdout.write(`started ${response.id}\n`)
    await new Promise(() => {})
  },
})
