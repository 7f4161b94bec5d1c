import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

  describeStore('postgresStore', () => postgresDatabase(server.url))
})
