import type { SyncStore } from '../database/driver.ts'
import { DriftState } from './drift-state.ts'
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
  readonly drift: DriftState

  constructor(options: {
    store: SyncStore<Transaction>
    deleted: DeletedRows
    onFirst: FirstSubmitted<Transaction> | undefined
    now: () => number
  }) {
    const { store, deleted, onFirst, now } = options
    this.reads = new Reads(store)
    this.writes = new Writes(store, viewsOf(store), onFirst, now)
    this.marks = new Marks(store, deleted, now)
    this.forms = new Forms(store, now)
    this.drift = new DriftState(store)
  }
}
