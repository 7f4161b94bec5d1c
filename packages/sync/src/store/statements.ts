import { cleanText } from '../database/dialect.ts'
import type { Session, SqlValue } from '../database/driver.ts'
import { SORT_KEY_SQL, sortKey } from '../rows/row.ts'

/** Rows per statement. SQLite allows 32,766 parameters. */
export const BATCH = 500

/** A range of sort keys: `from` inclusive, `to` exclusive. */
export interface KeyRange {
  from: string | undefined
  to: string | undefined
}

/** Returns the range from an instant on. */
export function rangeFrom(submittedAt: string | undefined): KeyRange {
  return { from: submittedAt === undefined ? undefined : sortKey(submittedAt), to: undefined }
}

/** A form of a workspace, as parameters of {@link OF_FORM}. */
export type FormKey = readonly [formId: string, workspaceId: string]

/** Returns the key under which the rows of a form are stored. */
export const keyOf = (formId: string, workspaceId: string): FormKey => [cleanText(formId), workspaceId]

/**
 * The condition of the rows of a form. A planner cannot estimate how many rows the workspace leaves: a new table has no statistics,
 * so that PostgreSQL would take both columns for selective, and read all rows of a form to find one.
 */
export const OF_FORM = 'form_id = ? AND CASE workspace_id WHEN ? THEN TRUE END'

/** What the service lists without a status. A status that was added later counts as submitted. */
export const SUBMITTED = `status <> 'in_progress' AND deleted_at IS NULL`

/** The condition of the live submitted rows of a form in a range. */
export function within(form: FormKey, { from, to }: KeyRange): { where: string; parameters: SqlValue[] } {
  const parameters: SqlValue[] = [...form]
  let where = `${OF_FORM} AND ${SUBMITTED}`
  if (from !== undefined) {
    where += ` AND ${SORT_KEY_SQL} >= ?`
    parameters.push(from)
  }
  if (to !== undefined) {
    where += ` AND ${SORT_KEY_SQL} < ?`
    parameters.push(to)
  }
  return { where, parameters }
}

/** Counts the live submitted rows of a form in a range. */
export async function countRows(
  session: Pick<Session, 'query'>,
  responses: string,
  form: FormKey,
  range: KeyRange,
): Promise<number> {
  const { where, parameters } = within(form, range)
  const [row] = await session.query(`SELECT count(*) AS number FROM ${responses} WHERE ${where}`, parameters)
  return Number(row?.number)
}

/** Inserts rows, except for those that exist. Returns the ids of the inserted ones. */
export async function insertMissing(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<Set<number>> {
  const sql = `${insertSql(table, columns, rows.length)} ON CONFLICT (form_id, id, workspace_id) DO NOTHING RETURNING id`
  return new Set((await session.query(sql, flattened(rows))).map(({ id }) => Number(id)))
}

/** Faster than `flat()`. */
export function flattened(rows: readonly (readonly SqlValue[])[]): SqlValue[] {
  const values: SqlValue[] = []
  for (const row of rows) for (const value of row) values.push(value)
  return values
}

/** @param last an expression instead of the placeholder of the last column */
export function insertSql(table: string, columns: readonly string[], count: number, last = '?'): string {
  const one = `(${placeholders(columns.length - 1)}, ${last})`
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(count).fill(one).join(', ')}`
}

/** Returns the statement that records values in the state of a form, and its parameters. */
export function upsertState(
  table: string,
  form: FormKey,
  values: Readonly<Record<string, SqlValue>>,
): [sql: string, parameters: SqlValue[]] {
  const columns = ['form_id', 'workspace_id', ...Object.keys(values)]
  return [upsertSql(table, columns, 2), [...form, ...Object.values(values)]]
}

/** Returns the statement that inserts a row, or updates the one with its key. @param keys how many of the columns are the key */
export function upsertSql(table: string, columns: readonly string[], keys: number): string {
  const updates = columns.slice(keys).map((name) => `${name} = excluded.${name}`)
  const conflict = `ON CONFLICT (${columns.slice(0, keys).join(', ')})`
  return `${insertSql(table, columns, 1)} ${conflict} DO UPDATE SET ${updates.join(', ')}`
}

export function placeholders(count: number): string {
  return Array(count).fill('?').join(', ')
}

/** Repeats the last id up to a few lengths, so that few statements are prepared. */
export function padded(ids: readonly number[]): number[] {
  const length = [1, 10, 100, BATCH].find((size) => size >= ids.length) ?? ids.length
  const last = ids.at(-1) ?? 0
  return [...ids, ...Array<number>(length - ids.length).fill(last)]
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}
