/** A worker on a faster clock: `scaled-worker.ts SERVICE KEY DATABASE REDIS`. The test kills one. */
import { Formwire } from '@formwire/sdk'
import { redisBudget } from '@formwire/sdk/budget/redis'
import { createClient } from 'redis'
import { runWorker } from '../src/worker.ts'
import { scaledClock, scaledNow } from './scaled-clock.ts'

const [baseUrl, apiKey, databaseUrl, redisUrl] = process.argv.slice(2) as [string, string, string, string]
const client = createClient({ url: redisUrl })
await client.connect()
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())

await runWorker({
  formwire: new Formwire({
    baseUrl,
    apiKey,
    clock: scaledClock,
    rateLimit: { perMinute: 120, store: redisBudget({ client, now: scaledNow }) },
    timeoutMs: 600_000,
    totalTimeoutMs: Number.POSITIVE_INFINITY,
  }),
  databaseUrl,
  roundSeconds: 2,
  // The test ends when the table is equal: also for a form whose count hides a change.
  slowSeconds: 40,
  leaseSeconds: 10,
  onResponse: (response, transaction) =>
    transaction.query('INSERT INTO outbox (form_id, id) VALUES ($1, $2)', [response.form_id, response.id]),
  onError: (error) => console.error((error as Error).message),
  signal: stop.signal,
})
client.destroy()
