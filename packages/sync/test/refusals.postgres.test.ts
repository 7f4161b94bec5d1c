/** What a store of PostgreSQL says when it cannot use the database. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../test/support/patience.ts'
import { createSync } from '../src/index.ts'
import { type PostgresStoreOptions, postgresStore } from '../src/postgres/index.ts'
import { describeOnPostgres } from './support/describe-on-postgres.ts'
import { queryOnce } from './support/postgres-server.ts'
import { startService } from './support/service.ts'

describeOnPostgres((serverUrl) => {
  /** Runs statements as the owner of the server. */
  const administer = (sql: string) => queryOnce(serverUrl(), sql)

  /** Opens a store of another database or role. Returns why it cannot be opened, if it cannot. */
  async function refusal(change: Partial<URL>, options: PostgresStoreOptions = {}): Promise<unknown> {
    const { href } = Object.assign(new URL(serverUrl()), change)
    const store = postgresStore({ connectionString: href, ...options })
    const [result] = await Promise.allSettled([store.open()])
    await store.close()
    return result.status === 'rejected' ? result.reason : undefined
  }

  it('refuses a database that does not exist, which is not an outage', async () => {
    expect(await refusal({ pathname: '/missing' })).toMatchObject({
      code: 'refused',
      isPassing: false,
      message: 'Cannot use the PostgreSQL database: database "missing" does not exist.',
    })
  })

  it('refuses a database that is not UTF-8, whose encoding it names', async () => {
    await administer("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    expect(await refusal({ pathname: '/latin' })).toMatchObject({
      code: 'refused',
      message:
        "The PostgreSQL database has the encoding LATIN1, which cannot hold every answer; it was left as it was. Use a database with UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
    })
  })

  it('asks for the password that the database requires', async () => {
    await administer("CREATE ROLE guarded LOGIN PASSWORD 'hush'")
    const file = String((await administer('SHOW hba_file'))[0]?.hba_file)
    writeFileSync(file, `local all guarded scram-sha-256\n${readFileSync(file, 'utf8')}`)
    await administer('SELECT pg_reload_conf()')
    // The server reads its configuration soon after it was told to.
    const refused = await vi.waitUntil(() => refusal({ username: 'guarded' }), { timeout: WAIT_MS })
    expect(refused).toMatchObject({
      code: 'refused',
      message:
        'The PostgreSQL database requires a password: set it in FORMWIRE_DATABASE_URL or PGPASSWORD, or use a .pgpass file.',
    })
  })

  it('refuses a role without rights, and says which right is missing', async () => {
    await administer('CREATE ROLE reader LOGIN')
    await administer('CREATE SCHEMA shared; GRANT USAGE ON SCHEMA shared TO reader')
    const url = new URL(serverUrl())
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
    expect(await refusal({}, { schema: 'missing' })).toMatchObject({
      code: 'refused',
      message: 'The PostgreSQL database has no schema "missing". Create it, or choose another.',
    })
    expect(await attempt('reader')).toMatchObject({
      code: 'refused',
      message: 'Cannot use the PostgreSQL database: permission denied for table formwire_sync_version.',
    })
    await administer('DROP SCHEMA shared CASCADE; DROP ROLE reader')
  })
})
