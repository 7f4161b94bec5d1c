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

/** What the service lists without a status. A status that was added later counts as submitted. */
export const SUBMITTED = `status <> 'in_progress' AND deleted_at IS NULL`

/** The condition of the live submitted rows of a form in a range. */
export function within(formId: string, { from, to }: KeyRange): { where: string; parameters: SqlValue[] } {
  const parameters: SqlValue[] = [formId]
  let where = `form_id = ? AND ${SUBMITTED}`
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
  formId: string,
  range: KeyRange,
): Promise<number> {
  const { where, parameters } = within(formId, range)
  const [row] = await session.query(
    `SELECT count(*) AS number FROM formwire_responses WHERE ${where}`,
    parameters,
  )
  return Number(row?.number)
}

/** Inserts rows that do not exist. */
export async function insertMany(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  if (rows.length > 0) await session.query(insertSql(table, columns, rows.length), flattened(rows))
}

/** Inserts rows, except for those that exist. Returns the ids of the inserted ones. */
export async function insertMissing(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<Set<number>> {
  const sql = `${insertSql(table, columns, rows.length)} ON CONFLICT (form_id, id) DO NOTHING RETURNING id`
  return new Set((await session.query(sql, flattened(rows))).map(({ id }) => Number(id)))
}

/** Faster than `flat()`. */
function flattened(rows: readonly (readonly SqlValue[])[]): SqlValue[] {
  const values: SqlValue[] = []
  for (const row of rows) for (const value of row) values.push(value)
  return values
}

/** @param last an expression instead of the placeholder of the last column */
export function insertSql(table: string, columns: readonly string[], count: number, last = '?'): string {
  const one = `(${marks(columns.length - 1)}, ${last})`
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(count).fill(one).join(', ')}`
}

export function marks(count: number): string {
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
