/** Sends requests under a shared budget, on a clock that the parent process sets. Run by the tests of the budget. */
import pg from 'pg'
import { createClient } from 'redis'
import { postgresBudget } from '../../src/budget/postgres.ts'
import { redisBudget } from '../../src/budget/redis.ts'
import { Formwire } from '../../src/index.ts'
import { respond } from '../support/fake-transport.ts'
import { ManualClock, settled } from '../support/manual-clock.ts'

const [kind = '', url = '', space = '', start = '', perMinute = '', count = ''] = process.argv.slice(2)
const clock = new ManualClock(Number(start))
let commands = 0
let sent = 0
let reported = 0

/** Counts a command in flight. */
async function counted<Reply>(command: Promise<Reply>): Promise<Reply> {
  commands += 1
  try {
    return await command
  } finally {
    commands -= 1
  }
}

const now = () => clock.now()
async function openStore() {
  if (kind === 'postgres') {
    const pool = new pg.Pool({ connectionString: url })
    pool.on('error', () => undefined)
    return postgresBudget({
      pool: { query: (statement) => counted(pool.query(statement)) },
      schema: space,
      now,
    })
  }
  const client = createClient({ url })
  await client.connect()
  return redisBudget({
    client: { eval: (script, options) => counted(client.eval(script, options)) },
    prefix: space,
    now,
  })
}

const formwire = new Formwire({
  apiKey: 'svc_shared',
  baseUrl: 'http://formwire.test',
  clock,
  totalTimeoutMs: Number.POSITIVE_INFINITY,
  rateLimit: { perMinute: Number(perMinute), store: await openStore() },
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
