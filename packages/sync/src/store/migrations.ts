import type { Dialect } from '../database/dialect.ts'
import type { Session, SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { Once } from '../once.ts'
import { RESPONSE_COLUMNS, SORT_KEY_SQL } from '../rows/row.ts'
import { addWorkspaces, STATE_COLUMNS } from './by-workspace.ts'
import { namesOf } from './names.ts'

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
  formwire_sync_state: ['form_id', 'full_at'],
  formwire_sync_settled: ['form_id', 'id'],
  formwire_sync_views: ['form_id', 'name'],
  formwire_sync_questions: ['form_id', 'position', 'question_id', 'name', 'kind'],
  formwire_sync_drift: ['form_id', 'form_state', 'questions'],
  formwire_sync_workspaces: ['workspace_id', 'service'],
}

/** The version whose tables have a workspace in each row. */
export const WITH_WORKSPACES = 5

/** The version of this package, whose tables note the service of each workspace. */
const VERSION = 6

/** One row: the version of the tables, and the workspace that those of version 3 and 4 belong to. */
export const VERSION_TABLE = 'formwire_sync_version'

/** Statements of the versions before {@link WITH_WORKSPACES}. */
const MIGRATIONS: readonly ((dialect: Dialect) => readonly string[])[] = [
  ({ qualified, types: { text, integer, number, json, boolean } }) => [
    `CREATE TABLE ${qualified('formwire_responses')} (
      form_id ${text} NOT NULL, id ${integer} NOT NULL, status ${text} NOT NULL, started_at ${text}, submitted_at ${text},
      duration_sec ${integer}, email ${text}, score ${number}, max_score ${number}, answers ${json}, meta ${json},
      synced_at ${text} NOT NULL, deleted_at ${text}, PRIMARY KEY (form_id, id))`,
    // Counts and pages of live submitted responses, in the order of the service.
    `CREATE INDEX formwire_responses_order ON ${qualified('formwire_responses')} (form_id, (${SORT_KEY_SQL}))
      WHERE deleted_at IS NULL AND status <> 'in_progress'`,
    `CREATE INDEX formwire_responses_drafts ON ${qualified('formwire_responses')} (form_id)
      WHERE deleted_at IS NULL AND status = 'in_progress'`,
    `CREATE TABLE ${qualified('formwire_forms')} (
      id ${text} NOT NULL PRIMARY KEY, title ${text}, status ${text}, slug ${text}, url ${text}, published ${boolean},
      response_count ${integer}, response_limit ${integer}, opens_at ${text}, closes_at ${text}, created_at ${text},
      updated_at ${text}, synced_at ${text} NOT NULL, deleted_at ${text})`,
    // The position of each form: everything up to the checkpoint is in the table.
    `CREATE TABLE ${qualified('formwire_sync_state')} (form_id ${text} NOT NULL PRIMARY KEY, checkpoint ${text}, full_at ${text})`,
    // Rows that came by webhook, without the fields that deliveries do not have.
    `CREATE TABLE ${qualified('formwire_sync_pending')} (form_id ${text} NOT NULL, id ${integer} NOT NULL, PRIMARY KEY (form_id, id))`,
    `CREATE TABLE ${qualified('formwire_sync_views')} (form_id ${text} NOT NULL PRIMARY KEY, name ${text} NOT NULL)`,
    `CREATE TABLE ${qualified('formwire_sync_questions')} (
      form_id ${text} NOT NULL, position ${integer} NOT NULL, question_id ${text} NOT NULL, name ${text} NOT NULL,
      kind ${text} NOT NULL, PRIMARY KEY (form_id, question_id))`,
  ],
  // Rows that came by webhook have no started_at. An index of these costs a webhook less than a row in a table beside.
  ({ qualified, types: { text, integer } }) => [
    `UPDATE ${qualified('formwire_responses')} SET started_at = NULL WHERE EXISTS (SELECT 1 FROM ${qualified('formwire_sync_pending')} AS p
      WHERE p.form_id = formwire_responses.form_id AND p.id = formwire_responses.id)`,
    `DROP TABLE ${qualified('formwire_sync_pending')}`,
    `CREATE INDEX formwire_responses_pending ON ${qualified('formwire_responses')} (form_id, id)
      WHERE started_at IS NULL AND deleted_at IS NULL AND status <> 'in_progress'`,
    // Rows without a started_at that cannot be completed: the service does not have them any more.
    `CREATE TABLE ${qualified('formwire_sync_settled')} (form_id ${text} NOT NULL, id ${integer} NOT NULL, PRIMARY KEY (form_id, id))`,
  ],
  ({ qualified, types: { text } }) => [
    `ALTER TABLE ${qualified(VERSION_TABLE)} ADD COLUMN workspace_id ${text}`,
  ],
  // Views of earlier versions have texts where the database has a type for dates.
  ({ qualified, types: { boolean } }) => [
    `ALTER TABLE ${qualified('formwire_sync_views')} ADD COLUMN typed ${boolean}`,
  ],
]

/** Tables that earlier versions lack, by the version that creates them. */
const ADDED: Readonly<Record<string, number>> = {
  formwire_sync_settled: 2,
  formwire_sync_drift: WITH_WORKSPACES,
  formwire_sync_workspaces: VERSION,
}

/** Setup of the stores in use; any number of synchronizations may share a store. */
const preparations = new WeakMap<object, Once>()

/** Stores whose tables were prepared or checked: nothing opens one only to explain an error. */
const prepared = new WeakSet<object>()

