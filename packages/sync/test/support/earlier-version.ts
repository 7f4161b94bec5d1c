import { quoteName } from '../../src/database/dialect.ts'
import type { SqlRow, SqlValue, SyncStore } from '../../src/index.ts'
import type { TestDatabase } from './stores.ts'

type Database = Pick<TestDatabase, 'query'> & { dialect: SyncStore['dialect'] }

const ORDER_KEY = `substr(submitted_at, 1, 19) || rtrim(substr(submitted_at, 20), '0.:+-Zz')`

/** Replaces the tables by those of an earlier version, with the same rows and views, as far as they fit. */
export async function asVersion(database: Database, version: 1 | 2 | 3 | 4 | 5): Promise<void> {
  const { dialect } = database
  const { text, integer, number, json, boolean } = dialect.types
  const cascade = dialect.name === 'postgres' ? ' CASCADE' : ''
  await database.query(`DROP TABLE formwire_sync_workspaces${cascade}`)
  if (version === 5) return void (await database.query('UPDATE formwire_sync_version SET version = 5'))
  const rows = new Map<string, SqlRow[]>()
  const views = await database.query('SELECT form_id, name, typed FROM formwire_sync_views')
  for (const { name } of views)
    await database.query(`DROP VIEW IF EXISTS ${quoteName(String(name))}${cascade}`)
  await database.query(`DROP TABLE formwire_sync_drift${cascade}`)
  for (const table of TABLES) {
    rows.set(table, await database.query(`SELECT * FROM ${table}`))
    await database.query(`DROP TABLE ${table}${cascade}`)
  }
  for (const statement of [
    `CREATE TABLE formwire_responses (
      form_id ${text} NOT NULL, id ${integer} NOT NULL, status ${text} NOT NULL, started_at ${text}, submitted_at ${text},
      duration_sec ${integer}, email ${text}, score ${number}, max_score ${number}, answers ${json}, meta ${json},
      synced_at ${text} NOT NULL, deleted_at ${text}, PRIMARY KEY (form_id, id))`,
    `CREATE INDEX formwire_responses_order ON formwire_responses (form_id, (${ORDER_KEY})) WHERE deleted_at IS NULL AND status <> 'in_progress'`,
    `CREATE INDEX formwire_responses_drafts ON formwire_responses (form_id) WHERE deleted_at IS NULL AND status = 'in_progress'`,
    `CREATE TABLE formwire_forms (
      id ${text} NOT NULL PRIMARY KEY, title ${text}, status ${text}, slug ${text}, url ${text}, published ${boolean},
      response_count ${integer}, response_limit ${integer}, opens_at ${text}, closes_at ${text}, created_at ${text},
      updated_at ${text}, synced_at ${text} NOT NULL, deleted_at ${text})`,
    `CREATE TABLE formwire_sync_state (form_id ${text} NOT NULL PRIMARY KEY, checkpoint ${text}, full_at ${text})`,
    `CREATE TABLE formwire_sync_views (form_id ${text} NOT NULL PRIMARY KEY, name ${text} NOT NULL)`,
    `CREATE TABLE formwire_sync_questions (
      form_id ${text} NOT NULL, position ${integer} NOT NULL, question_id ${text} NOT NULL, name ${text} NOT NULL,
      kind ${text} NOT NULL, PRIMARY KEY (form_id, question_id))`,
    `CREATE TABLE formwire_sync_version (version ${integer} NOT NULL)`,
    ...(version === 1
      ? [
          `CREATE TABLE formwire_sync_pending (form_id ${text} NOT NULL, id ${integer} NOT NULL, PRIMARY KEY (form_id, id))`,
        ]
      : [
          `CREATE INDEX formwire_responses_pending ON formwire_responses (form_id, id)
            WHERE started_at IS NULL AND deleted_at IS NULL AND status <> 'in_progress'`,
          `CREATE TABLE formwire_sync_settled (form_id ${text} NOT NULL, id ${integer} NOT NULL, PRIMARY KEY (form_id, id))`,
        ]),
    ...(version < 3 ? [] : [`ALTER TABLE formwire_sync_version ADD COLUMN workspace_id ${text}`]),
    ...(version < 4 ? [] : [`ALTER TABLE formwire_sync_views ADD COLUMN typed ${boolean}`]),
  ])
    await database.query(statement)
  const lost = ['workspace_id', 'slice', 'seen', 'synced_at', 'error', 'error_at']
  for (const [table, columns] of [
    ['formwire_responses', ['workspace_id']],
    ['formwire_forms', ['workspace_id']],
    ['formwire_sync_state', lost],
    ['formwire_sync_views', ['workspace_id', 'by_workspace', ...(version < 4 ? ['typed'] : [])]],
    ['formwire_sync_questions', ['workspace_id']],
    ...(version === 1 ? [] : [['formwire_sync_settled', ['workspace_id']] as const]),
  ] as const)
    for (const row of rows.get(table) ?? []) await insert(database, table, row, columns)
  const workspace = rows.get('formwire_forms')?.[0]?.workspace_id ?? '1'
  await database.query(
    `INSERT INTO formwire_sync_version VALUES (${version}${version < 3 ? '' : `, '${String(workspace)}'`})`,
  )
  for (const { form_id, name } of views) {
    const questions = (rows.get('formwire_sync_questions') ?? []).filter((row) => row.form_id === form_id)
    const columns = questions
      .sort((a, b) => Number(a.position) - Number(b.position))
      .map(({ question_id, name, kind }) => {
        const shown = kind === 'number' ? 'number' : 'text'
        return `, ${dialect.answer('r', String(question_id), shown)} AS ${quoteName(String(name))}`
      })
    const isTyped = version === 4 && dialect.name === 'postgres'
    await database.query(
      `CREATE VIEW ${quoteName(String(name))} AS SELECT r.id AS id, r.submitted_at${isTyped ? '::timestamptz' : ''} AS submitted_at${columns.join('')}
        FROM formwire_responses AS r WHERE r.form_id = ${dialect.literal(String(form_id))} AND r.status = 'submitted' AND r.deleted_at IS NULL`,
    )
  }
}

const TABLES = [
  'formwire_responses',
  'formwire_forms',
  'formwire_sync_state',
  'formwire_sync_settled',
  'formwire_sync_views',
  'formwire_sync_questions',
  'formwire_sync_version',
]

async function insert(
  database: Database,
  table: string,
  { poll_state, ...row }: SqlRow,
  lost: readonly string[],
): Promise<void> {
  const given = Object.entries({ ...row, ...(poll_state === undefined ? {} : { checkpoint: poll_state }) })
  const kept = given.filter(([name]) => !lost.includes(name))
  const values = kept.map(([, value]) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SqlValue),
  )
  await database.query(
    `INSERT INTO ${table} (${kept.map(([name]) => name).join(', ')}) VALUES (${values.map(() => '?').join(', ')})`,
    values,
  )
}
