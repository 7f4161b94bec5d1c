import { propertyRuns } from '../../../test/support/cases.ts'
import { describeFollowingSchedules } from './following-schedules-suite.ts'
import { describeSchedules } from './schedules-suite.ts'
import { describeOnPostgres } from './support/describe-on-postgres.ts'
import { postgresDatabase } from './support/stores.ts'

/** Fewer than in SQLite: the schedules are the same, and statements take longer. */
const RUNS = propertyRuns(8)

describeOnPostgres((url) => {
  const database = () => postgresDatabase(url())
  describeSchedules('postgresStore in random schedules', database, RUNS, 5)
  describeFollowingSchedules('postgresStore while following in random schedules', database, RUNS)
})
