import type { SyncStore } from '../database/driver.ts'
import { DriftState } from './drift-state.ts'
import { Forms } from './forms.ts'
import { type DeletedRows, Marks } from './marks.ts'
import { Reads } from './reads.ts'
import { viewsOf } from './views.ts'
import { type FirstSubmitted, Writes } from './writes.ts'

/** The rows of one workspace in the tables of a store. Whatever writes does so in one transaction a call. */
export class Tables<Transaction> {
  readonly reads: Reads
  readonly writes: Writes<Transaction>
  readonly marks: Marks<Transaction>
  readonly forms: Forms<Transaction>
  /** Tries to change the views that lack something, because a program held them. Called at the end of a round. */
  readonly followViews: () => Promise<void>
  readonly drift: DriftState

  constructor(options: {
    store: SyncStore<Transaction>
    workspaceId: string
    deleted: DeletedRows
    onFirst: FirstSubmitted<Transaction> | undefined
    now: () => number
  }) {
    const { store, workspaceId, deleted, onFirst, now } = options
    this.reads = new Reads(store, workspaceId)
    this.writes = new Writes(store, workspaceId, onFirst, now)
    this.followViews = () => viewsOf(store, workspaceId).followAll(store, now)
    this.marks = new Marks(store, workspaceId, deleted, now)
    this.forms = new Forms(store, workspaceId, now)
    this.drift = new DriftState(store, workspaceId)
  }
}
