import type { Dialect } from '../database/dialect.ts'
import { failedBy, LOCK_WAIT_MS, type Session, type SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { Once } from '../once.ts'
import { SORT_KEY_SQL } from '../rows/row.ts'
import { namesOf } from './names.ts'
import { SUBMITTED } from './statements.ts'

/** The version of the tables. Those of any other version are left alone. */
const VERSION = 8

/** One row: the version of the tables. */
export const VERSION_TABLE = 'formwire_sync_version'

/** Returns the tables of this package, with the types of their columns. */
function tablesOf({ text, integer, number, json, boolean }: Dialect['types']) {
  const requiredText = `${text} NOT NULL`
  const requiredInteger = `${integer} NOT NULL`
  const ofForm = { workspace_id: requiredText, form_id: requiredText }
  return {
    formwire_responses: {
      ...ofForm,
      id: requiredInteger,
      status: requiredText,
      started_at: text,
      submitted_at: text,
      duration_sec: integer,
      email: text,
      score: number,
      max_score: number,
      answers: json,
      meta: json,
      synced_at: requiredText,
      deleted_at: text,
    },
    formwire_forms: {
      workspace_id: requiredText,
      id: requiredText,
      title: text,
      status: text,
      slug: text,
      url: text,
      published: boolean,
      response_count: integer,
      response_limit: integer,
      opens_at: text,
      closes_at: text,
      created_at: text,
      updated_at: text,
      synced_at: requiredText,
      deleted_at: text,
    },
    // The position of each form: everything up to `poll_state` is in the table.
    formwire_sync_state: {
      ...ofForm,
      poll_state: text,
      full_at: text,
      slice: text,
      seen: text,
      synced_at: text,
      error: text,
      error_at: text,
    },
    // Rows without a started_at that cannot be completed: the service does not have them any more.
    formwire_sync_settled: { ...ofForm, id: requiredInteger },
    formwire_sync_views: { ...ofForm, name: requiredText },
    // The columns of the views: one for each kind of answers that a question has had.
    formwire_sync_questions: {
      ...ofForm,
      position: requiredInteger,
      question_id: requiredText,
      kind: requiredText,
      name: requiredText,
    },
    // The service that the rows of each workspace come from: another one may have a workspace of the same id.
    formwire_sync_workspaces: { workspace_id: requiredText, service: requiredText },
  }
}

type Table = keyof ReturnType<typeof tablesOf>

/**
 * The columns of the keys. The workspace comes last, after the form, so that a query that knows nothing of workspaces still finds its rows
 * by an index.
 */
const KEYS: Readonly<Record<Table, string>> = {
  formwire_responses: 'form_id, id, workspace_id',
  formwire_forms: 'id, workspace_id',
  formwire_sync_state: 'form_id, workspace_id',
  formwire_sync_settled: 'form_id, id, workspace_id',
  formwire_sync_views: 'form_id, workspace_id',
  formwire_sync_questions: 'form_id, question_id, kind, workspace_id',
  formwire_sync_workspaces: 'workspace_id',
}

/** What is known of the tables of a store, for all that use it. */
interface TablesState {
  preparation: Once
  /** Whether they were prepared or checked: nothing opens a store only to explain an error. */
  isChecked: boolean
}

function stateOf<Transaction>(store: SyncStore<Transaction>): TablesState {
  const prepare = (session: Session): Promise<void> => prepareTables(session, store.dialect)
  return store.shared.of('tables', () => {
    const preparation = new Once(async () => {
      await store.open()
      await store.transaction('tables', prepare, { waitMs: LOCK_WAIT_MS })
      state.isChecked = true
    })
    const state: TablesState = { preparation, isChecked: false }
    return state
  })
}

/**
 * Opens the store, and creates its tables or checks them, once per store.
 *
 * @throws StoreError if they are not ours, damaged, or of another version
 */
export const prepareStore = <Transaction>(store: SyncStore<Transaction>): Promise<void> =>
  stateOf(store).preparation.run()

async function versionOf(store: Pick<SyncStore, 'read' | 'dialect'>): Promise<number> {
  const sql = `SELECT version FROM ${namesOf(store.dialect).version}`
  return Number((await store.read(sql, [], { isQualified: true }))[0]?.version)
}

/**
 * Checks that a store that is open has the tables of this version, without writing.
 *
 * @throws StoreError `refused` without tables, or what {@link prepareStore} throws for those of another version
 */
export async function requireTables<Transaction>(store: SyncStore<Transaction>): Promise<void> {
  const found = await store.read(store.dialect.findRelation, [VERSION_TABLE], { isQualified: true })
  if (found.length === 0)
    throw new StoreError(
      'The database has no tables of @formwire/sync. Run a synchronization first.',
      'refused',
    )
  checkVersion(await versionOf(store))
  stateOf(store).isChecked = true
}

/** Returns an error, or what explains it: a newer version of the package has replaced the tables meanwhile. */
export async function explained<Transaction>(
  store: SyncStore<Transaction>,
  error: unknown,
): Promise<unknown> {
  if (error instanceof StoreError || !stateOf(store).isChecked) return error
  const version = await versionOf(store).catch(() => 0)
  return version > VERSION ? newer(version, error) : error
}

async function prepareTables(session: Session, dialect: Dialect): Promise<void> {
  const exists = async (name: string): Promise<boolean> =>
    (await session.query(dialect.findRelation, [name])).length > 0
  if (await exists(VERSION_TABLE)) return await checkTables(session, dialect)
  const tables = Object.entries(tablesOf(dialect.types))
  for (const [name] of tables) if (await exists(name)) throw foreign(name)
  const { version } = namesOf(dialect)
  await session.query(`CREATE TABLE ${version} (version ${dialect.types.integer} NOT NULL)`)
  await session.query(`INSERT INTO ${version} (version) VALUES (${VERSION})`)
  for (const [name, columns] of tables) {
    const definitions = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
    await session.query(
      `CREATE TABLE ${dialect.qualified(name)} (${definitions.join(', ')}, PRIMARY KEY (${KEYS[name as Table]}))`,
    )
  }
  for (const statement of indexes(dialect)) await session.query(statement)
}

/** Statements that create the indexes. */
function indexes(dialect: Dialect): string[] {
  const table = dialect.qualified('formwire_responses')
  const instant = dialect.timestamp('submitted_at')
  return [
    // Counts and pages of live submitted responses, in the order of the service.
    `CREATE INDEX formwire_responses_order ON ${table} (form_id, (${SORT_KEY_SQL}), workspace_id) WHERE ${SUBMITTED}`,
    `CREATE INDEX formwire_responses_drafts ON ${table} (form_id, workspace_id) WHERE deleted_at IS NULL AND status = 'in_progress'`,
    // Rows that came by webhook have no started_at. An index of these costs a webhook less than a row in a table beside.
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

async function checkTables(session: Session, dialect: Dialect): Promise<void> {
  const columnsOf = async (table: string): Promise<Set<unknown>> =>
    new Set((await session.query(dialect.listColumns, [table])).map(({ name }) => name))
  if (!(await columnsOf(VERSION_TABLE)).has('version')) throw foreign(VERSION_TABLE)
  const [row] = await session.query(`SELECT version FROM ${namesOf(dialect).version}`)
  const version = Number(row?.version)
  if (!Number.isInteger(version) || version < 1) throw broken(VERSION_TABLE)
  checkVersion(version)
  for (const [table, columns] of Object.entries(tablesOf(dialect.types))) {
    const found = await columnsOf(table)
    if (!Object.keys(columns).every((column) => found.has(column))) throw broken(table)
  }
}

/** @throws StoreError for the tables of another version */
function checkVersion(version: number): void {
  if (version > VERSION) throw newer(version)
  if (version < VERSION)
    throw new StoreError(
      `The database has tables of version ${version} of @formwire/sync, and this package uses version ${VERSION}; it was left as it was. Use another database or schema, or drop all tables and views formwire_* to start over: everything is read from the service again.`,
      'foreign_table',
    )
}

/** The error of tables that a newer version of the package has written. */
function newer(version: number, cause?: unknown): StoreError {
  const message = `The database has tables of version ${version}; this package supports up to ${VERSION}. Update @formwire/sync.`
  return failedBy(cause, 'newer_version', message)
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
