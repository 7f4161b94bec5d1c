import { type Dialect, quoteName } from '../database/dialect.ts'
import type { Session, SqlRow, SqlValue, SyncStore } from '../database/driver.ts'
import { RESPONSE_COLUMNS, SORT_KEY_SQL } from '../rows/row.ts'
import { namesOf, type TableNames } from './names.ts'
import { Reads } from './reads.ts'
import { BATCH, type FormKey, marks, OF_FORM, padded, SUBMITTED } from './statements.ts'
import type { ViewDefinition } from './views.ts'

/** Sort keys `after` exclusive, `upTo` inclusive; without `upTo` all that are later. */
export interface AuditRange {
  after: string | undefined
  upTo: string | undefined
}

const COLUMNS = `${RESPONSE_COLUMNS.join(', ')}, deleted_at`

/** Reads the tables of one workspace for an audit, outside of transactions. */
export class AuditReads {
  readonly #dialect: Dialect
  readonly #workspaceId: string
  readonly #names: TableNames
  readonly #reads: Reads
  /** Reads one statement at a time. */
  readonly session: Pick<Session, 'query'>

  constructor(store: Pick<SyncStore, 'dialect' | 'read'>, workspaceId: string) {
    this.#dialect = store.dialect
    this.#workspaceId = workspaceId
    this.#names = namesOf(store.dialect)
    this.#reads = new Reads(store, workspaceId)
    this.session = { query: (sql, parameters) => store.read(sql, parameters, { isQualified: true }) }
  }

  /** Yields the live submitted rows in a range, some hundred at a time, newest first. */
  async *rows(formId: string, { after, upTo }: AuditRange): AsyncGenerator<SqlRow[]> {
    const conditions = [OF_FORM, SUBMITTED]
    const parameters: SqlValue[] = [...this.#key(formId)]
    for (const [key, operator] of [
      [after, '>'],
      [upTo, '<='],
    ] as const) {
      if (key === undefined) continue
      conditions.push(`${SORT_KEY_SQL} ${operator} ?`)
      parameters.push(key)
    }
    const order = `${SORT_KEY_SQL} DESC, id DESC LIMIT ${BATCH}`
    let page = await this.#rows(conditions, order, parameters)
    for (;;) {
      if (page.length > 0) yield page
      const last = page.length < BATCH ? undefined : page.at(-1)
      if (!last) return
      const next = [...conditions, `(${SORT_KEY_SQL}, id) < (?, ?)`]
      page = await this.#rows(next, order, [...parameters, String(last.sort_key), Number(last.id)])
    }
  }

  /** Returns the live submitted rows without an instant, which no response has. */
  undatedRows(formId: string): Promise<SqlRow[]> {
    return this.#rows([OF_FORM, SUBMITTED, 'submitted_at IS NULL'], 'id', this.#key(formId))
  }

  #rows(conditions: readonly string[], order: string, parameters: readonly SqlValue[]): Promise<SqlRow[]> {
    return this.session.query(
      `SELECT ${COLUMNS}, ${SORT_KEY_SQL} AS sort_key FROM ${this.#names.responses} WHERE ${conditions.join(' AND ')} ORDER BY ${order}`,
      parameters,
    )
  }

  /** Returns rows by their ids, deleted ones included. */
  async byId(formId: string, ids: readonly number[]): Promise<Map<number, SqlRow>> {
    if (ids.length === 0) return new Map()
    const list = padded(ids)
    const rows = await this.session.query(
      `SELECT ${COLUMNS} FROM ${this.#names.responses} WHERE ${OF_FORM} AND id IN (${marks(list.length)})`,
      [...this.#key(formId), ...list],
    )
    return new Map(rows.map((row) => [Number(row.id), row]))
  }

  /** Returns the ids of the live drafts. */
  draftIds(formId: string): Promise<number[]> {
    return this.#reads.draftIds(formId)
  }

  /** Counts the rows that are marked deleted. */
  async deletedCount(formId: string): Promise<number> {
    const [row] = await this.session.query(
      `SELECT count(*) AS number FROM ${this.#names.responses} WHERE ${OF_FORM} AND deleted_at IS NOT NULL`,
      this.#key(formId),
    )
    return Number(row?.number)
  }

  /** Returns the ids of forms that have live rows and no row of their own, such as a form that never existed. */
  async formsWithoutRow(): Promise<string[]> {
    const rows = await this.session.query(
      `SELECT DISTINCT form_id FROM ${this.#names.responses} AS r
        WHERE workspace_id = ? AND deleted_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM ${this.#names.forms} AS f WHERE f.id = r.form_id AND f.workspace_id = r.workspace_id)`,
      [this.#workspaceId],
    )
    return rows.map((row) => String(row.form_id))
  }

  /** Returns the names of the columns of a view in order; none if it does not exist. */
  async viewColumns(name: string): Promise<string[]> {
    return (await this.session.query(this.#dialect.listColumns, [name])).map((row) => String(row.name))
  }

  /** Returns what a view shows of some responses, and what its definition would show. */
  async shown(
    view: ViewDefinition,
    ids: readonly number[],
  ): Promise<{ actual: SqlRow[]; expected: SqlRow[] }> {
    // Without parameters: the definition contains question marks.
    const where = `WHERE id IN (${ids.join(', ')}) ORDER BY id`
    return {
      actual: await this.session.query(`SELECT * FROM ${this.#view(view)} AS v ${where}`),
      expected: await this.session.query(`SELECT * FROM (${view.query}) AS v ${where}`),
    }
  }

  /** Returns those of some ids that a view shows. */
  async shownIds(view: Pick<ViewDefinition, 'name'>, ids: readonly number[]): Promise<Set<number>> {
    const shown = new Set<number>()
    for (let start = 0; start < ids.length; start += BATCH) {
      const list = padded(ids.slice(start, start + BATCH))
      const rows = await this.session.query(
        `SELECT id FROM ${this.#view(view)} WHERE id IN (${marks(list.length)})`,
        list,
      )
      for (const { id } of rows) shown.add(Number(id))
    }
    return shown
  }

  /** Counts what a view shows, and what its definition would show, at one instant. */
  async shownCounts(view: ViewDefinition): Promise<{ actual: number; expected: number }> {
    const [row] = await this.session.query(
      `SELECT (SELECT count(*) FROM ${this.#view(view)}) AS actual, (SELECT count(*) FROM (${view.query}) AS e) AS expected`,
    )
    return { actual: Number(row?.actual), expected: Number(row?.expected) }
  }

  /** Returns ids that a view shows and its definition would not. */
  async shownInExcess(view: ViewDefinition, limit: number): Promise<number[]> {
    const rows = await this.session.query(
      `SELECT id FROM (SELECT id FROM ${this.#view(view)} EXCEPT SELECT id FROM (${view.query}) AS e) AS x ORDER BY id LIMIT ${limit}`,
    )
    return rows.map(({ id }) => Number(id))
  }

  #view({ name }: Pick<ViewDefinition, 'name'>): string {
    return this.#dialect.qualified(quoteName(name))
  }

  #key(formId: string): FormKey {
    return [this.#dialect.text(formId), this.#workspaceId]
  }
}
