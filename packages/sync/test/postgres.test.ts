import { readFileSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../test/support/patience.ts'
import { createSync } from '../src/index.ts'
import { postgresStore } from '../src/postgres/index.ts'
import { describeStore } from './store-suite.ts'
import { type PostgresServer, postgresBin, startPostgres } from './support/postgres-server.ts'
import { startService } from './support/service.ts'
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

  it('refuses a role without rights, and says which right is missing', async () => {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query(
      'CREATE ROLE reader LOGIN; CREATE SCHEMA shared; GRANT USAGE ON SCHEMA shared TO reader',
    )
    const url = new URL(server.url)
    const formwire = (await startService()).client()
    const attempt = async (user: string): Promise<unknown> => {
      url.username = user
      const store = postgresStore({ connectionString: url.href, schema: 'shared' })
      const [result] = await Promise.allSettled([createSync({ formwire, store, forms: 'all' }).once()])
      await store.close()
      return result.status === 'rejected' ? result.reason : undefined
    }
    expect(await attempt('reader')).toMatchObject({
      code: 'refused',
      isPassing: false,
      message: 'Cannot use the PostgreSQL database: permission denied for schema shared.',
    })
    expect(await attempt('postgres')).toBeUndefined()
    expect(await attempt('reader')).toMatchObject({
      code: 'refused',
      message: 'Cannot use the PostgreSQL database: permission denied for table formwire_sync_version.',
    })
    await client.query('DROP SCHEMA shared CASCADE; DROP ROLE reader')
    await client.end()
  })

  describeStore('postgresStore', () => postgresDatabase(server.url))
})
