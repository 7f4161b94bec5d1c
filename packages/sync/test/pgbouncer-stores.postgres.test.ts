/** The suites of the stores on PostgreSQL, through pgbouncer. */
import { postgresBudget } from '@formwire/sdk/budget/postgres'
import { postgresCheckpoint } from '@formwire/sdk/checkpoint/postgres'
import { createPostgresStore } from '@formwire/webhook-verify/dedupe/postgres'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { describeSharedBudget } from '../../sdk/test/budget/budget-suite.ts'
import { A, describeLeasedCheckpoint } from '../../sdk/test/checkpoint/checkpoint-suite.ts'
import { describeDedupe } from '../../webhook-verify/test/dedupe/dedupe-suite.ts'
import { type PostgresServer, pg, startPgbouncer, startPostgres } from './support/postgres-server.ts'

describe('pgbouncer in transaction mode', () => {
  let server: PostgresServer
  let bouncer: Awaited<ReturnType<typeof startPgbouncer>>
  let pool: import('pg').Pool
  let number = 0
  /** Statements in flight. */
  let commands = 0
  const counted = {
    async query(statement: { text: string; values?: unknown[] }) {
      commands += 1
      try {
        return await pool.query(statement)
      } finally {
        commands -= 1
      }
    },
  }
  const schema = (): string => `stores${number}`
  const run = async (sql: string, ...values: unknown[]) =>
    (await pool.query(sql.replace('SCHEMA', schema()), values)).rows

  beforeAll(async () => {
    server = await startPostgres()
    // Fewer connections to the server than the pool has.
    bouncer = await startPgbouncer(server, 3)
    pool = new pg.Pool({ connectionString: bouncer.url })
  })
  beforeEach(async () => {
    number += 1
    await pool.query(`CREATE SCHEMA ${schema()}`)
  })
  afterAll(async () => {
    await pool?.end()
    await bouncer?.stop()
    await server?.stop()
  })

  describeDedupe('postgres', async () => ({
    store: createPostgresStore({ pool, schema: schema() }),
    expireClaims: async () => {
      await run(
        "UPDATE SCHEMA.formwire_dedupe SET expires_at = now() - interval '1 s' WHERE owner IS NOT NULL",
      )
    },
  }))

  describe('checkpoint (postgres)', () => {
    const column = async (name: string, key: string) =>
      (await run(`SELECT ${name} AS value FROM SCHEMA.formwire_checkpoints WHERE key = $1`, key))[0]?.value ??
      null
    describeLeasedCheckpoint(() => ({
      store: (leaseMs, owner) => postgresCheckpoint({ pool, schema: schema(), leaseMs, owner }),
      async setState(key, text) {
        await postgresCheckpoint({ pool, schema: schema() }).save(key, A)
        await run('UPDATE SCHEMA.formwire_checkpoints SET state = $2 WHERE key = $1', key, text)
      },
      place: (key) => `"${key}" in "${schema()}".formwire_checkpoints`,
      expireLease: (key) =>
        run('UPDATE SCHEMA.formwire_checkpoints SET lease_until = now() WHERE key = $1', key),
      forget: (key) => run('DELETE FROM SCHEMA.formwire_checkpoints WHERE key = $1', key),
      holder: (key) => column('token', key),
      giveLeaseTo: (key, token) =>
        run('UPDATE SCHEMA.formwire_checkpoints SET token = $2 WHERE key = $1', key, token),
      expiresIn: async (key) => Number(await column('extract(epoch FROM lease_until - now()) * 1000', key)),
    }))
  })

  describe('budget (postgres)', () => {
    describeSharedBudget(() => ({
      store: (now) => postgresBudget({ pool: counted, schema: schema(), now }),
      commands: () => commands,
      worker: ['postgres', bouncer.url, schema()],
    }))
  })
})
