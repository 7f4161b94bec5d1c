import type { PollState } from '@formwire/sdk'
import type { Session, SyncStore } from '../database/driver.ts'
import { SORT_KEY_SQL } from '../rows/row.ts'
import { namesOf, type TableNames } from './names.ts'
import { countRows, type FormKey, type KeyRange, OF_FORM, SUBMITTED, within } from './statements.ts'

/** Where the next round of a form continues. */
export interface FormState {
  checkpoint: PollState | undefined
  /** When everything was last read, in ISO 8601. */
  fullAt: string | undefined
  /** How far a full read is that is done in slices, as it is stored. */
  slice: string | undefined
}

/** Reads the tables of one workspace, outside of transactions. */
export class Reads {
  readonly #store: Pick<SyncStore, 'dialect' | 'read'>
  readonly #workspaceId: string
  readonly #session: Pick<Session, 'query'>
  readonly #names: TableNames

  constructor(store: Pick<SyncStore, 'dialect' | 'read'>, workspaceId: string) {
    this.#store = store
    this.#workspaceId = workspaceId
    this.#session = { query: (sql, parameters) => store.read(sql, parameters, { isQualified: true }) }
    this.#names = namesOf(store.dialect)
  }

  /** Returns the state of a form. */
  async state(formId: string): Promise<FormState> {
    const [row] = await this.#session.query(
      `SELECT poll_state, full_at, slice FROM ${this.#names.state} WHERE ${OF_FORM}`,
      this.#key(formId),
    )
    const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
    const checkpoint = textOf(row?.poll_state)
    return {
      checkpoint: checkpoint === undefined ? undefined : (JSON.parse(checkpoint) as PollState),
      fullAt: textOf(row?.full_at),
      slice: textOf(row?.slice),
    }
  }

  /** Returns ids of rows that came by webhook and are not complete, oldest first. */
  async pending(formId: string, limit: number): Promise<number[]> {
    const rows = await this.#session.query(
      `SELECT id FROM ${this.#names.responses} AS r WHERE ${OF_FORM} AND started_at IS NULL AND ${SUBMITTED}
        AND NOT EXISTS (SELECT 1 FROM ${this.#names.settled} AS s
          WHERE s.form_id = r.form_id AND s.id = r.id AND s.workspace_id = r.workspace_id)
        ORDER BY id LIMIT ?`,
      [...this.#key(formId), limit],
    )
    return rows.map(({ id }) => Number(id))
  }

  /** Counts the live submitted rows in a range. */
  count(formId: string, range: KeyRange): Promise<number> {
    return countRows(this.#session, this.#names.responses, this.#key(formId), range)
  }

  /** Returns the ids of the live submitted rows in a range. */
  async ids(formId: string, range: KeyRange): Promise<number[]> {
    const { where, parameters } = within(this.#key(formId), range)
    const rows = await this.#session.query(
      `SELECT id FROM ${this.#names.responses} WHERE ${where}`,
      parameters,
    )
    return rows.map(({ id }) => Number(id))
  }

  /** Returns the `submitted_at` of the row at a position of a range, newest first, from 0. */
  async instantAt(formId: string, range: KeyRange, position: number): Promise<string | undefined> {
    const { where, parameters } = within(this.#key(formId), range)
    const [row] = await this.#session.query(
      `SELECT submitted_at FROM ${this.#names.responses} WHERE ${where} ORDER BY ${SORT_KEY_SQL} DESC LIMIT 1 OFFSET ?`,
      [...parameters, position],
    )
    return typeof row?.submitted_at === 'string' ? row.submitted_at : undefined
  }

  /** Returns the ids of the live drafts. */
  async draftIds(formId: string): Promise<number[]> {
    const rows = await this.#session.query(
      `SELECT id FROM ${this.#names.responses} WHERE ${OF_FORM} AND status = 'in_progress' AND deleted_at IS NULL`,
      this.#key(formId),
    )
    return rows.map(({ id }) => Number(id))
  }

  /** Returns the ids of the forms of the workspace that exist, as far as the table shows. */
  async liveForms(): Promise<string[]> {
    const rows = await this.#session.query(
      `SELECT id FROM ${this.#names.forms} WHERE workspace_id = ? AND deleted_at IS NULL`,
      [this.#workspaceId],
    )
    return rows.map(({ id }) => String(id))
  }

  #key(formId: string): FormKey {
    return [this.#store.dialect.text(formId), this.#workspaceId]
  }
}
