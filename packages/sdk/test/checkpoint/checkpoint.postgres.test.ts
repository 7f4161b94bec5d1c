import { beforeEach, describe, expect, it } from 'vitest'
import { usePostgres } from '../../../sync/test/support/describe-on-postgres.ts'
import { pg } from '../../../sync/test/support/postgres-server.ts'
import { type PostgresPool, postgresCheckpoint } from '../../src/checkpoint/postgres.ts'
import { CheckpointError, UsageError } from '../../src/index.ts'
import { A, describeLeasedCheckpoint, expectOutage } from './checkpoint-suite.ts'

const TABLE = '"My ""checkpoints""".formwire_checkpoints'
const schema = 'My "checkpoints"'

describe('the checkpoint in PostgreSQL', () => {
  const postgres = usePostgres()
  const run = (sql: string, ...values: unknown[]) => postgres.pool.query(sql.replace('TABLE', TABLE), values)
  const column = async (name: string, key: string) =>
    (await run(`SELECT ${name} AS value FROM TABLE WHERE key = $1`, key)).rows[0]?.value ?? null

  beforeEach(async () => {
    await postgres.pool.query('DROP SCHEMA IF EXISTS "My ""checkpoints""" CASCADE')
    await postgres.pool.query('CREATE SCHEMA "My ""checkpoints"""')
  })

  describeLeasedCheckpoint(() => ({
    store: (leaseMs, owner) => postgresCheckpoint({ pool: postgres.pool, schema, leaseMs, owner }),
    async setState(key, text) {
      await postgresCheckpoint({ pool: postgres.pool, schema }).save(key, A)
      await run('UPDATE TABLE SET state = $2 WHERE key = $1', key, text)
    },
    place: (key) => `"${key}" in ${TABLE}`,
    expireLease: (key) => run('UPDATE TABLE SET lease_until = now() WHERE key = $1', key),
    forget: (key) => run('DELETE FROM TABLE WHERE key = $1', key),
    holder: (key) => column('token', key),
    giveLeaseTo: (key, token) => run('UPDATE TABLE SET token = $2 WHERE key = $1', key, token),
    expiresIn: async (key) => Number(await column('extract(epoch FROM lease_until - now()) * 1000', key)),
  }))

  it('[POLL-02] does not take a released lease again with a renewal that was in flight', async () => {
    let letGo = (): void => {}
    const released = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let renewals = 0
    const slow: PostgresPool = {
      async query(statement) {
        if (statement.text.startsWith('UPDATE') && statement.values?.length === 3) {
          renewals += 1
          await released
        }
        return await postgres.pool.query(statement)
      },
    }
    const lease = await postgresCheckpoint({ pool: slow, schema, leaseMs: 60 }).acquire?.('form')
    await expect.poll(() => renewals).toBe(1)
    await lease?.release()
    const lost = new Promise((resolve) => lease?.lost.addEventListener('abort', resolve))
    letGo()
    await lost
    expect(await column('lease_until', 'form')).toBe(Number.NEGATIVE_INFINITY)
  })

  it('creates its table once if many processes need it at the same time', async () => {
    const own = Array.from(
      { length: 8 },
      () => new pg.Pool({ connectionString: postgres.server.url, max: 1 }),
    )
    await Promise.all(own.map((one) => one.query('SELECT 1')))
    await Promise.all(
      own.map((one, index) => postgresCheckpoint({ pool: one, schema }).save(`form ${index}`, A)),
    )
    expect((await run('SELECT key FROM TABLE')).rowCount).toBe(8)
    for (const one of own) await one.end()
  })

  it('uses no named statement', async () => {
    const plain: PostgresPool = {
      query(statement) {
        expect(statement).not.toHaveProperty('name')
        return postgres.pool.query(statement)
      },
    }
    const lease = await postgresCheckpoint({ pool: plain, schema }).acquire?.('form')
    await lease?.save('form', A)
    await lease?.release()
    expect(await postgresCheckpoint({ pool: plain, schema }).load('form')).toEqual(A)
  })

  it('rejects with a CheckpointError "unavailable" while PostgreSQL is down, and works after it', async () => {
    const store = postgresCheckpoint({ connectionString: postgres.server.url, schema })
    const lease = await store.acquire?.('form')
    await postgres.server.halt()
    await expectOutage(store, lease)
    await postgres.server.restart()
    await lease?.save('form', A)
    expect(await store.load('form')).toEqual(A)
    await lease?.release()
  })

  it.each([
    [
      { schema: 'missing' },
      'PostgreSQL failed at the checkpoint in "missing".formwire_checkpoints (3F000); see "cause".',
    ],
    [
      { connectionString: 'postgres://[' },
      'The database URL is invalid; expected postgres://USER@HOST:PORT/DATABASE.',
    ],
  ])('rejects with a CheckpointError without a reason with %j', async (options, message) => {
    const store = postgresCheckpoint({ connectionString: postgres.server.url, ...options })
    const error = await Promise.resolve(store.load('form')).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).not.toHaveProperty('reason')
    expect((error as Error).message).toBe(message)
  })
})

it('refuses an unknown option, and a short lease', () => {
  expect(() => postgresCheckpoint({ client: {} } as object)).toThrow(UsageError)
  expect(() => postgresCheckpoint({ leaseMs: 29 })).toThrow('"leaseMs" must be at least 30, got 29.')
})
