/** Runs the program of docs/how-to/warehouse.md against rows that a synchronization has copied. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { createSeedFactory, startFormwire } from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import { createSync, type SyncStore } from '@formwire/sync'
import { postgresStore } from '@formwire/sync/postgres'
import { sqliteStore } from '@formwire/sync/sqlite'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { startPostgres } from '../../packages/sync/test/support/postgres-server.ts'
import { blocksOf } from '../../scripts/docs/markdown.ts'
import { read } from '../../scripts/project/project.ts'
import { bundledCode } from '../support/bundled.ts'
import { exampleOf } from '../support/examples.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const page = read('docs/how-to/warehouse.md')
const FORM = 'guestvoice01'
const RESPONSES = 120
const DRAFTS = 2
const run = promisify(execFile)

let program: string
beforeAll(async () => {
  const sync = new URL('../../packages/sync/test/', import.meta.url).href
  program = await bundledCode(exampleOf('warehouse.md', 'createAppender('), sync)
})

/** Returns the rows of a query to DuckDB. */
async function query(path: string, sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(path)
  const duckdb = await instance.connect()
  const result = await duckdb.runAndReadAll(sql)
  duckdb.closeSync()
  instance.closeSync()
  return result.getRowObjectsJson()
}

const parsed = (json: unknown) => (typeof json === 'string' ? JSON.parse(json) : json)
const COLUMNS = 'form_id, id, email, score'

/** Loads the rows of a store, and then what has changed: nothing, a deletion, a row that was committed later than others. */
async function loads(store: SyncStore, folder: string, source: string, env = {}): Promise<void> {
  const make = await createSeedFactory(1)
  const seed = make.seed(make.form({ id: FORM, responses: RESPONSES, drafts: DRAFTS }))
  const kit = await startFormwire({ seed, limits: 'off' })
  const formwire = new Formwire(kit.clientOptions)
  const sync = createSync({ formwire, store, forms: 'all', drafts: true })
  /** Runs the program, and returns what it prints, and how many rows of the warehouse are marked as deleted. */
  const load = async () => {
    const { stdout } = await run(process.execPath, [program, source], {
      cwd: folder,
      env: { ...process.env, ...env },
    })
    const copied = await query(
      ':memory:',
      `SELECT ${COLUMNS}, epoch_ms(submitted_at) AS ms, answers FROM '${folder}/responses.parquet' ORDER BY id`,
    )
    const rows = await store.read(
      `SELECT ${COLUMNS}, submitted_at, answers FROM formwire_responses WHERE deleted_at IS NULL AND status <> 'in_progress' ORDER BY id`,
    )
    expect(
      copied.map((row) => ({ ...row, id: Number(row.id), ms: Number(row.ms), answers: parsed(row.answers) })),
    ).toEqual(
      rows.map(({ submitted_at: at, answers, ...row }) => ({
        ...row,
        id: Number(row.id),
        ms: Date.parse(String(at)),
        answers: parsed(answers),
      })),
    )
    const warehouse = join(folder, 'warehouse.duckdb')
    const [marked] = await query(
      warehouse,
      'SELECT count(*) AS rows FROM responses WHERE deleted_at IS NOT NULL',
    )
    return [stdout, Number(marked?.rows)]
  }
  const printed = (rows: number, live: number) =>
    `${rows} rows read, ${live} responses in responses.parquet\n`
  const before = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

  await sync.once()
  expect(await load()).toEqual([printed(RESPONSES + DRAFTS, RESPONSES), 0])
  // The first load was two hours after the rows.
  await store.read('UPDATE formwire_responses SET synced_at = ?', [before(120)])
  expect(await load()).toEqual([printed(0, RESPONSES), 0])
  const [newest] = (await formwire.responses.list(FORM, { per_page: 1 })).data
  await formwire.responses.delete(FORM, newest?.id ?? 0)
  await sync.once()
  expect(await load()).toEqual([printed(1, RESPONSES - 1), 1])
  await store.read(
    'UPDATE formwire_responses SET email = ?, synced_at = ? WHERE id = (SELECT min(id) FROM formwire_responses)',
    ['late@example.com', before(30)],
  )
  expect(await load()).toEqual([printed(2, RESPONSES - 1), 1])
  await store.close()
  await kit.close()
}

describe('warehouse.md', { timeout: 300_000 }, () => {
  it('copies a SQLite file into Parquet, and later what has changed: deletions, and a row that was committed late', async () => {
    const folder = temporaryDirectory()
    await loads(sqliteStore(join(folder, 'responses.db')), folder, 'responses.db')
  })

  it('copies a PostgreSQL database, too', async () => {
    const { url, stop } = await startPostgres()
    try {
      const store = postgresStore({ connectionString: url })
      await loads(store, temporaryDirectory(), 'postgres', { FORMWIRE_DATABASE_URL: url })
    } finally {
      await stop()
    }
  })

  it('finds as many responses in what the command line exports without a database', async () => {
    const folder = temporaryDirectory()
    const make = await createSeedFactory(1)
    const seed = make.seed(make.form({ id: FORM, responses: RESPONSES }))
    await using kit = await startFormwire({ seed, limits: 'off', listen: true })
    const { apiKey, baseUrl } = kit.clientOptions
    const args = [inject('programs').cli, 'responses', 'export', FORM, '--output', 'responses.ndjson']
    const env = { ...process.env, FORMWIRE_API_KEY: apiKey, FORMWIRE_BASE_URL: baseUrl }
    await run(process.execPath, args, { cwd: folder, env })
    const counted = await query(
      ':memory:',
      `SELECT count(id) AS n FROM read_json('${folder}/responses.ndjson')`,
    )
    expect(counted).toEqual([{ n: String(RESPONSES) }])
  })

  it('has a query that finds the mean of each question about numbers', async () => {
    const [query = ''] = blocksOf(page).flatMap(({ code }) => (code.includes('avg(') ? code : []))
    const duckdb = await (await DuckDBInstance.create()).connect()
    const answers = JSON.stringify([
      { question_id: 'q1', type: 'nps', value: 9, text: '9' },
      { question_id: 'q2', type: 'short_text', value: 'x', text: 'x' },
    ])
    await duckdb.run('CREATE TABLE parquet (form_id VARCHAR, answers VARCHAR)')
    await duckdb.run("INSERT INTO parquet VALUES ('f', $1), ('f', $2), ('f', '[]')", [
      answers,
      answers.replace('9', '6'),
    ])
    const result = await duckdb.runAndReadAll(query.replace("'responses.parquet'", 'parquet'))
    expect(result.getRowObjectsJson()).toEqual([{ form_id: 'f', question: 'q1', mean: 7.5 }])
    duckdb.closeSync()
  })
})