/**
 * Opens the store and creates or upgrades its tables, once per store. Tables of an earlier version that hold rows without noting their
 * workspace stay at the version before {@link WITH_WORKSPACES}, until {@link adoptTables}.
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
      prepared.add(store)
    })
  preparations.set(store, preparation)
  return preparation.run()
}

/** Upgrades tables whose rows do not note their workspace. If another process was first, its workspace stays. */
export function adoptTables<Transaction>(store: SyncStore<Transaction>, workspaceId: string): Promise<void> {
  return store.transaction('migrations', (session) => migrate(session, store.dialect, workspaceId))
}

/** Returns the version of tables that {@link prepareStore} has prepared. */
export async function versionOf(store: Pick<SyncStore, 'read' | 'dialect'>): Promise<number> {
  const sql = `SELECT version FROM ${namesOf(store.dialect).version}`
  return Number((await store.read(sql, [], { isQualified: true }))[0]?.version)
}

/**
 * Checks that a store that is open has the tables of this version, without writing.
 *
 * @throws StoreError `refused` without tables, or for those of an earlier version; `newer_version`
 */
export async function requireTables(store: Pick<SyncStore, 'read' | 'dialect'>): Promise<void> {
  const found = await store.read(store.dialect.findRelation, [VERSION_TABLE], { isQualified: true })
  if (found.length === 0)
    throw new StoreError(
      'The database has no tables of @formwire/sync. Run a synchronization first.',
      'refused',
    )
  const version = await versionOf(store)
  if (version > VERSION) throw newer(version)
  if (version < VERSION)
    throw new StoreError(
      `The database has tables of version ${version}, which the next synchronization upgrades. Run a synchronization first.`,
      'refused',
    )
  prepared.add(store)
}

/** Returns an error, or what explains it: a newer version of the package has upgraded the tables meanwhile. */
export async function explained(
  store: Pick<SyncStore, 'read' | 'dialect'>,
  error: unknown,
): Promise<unknown> {
  if (error instanceof StoreError || !prepared.has(store)) return error
  const version = await versionOf(store).catch(() => 0)
  return version > VERSION ? newer(version, error) : error
}

async function migrate(session: Session, dialect: Dialect, workspaceId?: string): Promise<void> {
  const exists = async (name: string): Promise<boolean> =>
    (await session.query(dialect.findRelation, [name])).length > 0
  const { version: table } = namesOf(dialect)
  const ours = await exists(VERSION_TABLE)
  const version = ours ? await readVersion(session, dialect) : 0
  if (version > VERSION) throw newer(version)
  if (version > 0) await checkTables(session, dialect, version)
  else {
    for (const name of Object.keys(TABLES)) if (await exists(name)) throw foreign(name)
    await session.query(`CREATE TABLE ${table} (version ${dialect.types.integer} NOT NULL)`)
    await session.query(`INSERT INTO ${table} (version) VALUES (0)`)
  }
  if (version === VERSION) return
  for (const statements of MIGRATIONS.slice(version)) {
    for (const statement of statements(dialect)) await session.query(statement)
  }
  let reached = VERSION
  if (version < WITH_WORKSPACES) {
    const owner = (await readOwner(session, dialect)) ?? workspaceId
    if (owner === undefined) reached = MIGRATIONS.length
    else await addWorkspaces(session, dialect, owner)
  }
  // The service that the rows of each workspace come from: another one may have a workspace of the same id.
  if (reached === VERSION)
    await session.query(
      `CREATE TABLE ${namesOf(dialect).workspaces} (workspace_id ${dialect.types.text} NOT NULL PRIMARY KEY, service ${dialect.types.text} NOT NULL)`,
    )
  if (reached > version) await session.query(`UPDATE ${table} SET version = ?`, [reached])
}

/** Returns the workspace that the rows belong to, if it is known; any does without rows. */
async function readOwner(session: Session, dialect: Dialect): Promise<string | undefined> {
  const { version, responses, forms, views } = namesOf(dialect)
  const [row] = await session.query(`SELECT workspace_id FROM ${version}`)
  if (typeof row?.workspace_id === 'string') return row.workspace_id
  for (const table of [responses, forms, views])
    if ((await session.query(`SELECT 1 AS found FROM ${table} LIMIT 1`)).length > 0) return undefined
  return ''
}

async function readVersion(session: Session, dialect: Dialect): Promise<number> {
  const columns = await session.query(dialect.listColumns, [VERSION_TABLE])
  if (!columns.some(({ name }) => name === 'version')) throw foreign(VERSION_TABLE)
  const [row] = await session.query(`SELECT version FROM ${namesOf(dialect).version}`)
  const version = Number(row?.version)
  if (!Number.isInteger(version) || version < 1) throw broken(VERSION_TABLE)
  return version
}

async function checkTables(session: Session, dialect: Dialect, version: number): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES)) {
    if ((ADDED[table] ?? 0) > version) continue
    const found = new Set((await session.query(dialect.listColumns, [table])).map(({ name }) => name))
    const expected = [...columns]
    if (version >= WITH_WORKSPACES) expected.push('workspace_id')
    if (table === 'formwire_sync_state')
      expected.push(...(version >= WITH_WORKSPACES ? ['poll_state', ...STATE_COLUMNS] : ['checkpoint']))
    if (!expected.every((column) => found.has(column))) throw broken(table)
  }
}

/** The error of tables that a newer version of the package has written. */
function newer(version: number, cause?: unknown): StoreError {
  return new StoreError(
    `The database has tables of version ${version}; this package supports up to ${VERSION}. Update @formwire/sync.`,
    'newer_version',
    { cause },
  )
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
