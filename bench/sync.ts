/**
 * Compares `@formwire/sync` with a bare driver: a first sync with reading the same pages by `fetch` and inserting the same rows in
 * batches, into the same table with the same indexes or with none, and a webhook with one `INSERT`, or with a transaction of two.
 * Counts requests, and the heap at 10 % and at the end. PostgreSQL runs if it is installed.
 *
 *     npx -y pnpm@12 bench sync        # FORMWIRE_BENCH_RESPONSES=1000000 FORMWIRE_BENCH_ROUNDS=1 for a million responses
 *     node --expose-gc --max-old-space-size=9000 --conditions=@formwire/source --import tsx bench/sync.ts [sqlite|postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReferenceServer } from '@formwire/reference-server'
import { type FormResponse, Formwire } from '@formwire/sdk'
import { createSync, type SyncOptions, type SyncStore } from '@formwire/sync'
import { type PostgresTransaction, postgresStore } from '@formwire/sync/postgres'
import { type SqliteTransaction, sqliteStore } from '@formwire/sync/sqlite'
import { createReceiver, signWebhook, verifyWebhook } from '@formwire/webhook-verify'
import { loadDriver, type SqliteStatement } from '../packages/sync/src/sqlite/drivers.ts'
import { prepareStore } from '../packages/sync/src/store/migrations.ts'
import { pg, postgresBin, startPostgres } from '../packages/sync/test/support/postgres-server.ts'
import { cpuOf } from './support/cpu-of.ts'

const RESPONSES = Number(process.env.FORMWIRE_BENCH_RESPONSES ?? 100_000)
const WEBHOOKS = 300
const WEBHOOK_ROUNDS = 30
const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 3)
const BATCH = 500
/** The only database to measure, if one is named. */
const only = process.argv[2]
const START = Date.parse('2026-01-01T00:00:00Z')

const folder = mkdtempSync(join(tmpdir(), 'formwire-bench-'))
const server = createReferenceServer({ clock: 'manual', limits: 'off', journalSize: 1 })
await server.ready
const { id: form } = server.app.forms.create({
  title: 'Survey',
  questions: [
    { id: 'nps', type: 'nps', title: 'Would you recommend us?' },
    { id: 'why', type: 'long_text', title: 'Why?' },
  ],
})
const ids = Array.from({ length: RESPONSES }, (_, index) => {
  const submitted_at = new Date(START + index * 1000).toISOString()
  const why = 'Shipping took longer than announced, everything else was fine.'
  const answers = [
    { question_id: 'nps', value: index % 11 },
    { question_id: 'why', value: why },
  ]
  return server.app.responses.create(form, { submitted_at, answers }).id
})

/** A request in a turn of the event loop of its own, as over a network. Without that, V8 frees no weakly held object until the end. */
const fetchInTurn: typeof fetch = async (...request) => {
  await new Promise((resolve) => setImmediate(resolve))
  return await server.fetch(...request)
}
const client = (): Formwire => new Formwire({ apiKey: server.writeKey, fetch: fetchInTurn, rateLimit: false })
type Row = (string | number | null)[]
const MARKS = `(${Array(13).fill('?').join(', ')})`
const INSERT = `INSERT INTO formwire_responses (form_id, id, status, started_at, submitted_at, duration_sec, email, score, max_score, answers, meta, synced_at, deleted_at) VALUES `
const valuesOf = (response: FormResponse): Row => [
  response.form_id,
  response.id,
  response.status,
  response.started_at,
  response.submitted_at,
  response.duration_sec,
  response.email,
  response.score,
  response.max_score,
  JSON.stringify(response.answers),
  JSON.stringify(response.meta),
  '2026-11-21T12:00:00.000Z',
  null,
]

/** The table of responses with its indexes, or with its primary key alone, written by the driver alone. */
interface BareTable {
  /** Inserts rows in one transaction. */
  insert(rows: readonly Row[]): unknown
  close(): unknown
}

