import type { SyncStore } from '../database/driver.ts'
import { Forms } from './forms.ts'
import { type DeletedRows, Marks } from './marks.ts'
import { Reads } from './reads.ts'
import { viewsOf } from './views.ts'
import { type FirstSubmitted, Writes } from './writes.ts'

/** The tables of a store. Whatever writes does so in one transaction a call. */
export class Tables<Transaction> {
  readonly reads: Reads
  readonly writes: Writes<Transaction>
  readonly marks: Marks<Transaction>
  readonly forms: Forms<Transaction>
  /** Tries to change the views that lack something, because a program held them. Called at the end of a round. */
  readonly followViews: () => Promise<void>

  constructor(options: {
    store: SyncStore<Transaction>
    deleted: DeletedRows
    onFirst: FirstSubmitted<Transaction> | undefined
    now: () => number
  }) {
    const { store, deleted, onFirst, now } = options
    this.reads = new Reads(store)
    const views = viewsOf(store)
    this.writes = new Writes(store, views, onFirst, now)
    this.followViews = () => views.followAll(store, now)
    this.marks = new Marks(store, deleted, now)
    this.forms = new Forms(store, now)
  }
}
