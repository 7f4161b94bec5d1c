import type { SyncStore } from '../database/driver.ts'
import { Forms } from './forms.ts'
import { type DeletedRows, Marks } from './marks.ts'
import { Reads } from './reads.ts'
import { Views } from './views.ts'
import { type FirstSubmitted, Writes } from './writes.ts'

/** The tables of a store. Whatever writes does so in one transaction a call. */
export class Tables<Transaction> {
  readonly reads: Reads
  readonly writes: Writes<Transaction>
  readonly marks: Marks<Transaction>
  readonly forms: Forms<Transaction>

  constructor(options: {
    store: SyncStore<Transaction>
    deleted: DeletedRows
    onFirst: FirstSubmitted<Transaction> | undefined
    now: () => number
  }) {
    const { store, deleted, onFirst, now } = options
    const views = new Views(store.dialect)
    this.reads = new Reads(store)
    this.writes = new Writes(store, views, onFirst, now)
    this.marks = new Marks(store, deleted, now)
    this.forms = new Forms(store, now)
  }
}
