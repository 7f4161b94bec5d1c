import { quoteName } from '../database/dialect.ts'
import type { Session, SqlRow, SqlValue, SyncStore } from '../database/driver.ts'
import { RESPONSE_COLUMNS, SORT_KEY_SQL } from '../rows/row.ts'
import { VERSION_TABLE } from './migrations.ts'
import { Reads } from './reads.ts'
import { BATCH, marks, padded, SUBMITTED } from './statements.ts'
import type { ViewDefinition } from './views.ts'

/** Sort keys `after` exclusive, `upTo` inclusive; without `upTo` all that are later. */
export interface AuditRange {
  after: string | undefined
  upTo: string | undefined
}

const COLUMNS = `${RESPONSE_COLUMNS.join(', ')}, deleted_at`

/** Reads the tables for an audit, outside of transactions. */
export class AuditReads {
  readonly #store: Pick<SyncStore, 'dialect' | 'read'>
  /** Reads one statement at a time. */
  readonly session: Pick<Session, 'query'>

  constructor(store: Pick<SyncStore, 'dialect' | 'read'>) {
    this.#store = store
    this.session = { query: (sql, parameters) => store.read(sql, parameters) }
  }

  /** Yields the live submitted rows in a range, some hundred at a time, newest first. */
  async *rows(formId: string, { after, upTo }: AuditRange): AsyncGenerator<SqlRow[]> {
    const conditions = ['form_id = ?', SUBMITTED]
    const parameters: SqlValue[] = [this.#text(formId)]
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
    return this.#rows(['form_id = ?', SUBMITTED, 'submitted_at IS NULL'], 'id', [this.#text(formId)])
  }

  #rows(conditions: readonly string[], order: string, parameters: readonly SqlValue[]): Promise<SqlRow[]> {
    return this.#store.read(
      `SELECT ${COLUMNS}, ${SORT_KEY_SQL} AS sort_key FROM formwire_responses WHERE ${conditions.join(' AND ')} ORDER BY ${order}`,
      parameters,
    )
  }

  /** Returns rows by their ids, deleted ones included. */
  async byId(formId: string, ids: readonly number[]): Promise<Map<number, SqlRow>> {
    if (ids.length === 0) return new Map()
    const list = padded(ids)
    const rows = await this.#store.read(
      `SELECT ${COLUMNS} FROM formwire_responses WHERE form_id = ? AND id IN (${marks(list.length)})`,
      [this.#text(formId), ...list],
    )
    return new Map(rows.map((row) => [Number(row.id), row]))
  }

  /** Returns the ids of the live drafts. */
  draftIds(formId: string): Promise<number[]> {
    return new Reads(this.#store).draftIds(formId)
  }

  /** Counts the rows that are marked deleted. */
  async deletedCount(formId: string): Promise<number> {
    const [row] = await this.#store.read(
      'SELECT count(*) AS number FROM formwire_responses WHERE form_id = ? AND deleted_at IS NOT NULL',
      [this.#text(formId)],
    )
    return Number(row?.number)
  }

  /** Returns the ids of forms that have live rows and no row of their own, such as a form that never existed. */
  async formsWithoutRow(): Promise<string[]> {
    const rows = await this.#store.read(
      `SELECT DISTINCT form_id FROM formwire_responses
        WHERE deleted_at IS NULL AND form_id NOT IN (SELECT id FROM formwire_forms)`,
    )
    return rows.map((row) => String(row.form_id))
  }

  /** Whether the database has tables of this package. */
  async exist(): Promise<boolean> {
    return (await this.#store.read(this.#store.dialect.findRelation, [VERSION_TABLE])).length > 0
  }

  /** Returns the names of the columns of a view in order; none if it does not exist. */
  async viewColumns(name: string): Promise<string[]> {
    return (await this.#store.read(this.#store.dialect.listColumns, [name])).map((row) => String(row.name))
  }

  /** Returns what a view shows of some responses, and what its definition would show. */
  async shown(
    view: ViewDefinition,
    ids: readonly number[],
  ): Promise<{ actual: SqlRow[]; expected: SqlRow[] }> {
    // Without parameters: the definition contains question marks.
    const where = `WHERE id IN (${ids.join(', ')}) ORDER BY id`
    return {
      actual: await this.#store.read(`SELECT * FROM ${quoteName(view.name)} AS v ${where}`),
      expected: await this.#store.read(`SELECT * FROM (${view.query}) AS v ${where}`),
    }
  }

  /** Returns those of some ids that a view shows. */
  async shownIds(view: Pick<ViewDefinition, 'name'>, ids: readonly number[]): Promise<Set<number>> {
    const shown = new Set<number>()
    for (let start = 0; start < ids.length; start += BATCH) {
      const list = padded(ids.slice(start, start + BATCH))
      const rows = await this.#store.read(
        `SELECT id FROM ${quoteName(view.name)} WHERE id IN (${marks(list.length)})`,
        list,
      )
      for (const { id } of rows) shown.add(Number(id))
    }
    return shown
  }

  /** Counts what a view shows, and what its definition would show, at one instant. */
  async shownCounts(view: ViewDefinition): Promise<{ actual: number; expected: number }> {
    const [row] = await this.#store.read(
      `SELECT (SELECT count(*) FROM ${quoteName(view.name)}) AS actual, (SELECT count(*) FROM (${view.query}) AS e) AS expected`,
    )
    return { actual: Number(row?.actual), expected: Number(row?.expected) }
  }

  /** Returns ids that a view shows and its definition would not. */
  async shownInExcess(view: ViewDefinition, limit: number): Promise<number[]> {
    const rows = await this.#store.read(
      `SELECT id FROM (SELECT id FROM ${quoteName(view.name)} EXCEPT SELECT id FROM (${view.query}) AS e) AS x ORDER BY id LIMIT ${limit}`,
    )
    return rows.map(({ id }) => Number(id))
  }

  #text(value: string): string {
    return this.#store.dialect.text(value)
  }
}
