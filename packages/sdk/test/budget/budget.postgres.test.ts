import { fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { type PostgresServer, pg, startPostgres } from '../../../sync/test/support/postgres-server.ts'
import { type PostgresBudgetOptions, type PostgresPool, postgresBudget } from '../../src/budget/postgres.ts'
import { systemClock } from '../../src/clock.ts'
import type { Budget } from '../../src/http/rate-budget.ts'
import { Formwire, UsageError } from '../../src/index.ts'
import { fakeTransport, ME } from '../support/fake-transport.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { claim, describeSharedBudget, itSendsNothing, START } from './budget-suite.ts'

describe('the rate budget in PostgreSQL', () => {
  let server: PostgresServer
  let pool: import('pg').Pool
  let number = 0
  let schema = ''
  let commands = 0
  /** Counts the statements in flight. */
  const counted: PostgresPool = {
    async query(statement) {
      commands += 1
      try {
        return await pool.query(statement)
      } finally {
        commands -= 1
      }
    },
  }
  /** Whether a slot is free now. */
  async function isGranted(budget: Budget, perMinute: number): Promise<boolean> {
    const stop = new AbortController()
    const granted = budget.start({ ...claim({}), perMinute, signal: stop.signal })
    // Unknown until PostgreSQL replies.
    await expect.poll(() => budget.remaining(perMinute)).toBeLessThan(perMinute)
    stop.abort()
    return await granted
  }
  const count = async (sql: string): Promise<number> => Number((await pool.query(sql)).rows[0].count)

  beforeAll(async () => {
    server = await startPostgres()
    pool = new pg.Pool({ connectionString: server.url })
    pool.on('error', () => undefined)
  })
  beforeEach(async () => {
    number += 1
    // A name that is only valid in quotes.
    schema = `Test "${number}"`
    await pool.query(`CREATE SCHEMA "Test ""${number}"""`)
  })
  afterAll(async () => {
    await pool?.end()
    await server?.stop()
  })

  describeSharedBudget(() => ({
    store: (now) => postgresBudget({ pool: counted, schema, now }),
    commands: () => commands,
    worker: ['postgres', server.url, schema],
  }))

  it('[RATE-01] works by the clock of PostgreSQL, whatever the clock of the process', async () => {
    const early = new ManualClock(0)
    const late = new ManualClock(Date.UTC(2090, 0))
    const grants: boolean[] = []
    for (const clock of [early, late, early]) {
      const budget = postgresBudget({ pool: counted, schema }).budget(7, clock)
      grants.push(await isGranted(budget, 2))
    }
    expect(grants).toEqual([true, true, false])
  })

  it('contains no API key', async () => {
    const rateLimit = { perMinute: 5, store: postgresBudget({ pool: counted, schema }) }
    await new Formwire({ apiKey: 'svc_very_secret', rateLimit, transport: fakeTransport(ME) }).me()
    const { rows } = await pool.query(`SELECT * FROM "Test ""${number}""".formwire_budgets`)
    expect(Object.keys(rows[0])).toEqual(['id', 'slots', 'held_until'])
    expect(JSON.stringify(rows)).not.toContain('secret')
  })

  it('returns the slot of a killed process', async () => {
    const program = await bundled(new URL('slot-worker.ts', import.meta.url))
    const child = fork(program, [server.url, schema, String(START)], { execArgv: [] })
    expect((await once(child, 'message'))[0]).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const at = (ms: number): Promise<boolean> => {
      const store = postgresBudget({ pool: counted, schema, now: () => START + ms })
      return isGranted(store.budget(1, new ManualClock(START)), 1)
    }
    expect(await at(64_999)).toBe(false)
    expect(await at(65_000)).toBe(true)
  })

  it('waits for PostgreSQL while it restarts, and sends nothing meanwhile', async () => {
    const transport = fakeTransport(ME)
    // A pool of its own, which survives the loss of its idle connections.
    const rateLimit = { perMinute: 5, store: postgresBudget({ connectionString: server.url }) }
    const formwire = new Formwire({ apiKey: 'svc_restart', rateLimit, transport })
    await formwire.me()
    await server.halt()
    const waiting = formwire.me()
    await expect.poll(() => pool.totalCount).toBe(0)
    expect(transport.requests).toHaveLength(1)
    await server.restart()
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
    const budget = postgresBudget({ connectionString: server.url, ...options }).budget(1, systemClock)
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
