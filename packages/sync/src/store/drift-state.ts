import type { Answer } from '@formwire/contract'
import type { SyncStore } from '../database/driver.ts'
import { SORT_KEY_SQL, sortKey } from '../rows/row.ts'
import { namesOf, type TableNames } from './names.ts'
import { type FormKey, OF_FORM, upsertState, within } from './statements.ts'

/** The answers of a response. */
export interface StoredAnswers {
  /** Sort key of the response. */
  key: string
  answers: readonly Answer[]
}

/** What the forms and questions of one workspace were when they were last looked at. */
export class DriftState {
  readonly #store: SyncStore
  readonly #workspaceId: string
  readonly #names: TableNames

  constructor(store: SyncStore, workspaceId: string) {
    this.#store = store
    this.#workspaceId = workspaceId
    this.#names = namesOf(store.dialect)
  }

  /** Returns the last state of each form, and whether it is lost now. */
  async forms(): Promise<Map<string, { state: string; isLost: boolean }>> {
    const rows = await this.#store.read(
      `SELECT s.form_id AS form_id, s.form_state AS form_state, f.deleted_at AS deleted_at FROM ${this.#names.drift} AS s
        LEFT JOIN ${this.#names.forms} AS f ON f.id = s.form_id AND f.workspace_id = s.workspace_id
        WHERE s.workspace_id = ? AND s.form_state IS NOT NULL`,
      [this.#workspaceId],
      { isQualified: true },
    )
    return new Map(
      rows.map(({ form_id, form_state, deleted_at }) => [
        String(form_id),
        { state: String(form_state), isLost: typeof deleted_at === 'string' },
      ]),
    )
  }

  /** Records the state of a form. Returns the one before, also if it is the same. */
  moveForm(formId: string, state: string): Promise<string | undefined> {
    return this.#replace(formId, 'form_state', () => state)
  }

  /** Returns what was last recorded of a form's questions. */
  async questions(formId: string): Promise<string | undefined> {
    const [row] = await this.#store.read(
      `SELECT questions FROM ${this.#names.drift} WHERE ${OF_FORM}`,
      this.#key(formId),
      { isQualified: true },
    )
    return typeof row?.questions === 'string' ? row.questions : undefined
  }

  /** Records a form's questions, unless another process has done that since. Returns whether it did. */
  async setQuestions(formId: string, before: string | undefined, after: string): Promise<boolean> {
    const found = await this.#replace(formId, 'questions', (present) =>
      present === before ? after : present,
    )
    return found === before
  }

  /** Returns the newest submitted responses after a sort key, oldest first. */
  async answersAfter(formId: string, key: string, limit: number): Promise<StoredAnswers[]> {
    const { where, parameters } = within(this.#key(formId), { from: undefined, to: undefined })
    const rows = await this.#store.read(
      `SELECT submitted_at, answers FROM ${this.#names.responses} WHERE ${where} AND ${SORT_KEY_SQL} > ?
        ORDER BY ${SORT_KEY_SQL} DESC LIMIT ?`,
      [...parameters, key, limit],
      { isQualified: true },
    )
    return rows.reverse().map(({ submitted_at, answers }) => {
      const parsed = this.#store.dialect.parseJson(answers)
      return { key: sortKey(String(submitted_at)), answers: Array.isArray(parsed) ? parsed : [] }
    })
  }

  /** Replaces a column of a form's state in a transaction. Returns what it was. */
  #replace(
    formId: string,
    column: 'form_state' | 'questions',
    change: (present: string | undefined) => string | undefined,
  ): Promise<string | undefined> {
    return this.#store.transaction(formId, async (session) => {
      const key = this.#key(formId)
      const [row] = await session.query(`SELECT ${column} FROM ${this.#names.drift} WHERE ${OF_FORM}`, key)
      const before = typeof row?.[column] === 'string' ? row[column] : undefined
      const after = change(before)
      if (after !== before)
        await session.query(...upsertState(this.#names.drift, key, { [column]: after ?? null }))
      return before
    })
  }

  #key(formId: string): FormKey {
    return [this.#store.dialect.text(formId), this.#workspaceId]
  }
}