/** Reads every page by bare fetch and inserts its rows in batches. */
async function bareSync(table: BareTable): Promise<void> {
  let buffer: FormResponse[] = []
  const flush = async (): Promise<void> => {
    if (buffer.length === 0) return
    const rows = buffer
    buffer = []
    await table.insert(rows.map(valuesOf))
  }
  for (let page = 1; page <= Math.ceil(RESPONSES / 100); page += 1) {
    const url = `http://formwire.test/api/v1/forms/${form}/responses?per_page=100&page=${page}`
    const response = await fetchInTurn(
      new Request(url, { headers: { authorization: `Bearer ${server.writeKey}` } }),
    )
    buffer.push(...((await response.json()) as { data: FormResponse[] }).data)
    if (buffer.length >= BATCH) await flush()
  }
  await flush()
}

const DROP_INDEXES = ['order', 'drafts', 'pending'].map((name) => `DROP INDEX formwire_responses_${name}`)

/** A new file, written by node:sqlite or libsql alone. */
async function bareSqliteTable(path: string, hasIndexes: boolean): Promise<BareTable> {
  const store = sqliteStore(path)
  await prepareStore(store)
  await store.close()
  const connection = (await loadDriver())(path)
  connection.exec('PRAGMA synchronous = NORMAL')
  if (!hasIndexes) for (const statement of DROP_INDEXES) connection.exec(statement)
  const prepared = new Map<number, SqliteStatement>()
  return {
    insert(rows) {
      const statement =
        prepared.get(rows.length) ?? connection.prepare(INSERT + rows.map(() => MARKS).join(', '))
      prepared.set(rows.length, statement)
      connection.exec('BEGIN IMMEDIATE')
      statement.run(...rows.flat())
      connection.exec('COMMIT')
    },
    close: () => connection.close(),
  }
}

