/**
 * Compares `@formwire/sync` with a bare driver: a first sync with reading the same pages by `fetch` and inserting the same rows in
 * batches, into the same table with the same indexes, and a webhook with one `INSERT`.
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
import { createSync, type SyncStore } from '@formwire/sync'
import { postgresStore } from '@formwire/sync/postgres'
import { sqliteStore } from '@formwire/sync/sqlite'
import { createReceiver, signWebhook, verifyWebhook } from '@formwire/webhook-verify'
import { loadDriver, type SqliteStatement } from '../packages/sync/src/sqlite/drivers.ts'
import { prepareStore } from '../packages/sync/src/store/schema.ts'
import { pg, startPostgres } from '../packages/sync/test/support/postgres-server.ts'
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
const MARKS = `(${Array(14).fill('?').join(', ')})`
const INSERT = `INSERT INTO formwire_responses (workspace_id, form_id, id, status, started_at, submitted_at, duration_sec, email, score, max_score, answers, meta, synced_at, deleted_at) VALUES `
const valuesOf = (response: { [Member in keyof FormResponse]: FormResponse[Member] | null }): Row => [
  String(server.workspaceId),
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

/** The table of responses with its indexes, written by the driver alone. */
interface BareTable {
  /** Inserts rows in one transaction; one row without `BEGIN` and `COMMIT`. */
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

/** A new file, written by node:sqlite or libsql alone. */
async function bareSqliteTable(path: string): Promise<BareTable> {
  const store = sqliteStore(path)
  await prepareStore(store)
  await store.close()
  const connection = (await loadDriver())(path)
  connection.exec('PRAGMA synchronous = NORMAL')
  const prepared = new Map<number, SqliteStatement>()
  return {
    insert(rows) {
      const statement =
        prepared.get(rows.length) ?? connection.prepare(INSERT + rows.map(() => MARKS).join(', '))
      prepared.set(rows.length, statement)
      if (rows.length > 1) connection.exec('BEGIN IMMEDIATE')
      statement.run(...rows.flat())
      if (rows.length > 1) connection.exec('COMMIT')
    },
    close: () => connection.close(),
  }
}

/** A new schema, written by pg alone. */
async function barePostgresTable(connectionString: string): Promise<BareTable> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('DROP SCHEMA IF EXISTS bare CASCADE; CREATE SCHEMA bare; SET search_path = bare')
  const store = postgresStore({ connectionString, schema: 'bare' })
  await prepareStore(store)
  await store.close()
  return {
    async insert(rows) {
      let number = 0
      const marks = rows.map((row) => `(${row.map(() => `$${++number}`).join(', ')})`)
      if (rows.length > 1) await client.query('BEGIN')
      await client.query(INSERT + marks.join(', '), rows.flat())
      if (rows.length > 1) await client.query('COMMIT')
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
  createTable: () => Promise<BareTable>,
): Promise<SyncStore> {
  let bare = Number.POSITIVE_INFINITY
  let ours = Number.POSITIVE_INFINITY
  let store = await createStore()
  for (let round = 0; round < ROUNDS; round += 1) {
    await store.close()
    const table = await createTable()
    bare = Math.min(bare, await secondsOf(() => bareSync(table)))
    await table.close()
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
    `${name}: first sync of ${RESPONSES}: ${ours.toFixed(2)} s, bare ${bare.toFixed(2)} s, ratio ${ratio(bare, ours)} (at least 0.7)`,
  )

  server.app.responses.delete(form, ids.splice(Math.floor(ids.length * 0.37), 1)[0] as number)
  const found = await createSync({ formwire: client(), store, forms: [form] }).once()
  console.log(
    `${name}: one deletion found in ${found.requests} requests (limit 60), deleted ${found.deleted}`,
  )
  return store
}

/**
 * Both verify the same deliveries and write the same row into the same table with the same indexes, with the same durability: WAL and
 * synchronous = NORMAL, or the same PostgreSQL server. Compared in alternating rounds, by processor time.
 */
async function measureWebhooks(
  name: string,
  store: SyncStore,
  bare: BareTable,
  serverPid?: number,
): Promise<void> {
  const secret = `whsec_${'s'.repeat(32)}`
  const sync = createSync({ formwire: client(), store, forms: 'all' })
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
    const unknown = { started_at: null, duration_sec: null, email: null }
    await bare.insert([valuesOf({ form_id: about.id, status: 'submitted', ...unknown, ...response })])
  }
  /** Returns the microseconds of processor time of one webhook, that of the database's own processes included. */
  const cost = async (work: () => Promise<void>): Promise<number> => {
    const server = serverPid === undefined ? 0 : cpuOf(serverPid)
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return (user + system + (serverPid === undefined ? 0 : cpuOf(serverPid)) - server) / WEBHOOKS
  }
  let [theirs, ours] = [0, 0]
  for (let round = 0; round < WEBHOOK_ROUNDS; round += 1) {
    const some = deliveries(10_000_000 + round * WEBHOOKS)
    theirs += await cost(async () => {
      for (const one of some) await insertBare(one)
    })
    ours += await cost(async () => {
      for (const { headers, body } of some) await receive({ headers, body })
    })
  }
  const micros = (total: number): string => `${(total / WEBHOOK_ROUNDS).toFixed(0)} µs`
  console.log(
    `${name}: a webhook ${micros(ours)} of processor time, bare INSERT ${micros(theirs)}, ratio ${ratio(theirs, ours)} (at least 0.8)`,
  )
}

/** Measures the first sync, an idle run and a deletion, then webhooks to the store and to a bare table of the same size. */
async function measureDatabase(
  name: string,
  createStore: () => Promise<SyncStore>,
  createTable: () => Promise<BareTable>,
  serverPid?: number,
): Promise<void> {
  const store = await measure(name, createStore, createTable)
  const bare = await createTable()
  await bareSync(bare)
  await measureWebhooks(name, store, bare, serverPid)
  await bare.close()
  await store.close()
}

try {
  if (only !== 'postgres') {
    let files = 0
    const path = (): string => join(folder, `${files++}.db`)
    await measureDatabase(
      'SQLite',
      async () => sqliteStore(path()) as SyncStore,
      () => bareSqliteTable(path()),
    )
  }
  if (only === 'sqlite') console.log('PostgreSQL was left out.')
  else {
    const postgres = await startPostgres()
    try {
      const createStore = async (): Promise<SyncStore> => {
        const store = postgresStore({ connectionString: postgres.url }) as SyncStore
        await store.transaction('bench', async (session) => {
          await session.query('DROP SCHEMA IF EXISTS public CASCADE')
          await session.query('CREATE SCHEMA public')
        })
        return store
      }
      await measureDatabase('PostgreSQL', createStore, () => barePostgresTable(postgres.url), postgres.pid)
    } finally {
      await postgres.stop()
    }
  }
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
