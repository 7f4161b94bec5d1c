import { describeSchedules } from './schedules-suite.ts'
import { sqliteDatabase } from './support/stores.ts'

describeSchedules('sqliteStore in random schedules', sqliteDatabase)
