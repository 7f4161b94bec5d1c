import type { QuestionKind } from '../database/dialect.ts'
import type { SyncStore } from '../database/driver.ts'
import type { KnownResponse } from '../rows/row.ts'
import type { TableNames } from './schema.ts'
import type { FormKey } from './statements.ts'

/** What to do with the row of a deleted response: set `deleted_at` only, or also clear email, score, answers and meta. */
export type DeletedRows = 'mark' | 'erase'

/** A change of one row. */
export interface RowChange {
  kind: 'inserted' | 'updated' | 'deleted'
  formId: string
  id: number
  status: string
}

/** Called inside the transaction when the first submitted row of a response is written. */
type FirstSubmitted<Transaction> = (
  response: KnownResponse & { complete: boolean },
  transaction: Transaction,
) => unknown

/** The questions that the view of a form leaves out. */
export interface FullView {
  formId: string
  /** The view of all answers of the form, which leaves none out. */
  answersView: string
  /** Ids of the questions. */
  leftOut: readonly string[]
}

/** What is known of the view of a form, for all that use the store. */
export class ViewState {
  /** The columns that are known to be stored, by {@link keyOfKind}. Other processes may have added more. */
  known: ReadonlySet<string> | undefined
  /** Set while the view may lack something. */
  pending:
    | {
        attempts: number
        retryAt: number
        isRunning: boolean
        /** Whether columns were stored since the attempt that runs began. */
        isOutdated: boolean
      }
    | undefined
  /** How many questions the view was said to leave out. */
  saidLeftOut = 0
}

export const keyOfKind = ({ id, kind }: QuestionKind): string => `${kind} ${id}`

/** Whose rows are read and written, and how. */
export interface WorkspaceScope<Transaction> {
  store: SyncStore<Transaction>
  workspaceId: string
  deleted: DeletedRows
  onFirst: FirstSubmitted<Transaction> | undefined
  /** Called when a view leaves questions out, and when these become more. */
  onViewFull: ((view: FullView) => void) | undefined
  now: () => number
}

/** The same for one form. */
export interface FormScope<Transaction> extends WorkspaceScope<Transaction> {
  names: TableNames
  /** Statements that insert one row: in a transaction, and alone, where the last value takes the lock of the form. */
  inserts: { one: string; alone: string }
  formId: string
  key: FormKey
  view: ViewState
}
