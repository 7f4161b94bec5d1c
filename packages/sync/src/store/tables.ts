import type { Form } from '@formwire/contract'
import { cleanText } from '../database/dialect.ts'
import { LOCK_WAIT_MS, type Session, type SqlRow, type SqlValue } from '../database/driver.ts'
import type { FormMemory } from '../plan/follow.ts'
import { formValues } from '../rows/row.ts'
import { FormTable, memoryOf, numberOf, withState } from './form-table.ts'
import { namesOf } from './schema.ts'
import { type FormScope, ViewState, type WorkspaceScope } from './scope.ts'
import { iso, keyOf, upsertSql } from './statements.ts'
import { followView, ROUND_WAIT_MS } from './views.ts'
import { insertsOf } from './writes.ts'

/** A form of the last list, with what is remembered of it. */
export interface KnownForm extends FormMemory {
  id: string
}

/** The lock of the row of a form, which does not wait for those who write its responses. */
const lockOf = (formId: string): string => `form ${formId}`

/** The rows of one workspace in the tables of a store. */
export class Tables<Transaction> {
  readonly #scope: Omit<FormScope<Transaction>, 'formId' | 'key' | 'view'>
  /** What is known of the views, for all that use the store. */
  readonly #views: Map<string, ViewState>

  constructor(scope: WorkspaceScope<Transaction>) {
    const { store, workspaceId } = scope
    const names = namesOf(store.dialect)
    this.#scope = { ...scope, names, inserts: insertsOf(store.dialect, names.responses) }
    this.#views = store.shared.of(`views ${workspaceId}`, () => new Map<string, ViewState>())
  }

  /** Returns the rows of a form. */
  form(formId: string): FormTable<Transaction> {
    const view = this.#views.get(formId) ?? new ViewState()
    this.#views.set(formId, view)
    return new FormTable({ ...this.#scope, formId, key: keyOf(formId, this.#scope.workspaceId), view })
  }

  /** Tries to change the views that lack something, because a program held them. Called at the end of a round. */
  async followViews(): Promise<void> {
    const pending = [...this.#views].filter(([, view]) => view.pending)
    const waitMs = Math.ceil(ROUND_WAIT_MS / pending.length)
    for (const [formId] of pending) await followView(this.form(formId).scope, waitMs)
  }

  #read(what: string, condition = ''): Promise<SqlRow[]> {
    const sql = `SELECT ${what} WHERE f.workspace_id = ? AND f.deleted_at IS NULL${condition}`
    return this.#scope.store.read(sql, [this.#scope.workspaceId], { isQualified: true })
  }

  /** Returns the ids of the forms of the workspace that exist, as far as the table shows. */
  async liveForms(): Promise<string[]> {
    return (await this.#read(`f.id FROM ${this.#scope.names.forms} AS f`)).map(({ id }) => String(id))
  }

  /** Returns the forms that exist, with what is remembered of them. */
  async knownForms(): Promise<KnownForm[]> {
    const rows = await this.#read(`f.id, f.response_count, s.seen ${withState(this.#scope.names)}`)
    return rows.map(({ id, response_count, seen }) => {
      const { count, turn, swept = 0 } = memoryOf(seen)
      const isMoved = count === undefined || count !== numberOf(response_count)
      return { id: String(id), isMoved, turn, swept }
    })
  }

  /** Writes forms that exist, each in a transaction. Their views are created with their responses, if only none. */
  async writeForms(forms: readonly Form[]): Promise<void> {
    for (const form of forms) {
      const write = ({ query }: Session) => {
        const values = this.#values(form)
        return query(upsertSql(this.#scope.names.forms, Object.keys(values), 2), Object.values(values))
      }
      // A list of forms has no other form to go on with.
      await this.#scope.store.transaction(lockOf(form.id), write, { waitMs: LOCK_WAIT_MS })
    }
  }

  /** Writes the forms whose rows differ. */
  async writeChangedForms(forms: readonly Form[]): Promise<void> {
    const stored = new Map(
      (await this.#read(`f.* FROM ${this.#scope.names.forms} AS f`)).map((row) => [row.id, row]),
    )
    await this.writeForms(
      forms.filter((form) => {
        const row = stored.get(cleanText(form.id))
        const { synced_at, ...values } = this.#values(form)
        return !row || Object.entries(values).some(([name, value]) => !isSame(row[name], value))
      }),
    )
  }

  #values(form: Form): Record<string, SqlValue> {
    const { store, workspaceId, now } = this.#scope
    const values = formValues(form, store.dialect)
    return { workspace_id: workspaceId, ...values, synced_at: iso(now()), deleted_at: null }
  }

  /** Sets `deleted_at` of a form that is lost. Its responses stay. Returns whether that is new. */
  markFormLost(formId: string): Promise<boolean> {
    const { store, workspaceId, now } = this.#scope
    return store.transaction(lockOf(formId), async (session) => {
      const at = iso(now())
      const changed = await session.run(
        `UPDATE ${this.#scope.names.forms} SET deleted_at = ?, synced_at = ? WHERE id = ? AND workspace_id = ? AND deleted_at IS NULL`,
        [at, at, cleanText(formId), workspaceId],
      )
      return changed > 0
    })
  }
}

/** Whether a column has a value. Drivers return integers as texts, and booleans as numbers where there is no type for them. */
function isSame(stored: unknown, value: SqlValue): boolean {
  return stored === value || (stored !== null && value !== null && String(stored) === String(value))
}
