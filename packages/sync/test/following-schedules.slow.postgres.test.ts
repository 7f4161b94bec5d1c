import { describeFollowingSchedules } from './following-schedules-suite.ts'
import { describeOnPostgres } from './support/describe-on-postgres.ts'
import { postgresDatabase } from './support/stores.ts'

describeOnPostgres((url) =>
  describeFollowingSchedules('postgresStore while following in random schedules', () =>
    postgresDatabase(url()),
  ),
)
