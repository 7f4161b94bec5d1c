import { type Dialect, quoteName } from '../database/dialect.ts'
import type { Session } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { SORT_KEY_SQL } from '../rows/row.ts'
import { SUBMITTED } from './statements.ts'
import { Views } from './views.ts'

/** The columns of the key of each table, to which `workspace_id` is added. */
const KEYS = {
  formwire_responses: ['form_id', 'id'],
  formwire_forms: ['id'],
  formwire_sync_state: ['form_id'],
  formwire_sync_settled: ['form_id', 'id'],
  formwire_sync_views: ['form_id'],
  formwire_sync_questions: ['form_id', 'question_id'],
}

/** Columns of `formwire_sync_state` that are added. */
export const STATE_COLUMNS = ['slice', 'seen', 'synced_at', 'error', 'error_at']

/**
 * Makes the workspace part of every key and index. It comes last in keys, after the form, so that a query that knows nothing of workspaces
 * still finds its rows by an index. Statements of earlier versions fail from then on, and change nothing.
 */
export async function addWorkspaces(session: Session, dialect: Dialect, workspaceId: string): Promise<void> {
  const { qualified, types } = dialect
  for (const table of Object.keys(KEYS)) await checkReferences(session, dialect, table)
  // A process of an earlier version reads the position of a form before it writes one: it fails, since it does not find it.
  const renamed = { checkpoint: 'poll_state' }
  const restored: string[] = []
  if (dialect.name === 'postgres') {
    for (const index of ['order', 'drafts', 'pending'])
      await session.query(`DROP INDEX ${qualified(`formwire_responses_${index}`)}`)
    for (const [table, key] of Object.entries(KEYS))
      await addKey(session, dialect, table, [...key, 'workspace_id'], workspaceId)
    for (const [before, after] of Object.entries(renamed))
      await session.query(
        `ALTER TABLE ${qualified('formwire_sync_state')} RENAME COLUMN ${before} TO ${after}`,
      )
  } else {
    for (const [table, key] of Object.entries(KEYS))
      restored.push(...(await rebuild(session, table, [...key, 'workspace_id'], workspaceId, renamed)))
  }
  for (const statement of [
    ...STATE_COLUMNS.map(
      (name) => `ALTER TABLE ${qualified('formwire_sync_state')} ADD COLUMN ${name} ${types.text}`,
    ),
    `ALTER TABLE ${qualified('formwire_sync_views')} ADD COLUMN by_workspace ${types.boolean}`,
    // What forms and questions were when drift was last looked for.
    `CREATE TABLE ${qualified('formwire_sync_drift')} (form_id ${types.text} NOT NULL, workspace_id ${types.text} NOT NULL,
      form_state ${types.text}, questions ${types.text}, PRIMARY KEY (form_id, workspace_id))`,
    ...indexes(dialect),
    ...restored,
  ])
    await session.query(statement)
  await new Views(dialect, workspaceId).narrowAll(session)
}

/** Statements that create the indexes. */
function indexes(dialect: Dialect): string[] {
  const table = dialect.qualified('formwire_responses')
  const instant = dialect.timestamp('submitted_at')
  return [
    // Counts and pages of live submitted responses, in the order of the service.
    `CREATE INDEX formwire_responses_order ON ${table} (form_id, (${SORT_KEY_SQL}), workspace_id) WHERE ${SUBMITTED}`,
    `CREATE INDEX formwire_responses_drafts ON ${table} (form_id, workspace_id) WHERE deleted_at IS NULL AND status = 'in_progress'`,
    `CREATE INDEX formwire_responses_pending ON ${table} (form_id, id, workspace_id) WHERE started_at IS NULL AND ${SUBMITTED}`,
    // The newest rows of a form, for programs that read the table and, where it shows the same column, the view.
    `CREATE INDEX formwire_responses_submitted ON ${table} (form_id, submitted_at, workspace_id)`,
    ...(instant === 'submitted_at'
      ? []
      : [
          `CREATE INDEX formwire_responses_instant ON ${table} (form_id, workspace_id, (${instant})) WHERE status = 'submitted' AND deleted_at IS NULL`,
        ]),
  ]
}

/** @throws StoreError if a foreign key of another table needs the present key */
async function checkReferences(session: Session, dialect: Dialect, table: string): Promise<void> {
  const [reference] = await session.query(dialect.findReferences, [table])
  if (reference)
    throw new StoreError(
      `The table "${String(reference.name)}" has a foreign key to ${table}, whose key changes in this version; the database was left as it was. Drop that foreign key, then start again.`,
      'foreign_table',
    )
}

/** Adds the workspace to a table of PostgreSQL, without copying it. */
async function addKey(
  session: Session,
  { qualified, types, literal }: Dialect,
  table: string,
  key: readonly string[],
  workspaceId: string,
): Promise<void> {
  await session.query(
    `ALTER TABLE ${qualified(table)} ADD COLUMN workspace_id ${types.text} NOT NULL DEFAULT ${literal(workspaceId)},
      DROP CONSTRAINT ${table}_pkey, ADD PRIMARY KEY (${key.join(', ')})`,
  )
  await session.query(`ALTER TABLE ${qualified(table)} ALTER COLUMN workspace_id DROP DEFAULT`)
}

/** Copies a table of SQLite, whose keys cannot be changed. Returns the statements that create indexes and triggers of others again. */
async function rebuild(
  session: Session,
  table: string,
  key: readonly string[],
  workspaceId: string,
  renamed: Readonly<Record<string, string>>,
): Promise<string[]> {
  const columns = await session.query(
    'SELECT name, type, "notnull" AS required, dflt_value AS value FROM pragma_table_info(?)',
    [table],
  )
  const others = await session.query(
    `SELECT sql FROM sqlite_master WHERE tbl_name = ? AND type IN ('index', 'trigger') AND sql IS NOT NULL
      AND name NOT IN ('formwire_responses_order', 'formwire_responses_drafts', 'formwire_responses_pending')`,
    [table],
  )
  const names = columns.map(({ name }) => quoteName(String(name)))
  const after = columns.map(({ name }) => quoteName(renamed[String(name)] ?? String(name)))
  const definitions = columns.map(({ type, required, value }, index) => {
    const required_ = Number(required) === 1 ? ' NOT NULL' : ''
    return `${after[index]} ${String(type)}${required_}${value === null ? '' : ` DEFAULT ${String(value)}`}`
  })
  await session.query(
    `CREATE TABLE formwire_sync_copy (workspace_id TEXT NOT NULL, ${definitions.join(', ')}, PRIMARY KEY (${key.join(', ')}))`,
  )
  await session.query(
    `INSERT INTO formwire_sync_copy (workspace_id, ${after.join(', ')}) SELECT ?, ${names.join(', ')} FROM ${table}`,
    [workspaceId],
  )
  await session.query(`DROP TABLE ${table}`)
  // Views keep naming the table that they name now, whatever else they name.
  await session.query('PRAGMA legacy_alter_table = ON')
  try {
    await session.query(`ALTER TABLE formwire_sync_copy RENAME TO ${table}`)
  } finally {
    await session.query('PRAGMA legacy_alter_table = OFF')
  }
  return others.map(({ sql }) => String(sql))
}
