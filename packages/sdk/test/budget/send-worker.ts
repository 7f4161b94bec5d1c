/** Sends requests under a shared budget, on a clock that the parent process sets. Run by the test of the budget. */
import { createClient } from 'redis'
import { redisBudget } from '../../src/budget/redis.ts'
import { Formwire } from '../../src/index.ts'
import { respond } from '../support/fake-transport.ts'
import { ManualClock, settled } from '../support/manual-clock.ts'

const [url = '', prefix = '', start = '', perMinute = '', count = ''] = process.argv.slice(2)
const client = createClient({ url })
await client.connect()
const clock = new ManualClock(Number(start))
let commands = 0
let sent = 0
let reported = 0
const formwire = new Formwire({
  apiKey: 'svc_shared',
  baseUrl: 'http://formwire.test',
  clock,
  totalTimeoutMs: Number.POSITIVE_INFINITY,
  rateLimit: {
    perMinute: Number(perMinute),
    store: redisBudget({
      client: {
        async eval(script, options) {
          commands += 1
          try {
            return await client.eval(script, options)
          } finally {
            commands -= 1
          }
        },
      },
      prefix,
      now: () => clock.now(),
    }),
  },
  transport: async () => {
    sent += 1
    return respond({ body: { data: {} } })
  },
})

const all = Promise.all(Array.from({ length: Number(count) }, () => formwire.me()))
all.catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})

/** Waits until every call is done or waits for the clock. */
async function idle(): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet += 1) {
    await settled()
    if (commands > 0) quiet = -1
  }
}

process.on('message', async (by: number) => {
  await clock.advance(by)
  await idle()
  process.send?.(sent - reported)
  reported = sent
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
