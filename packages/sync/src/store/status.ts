import type { SyncStore } from '../database/driver.ts'
import { SORT_KEY_SQL } from '../rows/row.ts'
import { VERSION_TABLE } from './migrations.ts'

/** How far the table is with a form. */
export interface FormStatus {
  workspace_id: string
  form_id: string
  /** Live submitted rows. */
  rows: number
  /** Seconds between the submission of the newest response and the last write of its row; null without rows. */
  lag_seconds: number | null
}

/**
 * Returns how far the tables are with each form that exists, in the order of their ids; none if there are no tables yet. Does not change
 * the database.
 *
 * @throws StoreError if the database cannot be read
 */
export async function readStatus(store: SyncStore): Promise<FormStatus[]> {
  await store.open()
  if ((await store.read(store.dialect.findRelation, [VERSION_TABLE])).length === 0) return []
  const submitted = `r.form_id = f.id AND r.status <> 'in_progress' AND r.deleted_at IS NULL`
  const newest = (column: string): string =>
    `(SELECT r.${column} FROM formwire_responses AS r WHERE ${submitted} ORDER BY ${SORT_KEY_SQL} DESC LIMIT 1)`
  const rows = await store.read(
    `SELECT v.workspace_id AS workspace_id, f.id AS form_id,
        (SELECT count(*) FROM formwire_responses AS r WHERE ${submitted}) AS number,
        ${newest('submitted_at')} AS submitted_at, ${newest('synced_at')} AS written_at
      FROM formwire_forms AS f CROSS JOIN ${VERSION_TABLE} AS v WHERE f.deleted_at IS NULL ORDER BY f.id`,
  )
  return rows.map((row) => ({
    workspace_id: String(row.workspace_id),
    form_id: String(row.form_id),
    rows: Number(row.number),
    lag_seconds: secondsBetween(row.submitted_at, row.written_at),
  }))
}

function secondsBetween(from: unknown, to: unknown): number | null {
  const ms = Date.parse(String(to)) - Date.parse(String(from))
  return Number.isNaN(ms) ? null : Math.max(0, ms / 1000)
}