/** A new schema, written by pg alone. */
async function barePostgresTable(store: SyncStore, url: string, hasIndexes: boolean): Promise<BareTable> {
  await prepareStore(store)
  await store.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  if (!hasIndexes) for (const statement of DROP_INDEXES) await client.query(statement)
  return {
    async insert(rows) {
      let number = 0
      const marks = rows.map((row) => `(${row.map(() => `$${++number}`).join(', ')})`)
      await client.query('BEGIN')
      await client.query(INSERT + marks.join(', '), rows.flat())
      await client.query('COMMIT')
    },
    close: () => client.end(),
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

const ratio = (bare: number, ours: number): string => (bare / ours).toFixed(2)
const megabytes = (): number => {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / 1_048_576)
}

async function measure(
  name: string,
  createStore: () => Promise<SyncStore>,
  createTable: (hasIndexes: boolean) => Promise<BareTable>,
): Promise<SyncStore> {
  let bare = Number.POSITIVE_INFINITY
  let plain = Number.POSITIVE_INFINITY
  let ours = Number.POSITIVE_INFINITY
  let store = await createStore()
  for (let round = 0; round < ROUNDS; round += 1) {
    await store.close()
    const withIndexes = await createTable(true)
    bare = Math.min(bare, await secondsOf(() => bareSync(withIndexes)))
    await withIndexes.close()
    const without = await createTable(false)
    plain = Math.min(plain, await secondsOf(() => bareSync(without)))
    await without.close()
    store = await createStore()
    const before = megabytes()
    let early: number | undefined
    const onProgress = ({ read }: { read: number }): void => {
      if (read >= RESPONSES / 10) early ??= megabytes() - before
    }
    const formwire = client()
    const sync = createSync({ formwire, store, forms: [form], onProgress })
    ours = Math.min(ours, await secondsOf(() => sync.once()))
    const end = megabytes() - before
    const pages = formwire.budget.sent
    const idle = await sync.once()
    console.log(
      `${name}: round ${round + 1}: ${pages} requests (limit ${Math.floor((1.05 * RESPONSES) / 100 + 2)}), idle ${idle.requests} (limit 10), heap +${early} MB at 10 %, +${end} MB at the end`,
    )
  }
  console.log(
    `${name}: first sync of ${RESPONSES}: ${ours.toFixed(2)} s, bare ${bare.toFixed(2)} s, ratio ${ratio(bare, ours)} (at least 0.7); into a table without indexes ${plain.toFixed(2)} s, ratio ${ratio(plain, ours)}`,
  )

  server.app.responses.delete(form, ids.splice(Math.floor(ids.length * 0.37), 1)[0] as number)
  const found = await createSync({ formwire: client(), store, forms: [form] }).once()
  console.log(
    `${name}: one deletion found in ${found.requests} requests (limit 60), deleted ${found.deleted}`,
  )
  return store
}

/** What a user would write by the bare driver. */
interface Bare {
  /** One `INSERT`, committed by itself. */
  insert(row: Row): unknown
  /** The same and a row of an outbox, in one transaction. */
  insertWithOutbox(row: Row): unknown
  /** Processor time of the database's own processes, in microseconds. */
  serverCpu(): number
}

/**
 * Both verify the same deliveries and write the same row into the same table with the same indexes, with the same durability: WAL and
 * synchronous = NORMAL, or the same PostgreSQL server. Compared in alternating rounds, by processor time.
 */
async function measureWebhooks(
  name: string,
  store: SyncStore,
  { insert, serverCpu }: Pick<Bare, 'serverCpu'> & { insert(row: Row): unknown },
  onResponse?: SyncOptions<unknown>['onResponse'],
): Promise<void> {
  const secret = `whsec_${'s'.repeat(32)}`
  const sync = createSync({ formwire: client(), store, forms: 'all', onResponse })
  const receive = createReceiver({ secret, on: sync.handlers })
  const deliveries = (first: number) =>
    Array.from({ length: WEBHOOKS }, (_, index) =>
      signWebhook({
        secret,
        event: 'response.submitted',
        payload: {
          form: { id: 'guestvoice02', title: 'Survey' },
          response: {
            id: first + index,
            submitted_at: '2026-11-21T12:00:00.000Z',
            answers: [{ question_id: 'nps', title: 'Score', type: 'nps', value: 9, text: '9' }],
            score: null,
            max_score: null,
            meta: {},
          },
        },
      }),
    )
  const insertBare = async ({ headers, body }: ReturnType<typeof signWebhook>): Promise<void> => {
    const event = verifyWebhook({ secret, headers, body })
    if (event.type !== 'response.submitted') return
    const { form: about, response } = event
    await insert([
      about.id,
      response.id,
      'submitted',
      null,
      response.submitted_at,
      null,
      null,
      response.score,
      response.max_score,
      JSON.stringify(response.answers),
      JSON.stringify(response.meta),
      new Date().toISOString(),
      null,
    ])
  }
  const cost = async (work: () => Promise<void>): Promise<{ cpu: number; wall: number }> => {
    const server = serverCpu()
    const before = process.cpuUsage()
    const seconds = await secondsOf(work)
    const { user, system } = process.cpuUsage(before)
    return { cpu: (user + system + serverCpu() - server) / WEBHOOKS, wall: (seconds * 1e6) / WEBHOOKS }
  }
  const bare = { cpu: 0, wall: Number.POSITIVE_INFINITY }
  const ours = { cpu: 0, wall: Number.POSITIVE_INFINITY }
  const note = (all: typeof bare, { cpu, wall }: typeof bare): void => {
    all.cpu += cpu / WEBHOOK_ROUNDS
    all.wall = Math.min(all.wall, wall)
  }
  for (let round = 0; round < WEBHOOK_ROUNDS; round += 1) {
    const some = deliveries((onResponse ? 20_000_000 : 10_000_000) + round * WEBHOOKS)
    note(
      bare,
      await cost(async () => {
        for (const one of some) await insertBare(one)
      }),
    )
    note(
      ours,
      await cost(async () => {
        for (const { headers, body } of some) await receive({ headers, body })
      }),
    )
  }
  console.log(
    `${name}: a webhook${onResponse ? ' with onResponse' : ''} ${ours.cpu.toFixed(0)} µs of processor time, bare ${onResponse ? 'transaction' : 'INSERT'} ${bare.cpu.toFixed(0)} µs, ratio ${ratio(bare.cpu, ours.cpu)} (at least 0.8); in real time ${ratio(bare.wall, ours.wall)}`,
  )
}

/** Measures webhooks without `onResponse`, and with one that writes to an outbox in the same transaction. */
async function measureBoth(
  name: string,
  store: SyncStore,
  { insert, insertWithOutbox, serverCpu }: Bare,
): Promise<void> {
  await measureWebhooks(name, store, { insert, serverCpu })
  await store.transaction('bench', (session) => session.query(CREATE_OUTBOX))
  await measureWebhooks(name, store, { insert: insertWithOutbox, serverCpu }, async ({ id }, transaction) => {
    const { query, run } = transaction as Partial<PostgresTransaction & SqliteTransaction>
    if (query) await query(`${INSERT_OUTBOX} ($1)`, [id])
    else run?.(`${INSERT_OUTBOX} (?)`, id)
  })
}

const CREATE_OUTBOX = 'CREATE TABLE outbox (id BIGINT NOT NULL)'
const INSERT_OUTBOX = 'INSERT INTO outbox (id) VALUES'

/** Opens the file that sync made, by the bare driver. */
async function bareSqlite(path: string): Promise<Bare & { close(): void }> {
  const store = sqliteStore(path)
  await createSync({ formwire: client(), store, forms: [form] }).once()
  await store.close()
  const connection = (await loadDriver())(path)
  connection.exec('PRAGMA synchronous = NORMAL')
  connection.exec(CREATE_OUTBOX)
  const statement = connection.prepare(`${INSERT}${MARKS}`)
  const outbox = connection.prepare(`${INSERT_OUTBOX} (?)`)
  return {
    insert: (row) => statement.run(...row),
    insertWithOutbox(row) {
      connection.exec('BEGIN IMMEDIATE')
      statement.run(...row)
      outbox.run(row[1])
      connection.exec('COMMIT')
    },
    serverCpu: () => 0,
    close: () => connection.close(),
  }
}

/** Tables of sync in a schema of their own. */
async function barePostgres(url: string, pid: number): Promise<Bare & { close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  // The server ends before its idle connections are closed.
  pool.on('error', () => undefined)
  await pool.query('CREATE SCHEMA bare')
  const store = postgresStore({ connectionString: url, schema: 'bare' })
  await createSync({ formwire: client(), store, forms: [form] }).once()
  await store.close()
  const values = Array.from({ length: 13 }, (_, index) => `$${index + 1}`).join(', ')
  const sql = `${INSERT.replace('formwire_responses', 'bare.formwire_responses')} (${values})`
  await pool.query(CREATE_OUTBOX.replace('outbox', 'bare.outbox'))
  const outbox = `${INSERT_OUTBOX.replace('outbox', 'bare.outbox')} ($1)`
  return {
    insert: (row) => pool.query(sql, row),
    async insertWithOutbox(row) {
      const client = await pool.connect()
      await client.query('BEGIN')
      await client.query(sql, row)
      await client.query(outbox, [row[1]])
      await client.query('COMMIT')
      client.release()
    },
    serverCpu: () => cpuOf(pid),
    close: () => pool.end(),
  }
}

try {
  let files = 0
  const path = (): string => join(folder, `${files}.db`)
  if (only !== 'postgres') {
    const store = await measure(
      'SQLite',
      async () => {
        files += 1
        return sqliteStore(path()) as SyncStore
      },
      (hasIndexes) => {
        files += 1
        return bareSqliteTable(path(), hasIndexes)
      },
    )
    files += 1
    const bare = await bareSqlite(path())
    await measureBoth('SQLite', store, bare)
    bare.close()
    await store.close()
  }
  const bin = postgresBin()
  if (only === 'sqlite') console.log('PostgreSQL was left out.')
  else if (bin) {
    const postgres = await startPostgres(bin)
    try {
      const createStore = async (): Promise<SyncStore> => {
        const store = postgresStore({ connectionString: postgres.url }) as SyncStore
        await store.transaction('bench', async (session) => {
          await session.query('DROP SCHEMA IF EXISTS public CASCADE')
          await session.query('CREATE SCHEMA public')
        })
        return store
      }
      const store = await measure('PostgreSQL', createStore, async (hasIndexes) =>
        barePostgresTable(await createStore(), postgres.url, hasIndexes),
      )
      const bare = await barePostgres(postgres.url, postgres.pid)
      await measureBoth('PostgreSQL', store, bare)
      await bare.close()
      await store.close()
    } finally {
      await postgres.stop()
    }
  } else console.log('PostgreSQL is not installed.')
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
