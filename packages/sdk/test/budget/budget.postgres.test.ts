import { beforeEach, describe, expect, it } from 'vitest'
import { usePostgres } from '../../../sync/test/support/describe-on-postgres.ts'
import { type PostgresBudgetOptions, type PostgresPool, postgresBudget } from '../../src/budget/postgres.ts'
import { systemClock } from '../../src/clock.ts'
import type { Budget } from '../../src/http/rate-budget.ts'
import { Formwire, UsageError } from '../../src/index.ts'
import { fakeTransport, ME } from '../support/fake-transport.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { claim, describeSharedBudget, itSendsNothing } from './budget-suite.ts'

describe('the rate budget in PostgreSQL', () => {
  const postgres = usePostgres()
  let number = 0
  let schema = ''
  /** Whether a slot is free now. */
  async function isGranted(budget: Budget, perMinute: number): Promise<boolean> {
    const stop = new AbortController()
    const granted = budget.start({ ...claim({}), perMinute, signal: stop.signal })
    // Unknown until PostgreSQL replies.
    await expect.poll(() => budget.remaining(perMinute)).toBeLessThan(perMinute)
    stop.abort()
    return await granted
  }
  const count = async (sql: string): Promise<number> => Number((await postgres.pool.query(sql)).rows[0].count)

  beforeEach(async () => {
    number += 1
    // A name that is only valid in quotes.
    schema = `Test "${number}"`
    await postgres.pool.query(`CREATE SCHEMA "Test ""${number}"""`)
  })

  describeSharedBudget(() => ({
    store(counted, now) {
      const pool: PostgresPool = { query: (statement) => counted(postgres.pool.query(statement)) }
      return postgresBudget({ pool, schema, now })
    },
    worker: ['postgres', postgres.server.url, schema],
  }))

  it('[RATE-01] works by the clock of PostgreSQL, whatever the clock of the process', async () => {
    const early = new ManualClock(0)
    const late = new ManualClock(Date.UTC(2090, 0))
    const grants: boolean[] = []
    for (const clock of [early, late, early]) {
      const budget = postgresBudget({ pool: postgres.pool, schema }).budget(7, clock)
      grants.push(await isGranted(budget, 2))
    }
    expect(grants).toEqual([true, true, false])
  })

  it('contains no API key', async () => {
    const rateLimit = { perMinute: 5, store: postgresBudget({ pool: postgres.pool, schema }) }
    await new Formwire({ apiKey: 'svc_very_secret', rateLimit, transport: fakeTransport(ME) }).me()
    const { rows } = await postgres.pool.query(`SELECT * FROM "Test ""${number}""".formwire_budgets`)
    expect(Object.keys(rows[0])).toEqual(['id', 'slots', 'held_until'])
    expect(JSON.stringify(rows)).not.toContain('secret')
  })

  it('waits for PostgreSQL while it restarts, and sends nothing meanwhile', async () => {
    const transport = fakeTransport(ME)
    // A pool of its own, which survives the loss of its idle connections.
    const rateLimit = { perMinute: 5, store: postgresBudget({ connectionString: postgres.server.url }) }
    const formwire = new Formwire({ apiKey: 'svc_restart', rateLimit, transport })
    await formwire.me()
    await postgres.server.halt()
    const waiting = formwire.me()
    await expect.poll(() => postgres.pool.totalCount).toBe(0)
    expect(transport.requests).toHaveLength(1)
    await postgres.server.restart()
    await waiting
    expect(transport.requests).toHaveLength(2)
    expect(await count('SELECT count(*) FROM formwire_budgets, jsonb_object_keys(slots)')).toBe(2)
  })

  it.each([
    [
      { schema: 'missing' },
      'PostgreSQL failed at the rate budget in "missing".formwire_budgets (3F000); nothing was sent. See "cause".',
    ],
    [
      { connectionString: 'postgres://[' },
      'The database URL is invalid; expected postgres://USER@HOST:PORT/DATABASE.',
    ],
  ])('throws a UsageError with %j', async (options, message) => {
    const budget = postgresBudget({ connectionString: postgres.server.url, ...options }).budget(
      1,
      systemClock,
    )
    const error = await budget.start(claim({})).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(UsageError)
    expect((error as Error).message).toBe(message)
  })
})

describe('a shared rate budget without its PostgreSQL', () => {
  const failing = (error: Error & { code?: string }) => ({ query: () => Promise.reject(error) })

  const pools: [string, PostgresPool][] = [
    ['is down', failing(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))],
    ['is read-only until it is promoted', failing(Object.assign(new Error('read-only'), { code: '25006' }))],
    ['shuts down', failing(Object.assign(new Error('terminating'), { code: '57P01' }))],
    ['loses the connection', failing(new Error('Connection terminated unexpectedly'))],
    ['does not reply', { query: () => new Promise<never>(() => {}) }],
  ]
  itSendsNothing(pools.map(([what, pool]) => [what, postgresBudget({ pool })]))

  it.each([
    [{ pool: {} }, '"pool" must be a pool of the package pg, got object.'],
    [{ url: 'x' }, 'postgresBudget(): unknown name "url"; use one of connectionString, pool, schema, now.'],
    [{ schema: '' }, '"schema" must be the name of a schema, got "".'],
  ])('refuses %j', (options, message) => {
    expect(() => postgresBudget(options as unknown as PostgresBudgetOptions)).toThrow(new UsageError(message))
  })
})
