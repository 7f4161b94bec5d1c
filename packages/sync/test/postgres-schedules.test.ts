import { afterAll, beforeAll, describe } from 'vitest'
import { describeFollowingSchedules } from './following-schedules-suite.ts'
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
  describeFollowingSchedules('postgresStore while following in random schedules', () =>
    postgresDatabase(server.url),
  )
})
