import type { SyncStore } from './database/driver.ts'
import { type QueueStatus, readQueueStatus } from './engine/queue-status.ts'
import { type FleetWorkspaceStatus, readStops } from './engine/stops.ts'
import { SORT_KEY_SQL } from './rows/row.ts'
import { hasTables, namesOf, requireTables } from './store/schema.ts'
import { SUBMITTED } from './store/statements.ts'

/** How far the table is with a form. */
export interface FormStatus {
  id: string
  workspace_id: string
  /** Live submitted rows. */
  rows: number
  /** Seconds between the submission of the newest response and the last write of its row; null without rows. */
  lag_seconds: number | null
  /** When the form was last read completely, in ISO 8601. */
  last_synced_at: string | null
  /** Code of the error with which the last attempt to read the form failed; null after a success. */
  last_error: string | null
}

/** The state of a database. */
export interface DatabaseStatus {
  /** Forms that exist, in the order of workspaces and forms. */
  forms: FormStatus[]
  /** The queue of a fleet; without members if the database has none. */
  queue: QueueStatus | Record<string, never>
  /** The workspaces of the fleet, by name; empty if the database has none. */
  workspaces: FleetWorkspaceStatus[]
}

/**
 * Returns the state of a database, without writing to it.
 *
 * @param options.queueSchema schema of the queue. @default 'formwire_queue'
 * @example const { forms } = await readSyncStatus(sqliteStore('responses.db'))
 * @throws StoreError if the database cannot be read, has no tables yet, or has tables of another version
 */
export async function readSyncStatus<Transaction>(
  store: SyncStore<Transaction>,
  options: { queueSchema?: string | undefined } = {},
): Promise<DatabaseStatus> {
  await store.open()
  const workspaces = await readStops(store, options.queueSchema)
  // A workspace whose work has never begun has no tables, but a reason.
  const isStopped = !(await hasTables(store)) && workspaces.some(({ error }) => error !== null)
  return {
    forms: isStopped ? [] : await readForms(store),
    queue: (await readQueueStatus(store, options.queueSchema)) ?? {},
    workspaces,
  }
}

async function readForms(store: SyncStore): Promise<FormStatus[]> {
  await requireTables(store)
  const { responses, forms, state, views } = namesOf(store.dialect)
  const ofForm = `r.form_id = f.form_id AND r.workspace_id = f.workspace_id AND ${SUBMITTED}`
  const newest = (column: string): string =>
    `(SELECT r.${column} FROM ${responses} AS r WHERE ${ofForm} ORDER BY ${SORT_KEY_SQL} DESC LIMIT 1)`
  // A form that only came by webhook so far has a view.
  const sql = `SELECT f.workspace_id AS workspace_id, f.form_id AS form_id, s.synced_at AS last_synced_at, s.error AS last_error,
        (SELECT count(*) FROM ${responses} AS r WHERE ${ofForm}) AS number,
        ${newest('submitted_at')} AS submitted_at, ${newest('synced_at')} AS written_at
      FROM (SELECT workspace_id, id AS form_id FROM ${forms} WHERE deleted_at IS NULL
        UNION SELECT v.workspace_id, v.form_id FROM ${views} AS v
          WHERE NOT EXISTS (SELECT 1 FROM ${forms} AS o WHERE o.id = v.form_id AND o.workspace_id = v.workspace_id)) AS f
      LEFT JOIN ${state} AS s ON s.form_id = f.form_id AND s.workspace_id = f.workspace_id
      ORDER BY f.workspace_id, f.form_id`
  const rows = await store.read(sql, [], { isQualified: true })
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return rows.map((row) => ({
    id: String(row.form_id),
    workspace_id: String(row.workspace_id),
    rows: Number(row.number),
    lag_seconds: secondsBetween(row.submitted_at, row.written_at),
    last_synced_at: textOf(row.last_synced_at),
    last_error: textOf(row.last_error),
  }))
}

function secondsBetween(from: unknown, to: unknown): number | null {
  const ms = Date.parse(String(to)) - Date.parse(String(from))
  return Number.isNaN(ms) ? null : Math.max(0, ms / 1000)
}
