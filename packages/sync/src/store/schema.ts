import type { ColumnType, Dialect } from '../database/dialect.ts'
import { failedBy, LOCK_WAIT_MS, type Session, type SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { Once } from '../once.ts'
import { FORM_TYPES, RESPONSE_TYPES, SORT_KEY_SQL } from '../rows/row.ts'
import { SUBMITTED } from './statements.ts'

/** The version of the tables. Those of any other version are left alone. */
const VERSION = 8

const NAMES = {
  responses: 'formwire_responses',
  forms: 'formwire_forms',
  state: 'formwire_sync_state',
  settled: 'formwire_sync_settled',
  views: 'formwire_sync_views',
  questions: 'formwire_sync_questions',
  workspaces: 'formwire_sync_workspaces',
  /** One row: the version of the tables. */
  version: 'formwire_sync_version',
} as const

/** The tables of this package as statements name them. */
export type TableNames = Record<keyof typeof NAMES, string>

/** Returns the names of the tables in the schema of a store. */
export function namesOf({ qualified }: Pick<Dialect, 'qualified'>): TableNames {
  return Object.fromEntries(
    Object.entries(NAMES).map(([table, name]) => [table, qualified(name)]),
  ) as TableNames
}

type Columns = Readonly<Record<string, string>>

/**
 * Returns the tables of this package except for that of the version: name, columns of the key, and all columns. In keys, the workspace comes
 * last, after the form, so that a query that knows nothing of workspaces still finds its rows by an index.
 */
function tablesOf(types: Dialect['types']): [name: string, key: string, columns: Columns][] {
  const all = (type: string, ...names: string[]): Columns =>
    Object.fromEntries(names.map((name) => [name, type]))
  const required = (type: ColumnType, ...names: string[]) => all(`${types[type]} NOT NULL`, ...names)
  const typed = (columns: Readonly<Record<string, ColumnType>>): Columns =>
    Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, types[type]]))
  const ofWorkspace = required('text', 'workspace_id')
  const ofForm = required('text', 'workspace_id', 'form_id')
  const written = { ...required('text', 'synced_at'), ...all(types.text, 'deleted_at') }
  const stateOfForm = all(
    types.text,
    ...['poll_state', 'full_at', 'slice', 'seen', 'synced_at', 'error', 'error_at'],
  )
  const response = { ...typed(RESPONSE_TYPES), ...required('integer', 'id'), ...required('text', 'status') }
  const form = { ...ofWorkspace, ...typed(FORM_TYPES), ...required('text', 'id') }
  const question = {
    ...required('integer', 'position'),
    ...required('text', 'question_id', 'kind', 'name'),
  }
  return [
    [NAMES.responses, 'form_id, id, workspace_id', { ...ofWorkspace, ...response, ...ofForm, ...written }],
    [NAMES.forms, 'id, workspace_id', { ...form, ...written }],
    // The position of each form: everything up to `poll_state` is in the table.
    [NAMES.state, 'form_id, workspace_id', { ...ofForm, ...stateOfForm }],
    // Rows without a started_at that cannot be completed: the service does not have them any more.
    [NAMES.settled, 'form_id, id, workspace_id', { ...ofForm, ...required('integer', 'id') }],
    [NAMES.views, 'form_id, workspace_id', { ...ofForm, ...required('text', 'name') }],
    // The columns of the views: one for each kind of answers that a question has had.
    [NAMES.questions, 'form_id, question_id, kind, workspace_id', { ...ofForm, ...question }],
    // The service that the rows of each workspace come from: another one may have a workspace of the same id.
    [NAMES.workspaces, 'workspace_id', { ...ofWorkspace, ...required('text', 'service') }],
  ]
}

/** What is known of the tables of a store, for all that use it. */
interface TablesState {
  preparation: Once
  /** Whether they were prepared or checked: nothing opens a store only to explain an error. */
  isChecked: boolean
}

function stateOf(store: SyncStore): TablesState {
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
export const prepareStore = (store: SyncStore): Promise<void> => stateOf(store).preparation.run()

/** Whether a store that is open has tables of this package, of any version. */
export const hasTables = async (store: SyncStore): Promise<boolean> =>
  (await store.read(store.dialect.findRelation, [NAMES.version], { isQualified: true })).length > 0

async function versionOf(store: Pick<SyncStore, 'read' | 'dialect'>): Promise<number> {
  const sql = `SELECT version FROM ${namesOf(store.dialect).version}`
  return Number((await store.read(sql, [], { isQualified: true }))[0]?.version)
}

/**
 * Checks that a store that is open has the tables of this version, without writing.
 *
 * @throws StoreError `refused` without tables, or what {@link prepareStore} throws for those of another version
 */
export async function requireTables(store: SyncStore): Promise<void> {
  if (!(await hasTables(store)))
    throw new StoreError(
      'The database has no tables of @formwire/sync. Run a synchronization first.',
      'refused',
    )
  checkVersion(await versionOf(store))
  stateOf(store).isChecked = true
}

/** Returns an error, or what explains it: a newer version of the package has replaced the tables meanwhile. */
export async function explained(store: SyncStore, error: unknown): Promise<unknown> {
  if (error instanceof StoreError || !stateOf(store).isChecked) return error
  const version = await versionOf(store).catch(() => 0)
  return version > VERSION ? newer(version, error) : error
}

async function prepareTables(session: Session, dialect: Dialect): Promise<void> {
  const exists = async (name: string): Promise<boolean> =>
    (await session.query(dialect.findRelation, [name])).length > 0
  if (await exists(NAMES.version)) return await checkTables(session, dialect)
  const tables = tablesOf(dialect.types)
  for (const [name] of tables) if (await exists(name)) throw foreign(name)
  const { version } = namesOf(dialect)
  await session.query(`CREATE TABLE ${version} (version ${dialect.types.integer} NOT NULL)`)
  await session.query(`INSERT INTO ${version} (version) VALUES (${VERSION})`)
  for (const [name, key, columns] of tables) {
    const definitions = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
    await session.query(
      `CREATE TABLE ${dialect.qualified(name)} (${definitions.join(', ')}, PRIMARY KEY (${key}))`,
    )
  }
  for (const statement of indexes(dialect)) await session.query(statement)
}

/** Statements that create the indexes. */
function indexes(dialect: Dialect): string[] {
  const table = namesOf(dialect).responses
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
  if (!(await columnsOf(NAMES.version)).has('version')) throw foreign(NAMES.version)
  const [row] = await session.query(`SELECT version FROM ${namesOf(dialect).version}`)
  const version = Number(row?.version)
  if (!Number.isInteger(version) || version < 1) throw broken(NAMES.version)
  checkVersion(version)
  for (const [table, , columns] of tablesOf(dialect.types)) {
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
