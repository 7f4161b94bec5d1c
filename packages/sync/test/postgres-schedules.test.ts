import { afterAll, beforeAll, describe } from 'vitest'
import { describeSchedules } from './schedules-suite.ts'
import { type PostgresServer, postgresBin, startPostgres } from './support/postgres-server.ts'
import { postgresDatabase } from './support/stores.ts'

const bin = postgresBin()

describe.skipIf(!bin)('on a server of its own', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(bin as string)
  })
  afterAll(() => server?.stop())

  describeSchedules('postgresStore in random schedules', () => postgresDatabase(server.url), 5)
})
