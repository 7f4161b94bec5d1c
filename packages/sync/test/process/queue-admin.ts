import { type InboxQueue, postgresQueue } from '../../src/inbox/index.ts'

/** Calls methods of a queue, each as a process of its own would: `node queue-admin.mjs DATABASE`, with a message for each call. */
process.on('message', async ({ method, given }: { method: keyof InboxQueue; given: unknown[] }) => {
  const queue = postgresQueue({ connectionString: process.argv[2] as string })
  try {
    const call = queue[method] as (...given: unknown[]) => Promise<unknown>
    process.send?.({ result: (await call.apply(queue, given)) ?? null })
  } catch (error) {
    process.send?.({ error: String(error) })
  } finally {
    await queue.close()
  }
})
