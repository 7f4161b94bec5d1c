import { afterAll, beforeAll, describe, it } from 'vitest'
import { describeSchedules } from './schedules-suite.ts'
import { type PostgresServer, postgresBin, startPostgres } from './support/postgres-server.ts'
import { postgresDatabase } from './support/stores.ts'

const bin = postgresBin()
let server: PostgresServer
beforeAll(async () => {
  if (bin) server = await startPostgres(bin)
})
afterAll(() => server?.stop())

if (bin) describeSchedules('postgresStore in random schedules', () => postgresDatabase(server.url), 5)
else describe('postgresStore in random schedules', () => it.skip('requires PostgreSQL'))
