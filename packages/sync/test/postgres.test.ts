import { afterAll, beforeAll, describe, it } from 'vitest'
import { describeStore } from './store-suite.ts'
import { type PostgresServer, postgresBin, startPostgres } from './support/postgres-server.ts'
import { postgresDatabase } from './support/stores.ts'

const bin = postgresBin()
let server: PostgresServer
beforeAll(async () => {
  if (bin) server = await startPostgres(bin)
})
afterAll(() => server?.stop())

if (bin) describeStore('postgresStore', () => postgresDatabase(server.url))
else describe('postgresStore', () => it.skip('requires PostgreSQL'))
