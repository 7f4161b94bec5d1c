import { describeStore } from './store-suite.ts'
import { sqliteDatabase } from './support/stores.ts'

describeStore('sqliteStore', sqliteDatabase)
