/** A worker of examples/fleet without a rate limit: `fleet-worker.ts SERVICE KEY DATABASE`. */
import { Formwire } from '@formwire/sdk'
import { runWorker } from '../../examples/fleet/src/worker.ts'

const [baseUrl, apiKey, databaseUrl] = process.argv.slice(2) as [string, string, string]
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
await runWorker({
  formwire: new Formwire({ baseUrl, apiKey, rateLimit: false }),
  databaseUrl,
  roundSeconds: 1,
  onError: (error) => console.error((error as Error).message),
  signal: stop.signal,
})
