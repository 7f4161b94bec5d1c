import type { Answer } from '@formwire/contract'
import type { SqlValue, SyncStore } from '../database/driver.ts'
import { SORT_KEY_SQL, sortKey } from '../rows/row.ts'
import { within } from './statements.ts'

/** The answers of a response. */
export interface StoredAnswers {
  /** Sort key of the response. */
  key: string
  answers: readonly Answer[]
}

/** What forms and questions were when they were last looked at. */
export class DriftState {
  readonly #store: SyncStore

  constructor(store: SyncStore) {
    this.#store = store
  }

  /** Returns the last state of each form, and whether it is lost now. */
  async forms(): Promise<Map<string, { state: string; isLost: boolean }>> {
    const rows = await this.#store.read(
      `SELECT s.form_id AS form_id, s.form_state AS form_state, f.deleted_at AS deleted_at FROM formwire_sync_drift AS s
        LEFT JOIN formwire_forms AS f ON f.id = s.form_id WHERE s.form_state IS NOT NULL`,
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
    const [row] = await this.#store.read('SELECT questions FROM formwire_sync_drift WHERE form_id = ?', [
      this.#text(formId),
    ])
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
    const { where, parameters } = within(this.#text(formId), { from: undefined, to: undefined })
    const rows = await this.#store.read(
      `SELECT submitted_at, answers FROM formwire_responses WHERE ${where} AND ${SORT_KEY_SQL} > ?
        ORDER BY ${SORT_KEY_SQL} DESC LIMIT ?`,
      [...parameters, key, limit],
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
      const key: SqlValue[] = [this.#text(formId)]
      const [row] = await session.query(`SELECT ${column} FROM formwire_sync_drift WHERE form_id = ?`, key)
      const before = typeof row?.[column] === 'string' ? row[column] : undefined
      const after = change(before)
      if (after !== before)
        await session.query(
          `INSERT INTO formwire_sync_drift (form_id, ${column}) VALUES (?, ?)
            ON CONFLICT (form_id) DO UPDATE SET ${column} = excluded.${column}`,
          [...key, after ?? null],
        )
      return before
    })
  }

  #text(value: string): string {
    return this.#store.dialect.text(value)
  }
}
