import type { PollState } from '@formwire/sdk'
import type { Session, SyncStore } from '../database/driver.ts'
import { SORT_KEY_SQL } from '../rows/row.ts'
import { countRows, type KeyRange, within } from './statements.ts'

/** Where the next round of a form continues. */
export interface FormState {
  checkpoint: PollState | undefined
  /** When everything was last read, in ISO 8601. */
  fullAt: string | undefined
}

/** Reads the tables, outside of transactions. */
export class Reads {
  readonly #store: Pick<SyncStore, 'dialect' | 'read'>
  readonly #session: Pick<Session, 'query'>

  constructor(store: Pick<SyncStore, 'dialect' | 'read'>) {
    this.#store = store
    this.#session = { query: (sql, parameters) => store.read(sql, parameters) }
  }

  /** Returns the state of a form. */
  async state(formId: string): Promise<FormState> {
    const [row] = await this.#session.query(
      'SELECT checkpoint, full_at FROM formwire_sync_state WHERE form_id = ?',
      [this.#text(formId)],
    )
    return {
      checkpoint: typeof row?.checkpoint === 'string' ? (JSON.parse(row.checkpoint) as PollState) : undefined,
      fullAt: typeof row?.full_at === 'string' ? row.full_at : undefined,
    }
  }

  /** Returns ids of rows that came by webhook and are not complete, oldest first. */
  async pending(formId: string, limit: number): Promise<number[]> {
    const rows = await this.#session.query(
      `SELECT id FROM formwire_responses AS r
        WHERE form_id = ? AND started_at IS NULL AND deleted_at IS NULL AND status <> 'in_progress'
        AND NOT EXISTS (SELECT 1 FROM formwire_sync_settled AS s WHERE s.form_id = r.form_id AND s.id = r.id)
        ORDER BY id LIMIT ?`,
      [this.#text(formId), limit],
    )
    return rows.map(({ id }) => Number(id))
  }

  /** Counts the live submitted rows in a range. */
  count(formId: string, range: KeyRange): Promise<number> {
    return countRows(this.#session, this.#text(formId), range)
  }

  /** Returns the ids of the live submitted rows in a range. */
  async ids(formId: string, range: KeyRange): Promise<number[]> {
    const { where, parameters } = within(this.#text(formId), range)
    const rows = await this.#session.query(`SELECT id FROM formwire_responses WHERE ${where}`, parameters)
    return rows.map(({ id }) => Number(id))
  }

  /** Returns the `submitted_at` of the row at a position of a range, newest first, from 0. */
  async instantAt(formId: string, range: KeyRange, position: number): Promise<string | undefined> {
    const { where, parameters } = within(this.#text(formId), range)
    const [row] = await this.#session.query(
      `SELECT submitted_at FROM formwire_responses WHERE ${where} ORDER BY ${SORT_KEY_SQL} DESC LIMIT 1 OFFSET ?`,
      [...parameters, position],
    )
    return typeof row?.submitted_at === 'string' ? row.submitted_at : undefined
  }

  /** Returns the ids of the live drafts. */
  async draftIds(formId: string): Promise<number[]> {
    const rows = await this.#session.query(
      `SELECT id FROM formwire_responses WHERE form_id = ? AND status = 'in_progress' AND deleted_at IS NULL`,
      [this.#text(formId)],
    )
    return rows.map(({ id }) => Number(id))
  }

  /** Returns the ids of the forms that exist, as far as the table shows. */
  async liveForms(): Promise<string[]> {
    const rows = await this.#session.query('SELECT id FROM formwire_forms WHERE deleted_at IS NULL')
    return rows.map(({ id }) => String(id))
  }

  #text(value: string): string {
    return this.#store.dialect.text(value)
  }
}
