import { describe } from 'vitest'
import type { TestDatabase } from '../support/stores.ts'
import { describeFullReads } from './full-reads.ts'
import { describeReading } from './reading.ts'
import { describeRounds, describeRows } from './rows.ts'
import { useStore } from './suite.ts'
import { describeTables } from './tables.ts'
import { describeTransactions } from './transactions.ts'
import { describeVerification } from './verification.ts'
import { describeViews } from './views.ts'
import { describeServices, describeWorkspaces } from './workspaces.ts'

type CreateDatabase = () => Promise<TestDatabase> | TestDatabase

/** Behaviour whose statements, types and locks are those of a database. */
export function describeStore(name: string, createDatabase: CreateDatabase): void {
  describe(name, () => {
    const suite = useStore(createDatabase)
    describeRows(suite)
    describeViews(suite)
    describeWorkspaces(suite)
    describeTransactions(suite)
    describeTables(suite)
    describeVerification(suite)
  })
}

/** What is read and when, which is the same in every database. Random schedules try their statements in each. */
export function describeSame(name: string, createDatabase: CreateDatabase): void {
  describe(name, () => {
    const suite = useStore(createDatabase)
    describeReading(suite)
    describeFullReads(suite)
    describeRounds(suite)
    describeServices(suite)
  })
}
