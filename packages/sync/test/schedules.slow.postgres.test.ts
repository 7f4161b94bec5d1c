import { describeSchedules } from './schedules-suite.ts'
import { describeOnPostgres } from './support/describe-on-postgres.ts'
import { postgresDatabase } from './support/stores.ts'

// Those that follow all forms have a file of their own, so that both run at the same time.
describeOnPostgres((url) =>
  describeSchedules('postgresStore in random schedules', () => postgresDatabase(url()), 5),
)
