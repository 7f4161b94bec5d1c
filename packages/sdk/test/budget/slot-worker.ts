/** Takes the only slot and keeps it until it is killed. Run by the test of the budget in PostgreSQL. */
import pg from 'pg'
import { postgresBudget } from '../../src/budget/postgres.ts'
import { systemClock } from '../../src/clock.ts'

const [url = '', schema = '', now = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url })
const budget = postgresBudget({ pool, schema, now: () => Number(now) }).budget(1, systemClock)
const granted = await budget.start({
  priority: 1,
  perMinute: 1,
  deadline: Number.POSITIVE_INFINITY,
  timeoutMs: 5000,
  signal: undefined,
})
process.send?.(granted)
setInterval(() => undefined, 1000)
