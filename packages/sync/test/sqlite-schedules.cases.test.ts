import { describeFollowingSchedules } from './following-schedules-suite.ts'
import { describeSchedules } from './schedules-suite.ts'
import { sqliteDatabase } from './support/stores.ts'

describeSchedules('sqliteStore in random schedules', sqliteDatabase)
describeFollowingSchedules('sqliteStore while following in random schedules', sqliteDatabase)
