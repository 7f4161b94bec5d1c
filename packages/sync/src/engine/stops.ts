import { globalClock } from '@formwire/internal/clock'
import { quoteName } from '../database/dialect.ts'
import type { Session, SyncStore } from '../database/driver.ts'
import { QUEUE_SCHEMA } from './queue-status.ts'

/** A workspace of a fleet, whichever worker works for it. */
export interface FleetWorkspaceStatus {
  /** Name in the configuration. */
  name: string
  /** Code of the error that stopped the work for it; null while it is read. */
  error: string | null
  /** When that was, in ISO 8601. */
  error_at: string | null
}

const tableOf = (schema: string): string => `${quoteName(schema)}.formwire_fleet`
/** The schema of the queue is in each statement. */
const OF_QUEUE = { isQualified: true }
const FOUND = 'SELECT FROM to_regclass(?) AS found WHERE found IS NOT NULL'

/**
 * Records beside the queue what stopped the work for a workspace, for all processes, as far as the database and its rights allow.
 *
 * @param error its code, or null if the workspace is read
 */
export async function recordStop<Transaction>(
  store: SyncStore<Transaction>,
  { schema, name, error }: { schema: string; name: string; error: string | null },
): Promise<void> {
  const table = tableOf(schema)
  // A transaction may still see what its connection has cached from before it waited, so this does not look first.
  const create = ({ query }: Pick<Session, 'query'>): Promise<unknown> =>
    query(`CREATE TABLE IF NOT EXISTS ${table} (name text PRIMARY KEY, error text, error_at text)`)
  const upsert = `INSERT INTO ${table} AS t VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET error = excluded.error, error_at = excluded.error_at
    WHERE t.error IS DISTINCT FROM excluded.error`
  const values = [name, error, error && new Date(globalClock.now()).toISOString()]
  try {
    if ((await store.read(FOUND, [table], OF_QUEUE)).length === 0) await store.transaction('fleet', create)
    await store.transaction(`fleet ${name}`, (session) => session.query(upsert, values))
  } catch {
    // It is reported anyway, and so is an outage of the database.
  }
}

/** Forgets the workspaces that are no longer in the configuration, so that sync status shows them no more. */
export async function forgetStops<Transaction>(
  store: SyncStore<Transaction>,
  { schema, except }: { schema: string; except: readonly string[] },
): Promise<void> {
  const table = tableOf(schema)
  const others = `DELETE FROM ${table} WHERE name NOT IN (SELECT json_array_elements_text(?))`
  const forget = store.transaction('fleet', async (session) => {
    if ((await session.query(FOUND, [table])).length > 0)
      await session.query(others, [JSON.stringify(except)])
  })
  await forget.catch(() => undefined)
}

/** Returns what stopped the work for each workspace of a fleet; nothing if the database has none. @throws StoreError */
export async function readStops(
  store: Pick<SyncStore, 'read' | 'dialect'>,
  schema = QUEUE_SCHEMA,
): Promise<FleetWorkspaceStatus[]> {
  const table = tableOf(schema)
  if (store.dialect.name !== 'postgres' || (await store.read(FOUND, [table], OF_QUEUE)).length === 0)
    return []
  // Those who may read the queue may lack the right to read this table, which later versions added.
  return (await store
    .read(`SELECT name, error, error_at FROM ${table} ORDER BY name`, [], OF_QUEUE)
    .catch(() => [])) as never
}
