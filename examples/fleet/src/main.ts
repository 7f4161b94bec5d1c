/** One worker of the fleet. See the README for its environment. */
import { Formwire } from '@formwire/sdk'
import { redisBudget } from '@formwire/sdk/budget/redis'
import { createClient } from 'redis'
import { runWorker } from './worker.ts'

const { FORMWIRE_DATABASE_URL = 'postgres://postgres@127.0.0.1/postgres', REDIS_URL } = process.env
const { ROUND_SECONDS = 30, SLOW_SECONDS = 3600, LEASE_SECONDS = 900 } = process.env
const client = createClient({ url: REDIS_URL ?? 'redis://127.0.0.1:6379' })
client.on('error', (error: Error) => console.error(error.message))
await client.connect()

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

await runWorker({
  // The key and the URL of the service come from FORMWIRE_API_KEY and FORMWIRE_BASE_URL.
  formwire: new Formwire({
    rateLimit: { perMinute: 120, store: redisBudget({ client }) },
    // A worker waits for the budget as long as the others need it.
    totalTimeoutMs: Number.POSITIVE_INFINITY,
  }),
  databaseUrl: FORMWIRE_DATABASE_URL,
  roundSeconds: Number(ROUND_SECONDS),
  slowSeconds: Number(SLOW_SECONDS),
  leaseSeconds: Number(LEASE_SECONDS),
  onError: (error) => console.error((error as Error).message),
  signal: stop.signal,
})
client.destroy()
