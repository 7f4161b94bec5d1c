import { describe } from 'vitest'
import type { TestDatabase } from '../support/stores.ts'
import { describeDeletions } from './deletions.ts'
import { describeDraftsAndWebhooks } from './drafts-and-webhooks.ts'
import { describeFollowing } from './following.ts'
import { describeFullReads } from './full-reads.ts'
import { describeRows } from './rows.ts'
import { describeStatus } from './status.ts'
import { useStore } from './suite.ts'
import { describeTables } from './tables.ts'
import { describeTransactions } from './transactions.ts'
import { describeVerification } from './verification.ts'
import { describeViews } from './views.ts'
import { describeWorkspaces } from './workspaces.ts'

/** Behaviour that every store shares. */
export function describeStore(
  name: string,
  createDatabase: () => Promise<TestDatabase> | TestDatabase,
): void {
  describe(name, () => {
    const suite = useStore(createDatabase)
    describeRows(suite)
    describeDeletions(suite)
    describeDraftsAndWebhooks(suite)
    describeViews(suite)
    describeWorkspaces(suite)
    describeTransactions(suite)
    describeTables(suite)
    describeFollowing(suite)
    describeFullReads(suite)
    describeStatus(suite)
    describeVerification(suite)
  })
}
