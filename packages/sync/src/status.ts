import type { SyncStore } from './database/driver.ts'
import { type QueueStatus, readQueueStatus } from './engine/queue-status.ts'
import { StoreError } from './errors.ts'
import { SORT_KEY_SQL } from './rows/row.ts'

/** How far the table of a form is. */
export interface FormStatus {
  id: string
  /** Rows of responses that exist. */
  rows: number
  /** Seconds from the submission of the newest response until its row was written, or null without one. */
  lag_seconds: number | null
  /** When the form was last read completely, or null if it never was, or before this was recorded. */
  last_synced_at: string | null
  /** Code of the last failure, or null if the last reading succeeded. */
  last_error: string | null
}

/** The state of a database. */
export interface SyncStatus {
  forms: FormStatus[]
  /** The queue of a fleet; without members if the database has none. */
  queue: QueueStatus | Record<string, never>
}

/**
 * Returns the state of a database, without writing to it.
 *
 * @param options.queueSchema schema of the queue. @default 'formwire_queue'
 * @example const { forms } = await readSyncStatus(sqliteStore('responses.db'))
 * @throws StoreError
 */
export async function readSyncStatus<Transaction>(
  store: SyncStore<Transaction>,
  options: { queueSchema?: string | undefined } = {},
): Promise<SyncStatus> {
  await store.open()
  return {
    forms: await readForms(store),
    queue: (await readQueueStatus(store, options.queueSchema)) ?? {},
  }
}

async function readForms(store: Pick<SyncStore, 'read' | 'dialect'>): Promise<FormStatus[]> {
  const columns = await store.read(store.dialect.listColumns, ['formwire_sync_state'])
  if (columns.length === 0)
    throw new StoreError(
      'The database has no tables of @formwire/sync. Run a synchronization first.',
      'refused',
    )
  const known = (name: string): string =>
    columns.some((column) => column.name === name) ? `s.${name}` : 'NULL'
  const ofForm = `FROM formwire_responses AS r
    WHERE r.form_id = f.id AND r.deleted_at IS NULL AND r.status <> 'in_progress'`
  const newest = (column: string): string =>
    `(SELECT r.${column} ${ofForm} ORDER BY ${SORT_KEY_SQL} DESC LIMIT 1)`
  const rows = await store.read(
    `SELECT f.id, (SELECT count(*) ${ofForm}) AS number, ${newest('submitted_at')} AS submitted_at,
      ${newest('synced_at')} AS written_at, ${known('synced_at')} AS synced_at, ${known('error')} AS error
      FROM formwire_forms AS f LEFT JOIN formwire_sync_state AS s ON s.form_id = f.id
      WHERE f.deleted_at IS NULL ORDER BY f.id`,
  )
  return rows.map(({ id, number, submitted_at, written_at, synced_at, error }) => ({
    id: String(id),
    rows: Number(number),
    lag_seconds: secondsBetween(submitted_at, written_at),
    last_synced_at: textOf(synced_at),
    last_error: textOf(error),
  }))
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function secondsBetween(from: unknown, to: unknown): number | null {
  const ms = Date.parse(String(to)) - Date.parse(String(from))
  return Number.isNaN(ms) ? null : Math.max(0, Math.round(ms / 1000))
}
