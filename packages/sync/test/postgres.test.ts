import { readFileSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../test/support/patience.ts'
import { postgresStore } from '../src/postgres/index.ts'
import { describeStore } from './store-suite.ts'
import { type PostgresServer, postgresBin, startPostgres } from './support/postgres-server.ts'
import { postgresDatabase } from './support/stores.ts'

const bin = postgresBin()

describe.skipIf(!bin)('on a server of its own', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(bin as string)
  })
  afterAll(() => server?.stop())

  it('refuses a database that does not exist, which is not an outage', async () => {
    const url = new URL(server.url)
    url.pathname = '/missing'
    const store = postgresStore({ connectionString: url.href })
    await expect(store.open()).rejects.toMatchObject({
      code: 'refused',
      isPassing: false,
      message: 'Cannot use the PostgreSQL database: database "missing" does not exist.',
    })
    await store.close()
  })

  it('asks for the password that the database requires', async () => {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query("CREATE ROLE guarded LOGIN PASSWORD 'hush'")
    const { hba_file: file } = (await client.query('SHOW hba_file')).rows[0]
    writeFileSync(file, `local all guarded scram-sha-256\n${readFileSync(file, 'utf8')}`)
    await client.query('SELECT pg_reload_conf()')
    await client.end()
    const url = new URL(server.url)
    url.username = 'guarded'
    const open = async (): Promise<unknown> => {
      const store = postgresStore({ connectionString: url.href })
      const [result] = await Promise.allSettled([store.open()])
      await store.close()
      return result.status === 'rejected' ? result.reason : undefined
    }
    // The server reads its configuration soon after it was told to.
    const refused = await vi.waitUntil(open, { timeout: WAIT_MS })
    expect(refused).toMatchObject({
      code: 'refused',
      message:
        'The PostgreSQL database requires a password: set it in FORMWIRE_DATABASE_URL or PGPASSWORD, or use a .pgpass file.',
    })
  })

  describeStore('postgresStore', () => postgresDatabase(server.url))
})
