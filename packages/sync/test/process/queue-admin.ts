import { type InboxQueue, postgresQueue } from '../../src/inbox/index.ts'

/** Calls a method of a queue: `node queue-admin.mjs DATABASE METHOD PARAMETERS`, the last in JSON. Prints the result in JSON. */
const [, , connectionString, method, parameters] = process.argv as string[]
const queue = postgresQueue({ connectionString })
const call = queue[method as keyof InboxQueue] as (...given: unknown[]) => Promise<unknown>
console.log(JSON.stringify((await call.apply(queue, JSON.parse(parameters as string))) ?? null))
await queue.close()
