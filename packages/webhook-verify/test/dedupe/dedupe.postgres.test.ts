import {
  createPostgresDedupe,
  createPostgresStore,
  type PostgresPool,
  PostgresStoreError,
} from '@formwire/webhook-verify/dedupe/postgres'
import { createReceiver } from '@formwire/webhook-verify/fetch'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usePostgres } from '../../../sync/test/support/describe-on-postgres.ts'
import { pg } from '../../../sync/test/support/postgres-server.ts'
import { describeDedupe } from './dedupe-suite.ts'
import { submitted, verified } from './events.ts'
import { itIsShared } from './processes-suite.ts'

describe('on a real PostgreSQL', () => {
  const postgres = usePostgres()
  beforeEach(async () => {
    await postgres.pool.query('DROP TABLE IF EXISTS formwire_dedupe')
  })

  const rows = async () =>
    (await postgres.pool.query('SELECT key, owner, expires_at FROM formwire_dedupe ORDER BY key')).rows
  async function expireClaims(): Promise<void> {
    await postgres.pool.query(
      "UPDATE formwire_dedupe SET expires_at = now() - interval '1 second' WHERE owner IS NOT NULL",
    )
  }

  describeDedupe('postgres', async () => ({
    store: createPostgresStore({ pool: postgres.pool }),
    expireClaims,
  }))

  describe('in a schema', () => {
    beforeAll(() => postgres.pool.query('CREATE SCHEMA "My ""inbox"""'))
    it('[DLV-10] keeps its table there, and grants a delivery once', async () => {
      const dedupe = createPostgresDedupe({ pool: postgres.pool, schema: 'My "inbox"' })
      expect(await dedupe.once(verified(submitted(1)), () => {})).toBe('claimed')
      expect(await dedupe.once(verified(submitted(1)), () => {})).toBe('completed')
      const { rows } = await postgres.pool.query('SELECT key, owner FROM "My ""inbox""".formwire_dedupe')
      expect(rows).toEqual([{ key: 'response.submitted:Fm3xAmpLe0Id:1', owner: null }])
    })
  })

  it('creates its table once if many processes need it at the same time', async () => {
    const own = Array.from(
      { length: 8 },
      () => new pg.Pool({ connectionString: postgres.server.url, max: 1 }),
    )
    await Promise.all(own.map((one) => one.query('SELECT 1')))
    const event = verified(submitted(1))
    const states = await Promise.all(
      own.map(async (one) => (await createPostgresDedupe({ pool: one }).claim(event)).state),
    )
    expect(states.sort()).toEqual(['claimed', ...Array.from({ length: 7 }, () => 'in_progress')])
    for (const one of own) await one.end()
  })

  it('[DLV-10] claims in one statement, without a name, by the clock of PostgreSQL', async () => {
    const statements: object[] = []
    const counted: PostgresPool = {
      query(statement) {
        statements.push(statement)
        return postgres.pool.query(statement)
      },
    }
    const dedupe = createPostgresDedupe({ pool: counted, claimMs: 60_000, keepMs: 390_000 })
    await dedupe.once(verified(submitted(1)), () => {})
    statements.length = 0
    const won = await dedupe.claim(verified(submitted(7)))
    expect(statements).toHaveLength(1)
    expect(statements[0]).not.toHaveProperty('name')
    const lifetime = async () => {
      const { rows } = await postgres.pool.query(
        "SELECT extract(epoch FROM expires_at - now()) * 1000 AS ms FROM formwire_dedupe WHERE key LIKE '%:7'",
      )
      return Number(rows[0].ms)
    }
    const claimed = await lifetime()
    expect(claimed > 50_000 && claimed <= 60_000).toBe(true)
    if (won.state === 'claimed') await won.complete()
    const kept = await lifetime()
    expect(kept > 380_000 && kept <= 390_000).toBe(true)
  })

  it('[DLV-10] holds none of its keys if another process claims one of them at the same time', async () => {
    const store = createPostgresStore({ pool: postgres.pool })
    await store.claim(['first'], 'me', 60_000)
    const other = await postgres.pool.connect()
    await other.query('BEGIN')
    await other.query("INSERT INTO formwire_dedupe VALUES ('b', 'other', now() + interval '1 minute')")
    const claim = store.claim(['b', 'a'], 'me', 60_000)
    const waiting = async () => (await postgres.pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount
    await expect.poll(waiting).toBe(1)
    await other.query('COMMIT')
    other.release()
    expect(await claim).toBe('in_progress')
    expect((await rows()).map(({ key, owner }) => [key, owner])).toEqual([
      ['b', 'other'],
      ['first', 'me'],
    ])
  })

  it('renews a claim, unless another process has taken it over', async () => {
    const store = createPostgresStore({ pool: postgres.pool })
    const leftMs = async () => Number((await rows())[0]?.expires_at) - Date.now()
    await store.claim(['a'], 'slow', 60_000)
    expect(await store.renew?.(['a'], 'slow', 600_000)).toBe(true)
    expect(await leftMs()).toBeGreaterThan(300_000)
    await expireClaims()
    await store.claim(['a'], 'next', 60_000)
    expect(await store.renew?.(['a'], 'slow', 600_000)).toBe(false)
    expect((await rows())[0]?.owner).toBe('next')
    expect(await leftMs()).toBeLessThan(300_000)
  })

  it('deletes expired rows, and no others', async () => {
    await createPostgresDedupe({ pool: postgres.pool }).once(verified(submitted(1)), () => {})
    await createPostgresStore({ pool: postgres.pool }).claim(['kept'], 'me', 60_000)
    await postgres.pool.query(
      "INSERT INTO formwire_dedupe SELECT 'old' || n, NULL, now() - interval '1 day' FROM generate_series(1, 50) n",
    )
    // As a process that starts later.
    await createPostgresStore({ pool: postgres.pool }).claim(['new'], 'me', 60_000)
    const keys = async () => (await rows()).map(({ key }) => key)
    await expect.poll(keys).toEqual(['kept', 'new', 'response.submitted:Fm3xAmpLe0Id:1'])
  })

  it('refuses deliveries with 503 while PostgreSQL restarts, and handles them after it', async () => {
    const errors: unknown[] = []
    const handled: number[] = []
    const delivery = submitted(5)
    const receive = createReceiver({
      secret: delivery.secret,
      dedupe: createPostgresDedupe({ connectionString: postgres.server.url }),
      toleranceSeconds: Number.POSITIVE_INFINITY,
      on: { 'response.submitted': ({ response }) => handled.push(response.id) },
      onError: (error) => errors.push(error),
    })
    const deliver = async ({ headers, body } = delivery) =>
      (await receive(new Request('http://localhost/', { method: 'POST', headers, body }))).status
    expect(await deliver(submitted(4))).toBe(200)
    await postgres.server.halt()
    expect(await deliver()).toBe(503)
    expect(errors).toEqual([expect.any(PostgresStoreError)])
    expect(errors[0]).toMatchObject({ code: 'unavailable', cause: expect.any(Error) })
    await postgres.server.restart()
    expect(await deliver()).toBe(200)
    expect(await deliver()).toBe(200)
    expect(handled).toEqual([4, 5])
  })

  it.each([
    [{ schema: 'missing' }, 'PostgreSQL failed at "missing".formwire_dedupe (3F000); see "cause".'],
    [
      { connectionString: 'postgres://[' },
      'The database URL is invalid; expected postgres://USER@HOST:PORT/DATABASE.',
    ],
  ])('throws a PostgresStoreError "refused" with %j', async (options, message) => {
    const dedupe = createPostgresDedupe({ connectionString: postgres.server.url, ...options })
    const error = await dedupe.claim(verified(submitted(1))).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(PostgresStoreError)
    expect(error).toMatchObject({ name: 'PostgresStoreError', code: 'refused', message })
  })

  itIsShared('postgres', () => postgres.server.url)
})
