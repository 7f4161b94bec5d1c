import type { Dialect } from '../database/dialect.ts'
import type { Session, SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { Once } from '../once.ts'
import { RESPONSE_COLUMNS, SORT_KEY_SQL } from '../rows/row.ts'

/** Tables of this package and the columns that must be there. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  formwire_responses: [...RESPONSE_COLUMNS, 'synced_at', 'deleted_at'],
  formwire_forms: [
    'id',
    'title',
    'status',
    'slug',
    'url',
    'published',
    'response_count',
    'response_limit',
    'opens_at',
    'closes_at',
    'created_at',
    'updated_at',
    'synced_at',
    'deleted_at',
  ],
  formwire_sync_state: ['form_id', 'checkpoint', 'full_at'],
  formwire_sync_settled: ['form_id', 'id'],
  formwire_sync_views: ['form_id', 'name'],
  formwire_sync_questions: ['form_id', 'position', 'question_id', 'name', 'kind'],
  formwire_sync_drift: ['form_id', 'form_state', 'questions'],
}

/** One row: the version of the tables, and the workspace that they belong to. */
export const VERSION_TABLE = 'formwire_sync_version'

/** Statements of each version. Only ever appended to. */
const MIGRATIONS: readonly ((dialect: Dialect) => readonly string[])[] = [
  ({ types: { text, integer, number, json, boolean } }) => [
    `CREATE TABLE formwire_responses (
      form_id ${text} NOT NULL, id ${integer} NOT NULL, status ${text} NOT NULL, started_at ${text}, submitted_at ${text},
      duration_sec ${integer}, email ${text}, score ${number}, max_score ${number}, answers ${json}, meta ${json},
      synced_at ${text} NOT NULL, deleted_at ${text}, PRIMARY KEY (form_id, id))`,
    // Counts and pages of live submitted responses, in the order of the service.
    `CREATE INDEX formwire_responses_order ON formwire_responses (form_id, (${SORT_KEY_SQL}))
      WHERE deleted_at IS NULL AND status <> 'in_progress'`,
    `CREATE INDEX formwire_responses_drafts ON formwire_responses (form_id)
      WHERE deleted_at IS NULL AND status = 'in_progress'`,
    `CREATE TABLE formwire_forms (
      id ${text} NOT NULL PRIMARY KEY, title ${text}, status ${text}, slug ${text}, url ${text}, published ${boolean},
      response_count ${integer}, response_limit ${integer}, opens_at ${text}, closes_at ${text}, created_at ${text},
      updated_at ${text}, synced_at ${text} NOT NULL, deleted_at ${text})`,
    // The position of each form: everything up to the checkpoint is in the table.
    `CREATE TABLE formwire_sync_state (form_id ${text} NOT NULL PRIMARY KEY, checkpoint ${text}, full_at ${text})`,
    // Rows that came by webhook, without the fields that deliveries do not have.
    `CREATE TABLE formwire_sync_pending (form_id ${text} NOT NULL, id ${integer} NOT NULL, PRIMARY KEY (form_id, id))`,
    `CREATE TABLE formwire_sync_views (form_id ${text} NOT NULL PRIMARY KEY, name ${text} NOT NULL)`,
    `CREATE TABLE formwire_sync_questions (
      form_id ${text} NOT NULL, position ${integer} NOT NULL, question_id ${text} NOT NULL, name ${text} NOT NULL,
      kind ${text} NOT NULL, PRIMARY KEY (form_id, question_id))`,
  ],
  // Rows that came by webhook have no started_at. An index of these costs a webhook less than a row in a table beside.
  ({ types: { text, integer } }) => [
    `UPDATE formwire_responses SET started_at = NULL WHERE EXISTS (SELECT 1 FROM formwire_sync_pending AS p
      WHERE p.form_id = formwire_responses.form_id AND p.id = formwire_responses.id)`,
    'DROP TABLE formwire_sync_pending',
    `CREATE INDEX formwire_responses_pending ON formwire_responses (form_id, id)
      WHERE started_at IS NULL AND deleted_at IS NULL AND status <> 'in_progress'`,
    // Rows without a started_at that cannot be completed: the service does not have them any more.
    `CREATE TABLE formwire_sync_settled (form_id ${text} NOT NULL, id ${integer} NOT NULL, PRIMARY KEY (form_id, id))`,
  ],
  ({ types: { text } }) => [`ALTER TABLE ${VERSION_TABLE} ADD COLUMN workspace_id ${text}`],
  // Views of earlier versions have texts where the database has a type for dates.
  ({ types: { boolean } }) => [`ALTER TABLE formwire_sync_views ADD COLUMN typed ${boolean}`],
  ({ types: { text } }) =>
    ['slice', 'seen', 'synced_at', 'error', 'error_at'].map(
      (name) => `ALTER TABLE formwire_sync_state ADD COLUMN ${name} ${text}`,
    ),
  // What forms and questions were when drift was last looked for.
  ({ types: { text } }) => [
    `CREATE TABLE IF NOT EXISTS formwire_sync_drift (form_id ${text} NOT NULL PRIMARY KEY, form_state ${text}, questions ${text})`,
  ],
]

/** Tables that earlier versions lack, by the version that creates them. */
const ADDED: Readonly<Record<string, number>> = { formwire_sync_settled: 2, formwire_sync_drift: 6 }

/** Setup of the stores in use; any number of synchronizations may share a store. */
const preparations = new WeakMap<object, Once>()

/**
 * Opens the store and creates or upgrades its tables, once per store.
 *
 * @throws StoreError if they are not ours, damaged or too new
 */
export function prepareStore<Transaction>(store: SyncStore<Transaction>): Promise<void> {
  const known = preparations.get(store)
  const preparation =
    known ??
    new Once(async () => {
      await store.open()
      await store.transaction('migrations', (session) => migrate(session, store.dialect))
    })
  preparations.set(store, preparation)
  return preparation.run()
}

async function migrate(session: Session, dialect: Dialect): Promise<void> {
  const exists = async (name: string): Promise<boolean> =>
    (await session.query(dialect.findRelation, [name])).length > 0
  const ours = await exists(VERSION_TABLE)
  const version = ours ? await readVersion(session, dialect) : 0
  if (version > MIGRATIONS.length) {
    throw new StoreError(
      `The database has tables of version ${version}; this package supports up to ${MIGRATIONS.length}. Update @formwire/sync.`,
      'newer_version',
    )
  }
  if (version > 0) await checkTables(session, dialect, version)
  else {
    for (const name of Object.keys(TABLES)) if (await exists(name)) throw foreign(name)
    await session.query(`CREATE TABLE ${VERSION_TABLE} (version ${dialect.types.integer} NOT NULL)`)
    await session.query(`INSERT INTO ${VERSION_TABLE} (version) VALUES (0)`)
  }
  if (version === MIGRATIONS.length) return
  for (const statements of MIGRATIONS.slice(version)) {
    for (const statement of statements(dialect)) await session.query(statement)
  }
  await session.query(`UPDATE ${VERSION_TABLE} SET version = ?`, [MIGRATIONS.length])
}

async function readVersion(session: Session, dialect: Dialect): Promise<number> {
  const columns = await session.query(dialect.listColumns, [VERSION_TABLE])
  if (!columns.some(({ name }) => name === 'version')) throw foreign(VERSION_TABLE)
  const version = Number((await session.query(`SELECT version FROM ${VERSION_TABLE}`))[0]?.version)
  if (!Number.isInteger(version) || version < 1) throw broken(VERSION_TABLE)
  return version
}

async function checkTables(session: Session, dialect: Dialect, version: number): Promise<void> {
  for (const [table, expected] of Object.entries(TABLES)) {
    if ((ADDED[table] ?? 0) > version) continue
    const columns = new Set((await session.query(dialect.listColumns, [table])).map(({ name }) => name))
    if (!expected.every((column) => columns.has(column))) throw broken(table)
  }
}

function foreign(table: string): StoreError {
  return new StoreError(
    `The database has a table "${table}" that @formwire/sync did not create; it was left as it was. Use another database or schema, or rename that table.`,
    'foreign_table',
  )
}

function broken(table: string): StoreError {
  return new StoreError(
    `The table "${table}" is missing or incomplete; the database was left as it was. Restore a backup, or drop all tables formwire_* to start over.`,
    'damaged',
  )
}
