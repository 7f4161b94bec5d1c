import pg from 'pg'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { WAIT_MS } from '../../../test/support/patience.ts'
import { quoteName } from '../src/database/dialect.ts'
import { createSync, type SyncOptions, type SyncStore } from '../src/index.ts'
import { LOCK_CLASS, lockKey } from '../src/postgres/dialect.ts'
import { type PostgresTransaction, postgresStore } from '../src/postgres/index.ts'
import { describeStore } from './store-suite/index.ts'
import { describeOnPostgres } from './support/describe-on-postgres.ts'
import { eventOf, startService } from './support/service.ts'
import { postgresDatabase } from './support/stores.ts'

describeOnPostgres((serverUrl) => {
  const VIEW = 'formwire_form_abcdefghijkl'
  let schemas = 0
  const pools: pg.Pool[] = []
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.end()
  })
  const openPool = (options: pg.PoolConfig): pg.Pool => {
    const pool = new pg.Pool({ connectionString: serverUrl(), ...options })
    // The server ends before its idle connections are closed.
    pool.on('error', () => undefined)
    pools.push(pool)
    return pool
  }
  const event = (id: number, answers: Record<string, string | number>) =>
    eventOf('abcdefghijkl', id, { answers })
  type OnResponse = SyncOptions<PostgresTransaction>['onResponse']
  const receiver = async (store: SyncStore<PostgresTransaction>, onResponse?: OnResponse) => {
    const formwire = (await startService()).client()
    return createSync({ formwire, store, forms: 'all', onResponse }).handlers['response.submitted']
  }
  /** A store in a schema of its own, whose connections begin with some settings, with what receives its deliveries. */
  const storeWith = async (settings = '', onResponse?: OnResponse) => {
    schemas += 1
    const schema = `own${schemas}`
    const pool = openPool({ max: 2, options: `-c search_path=${schema} ${settings}` })
    await pool.query(`CREATE SCHEMA ${schema}`).catch(() => undefined)
    const store = postgresStore({ pool })
    const query = async (sql: string) => (await pool.query(sql)).rows
    return { pool, query, store, receive: await receiver(store, onResponse) }
  }

  it.each(['plain', 'odd ? "name" \\ \''])(
    'works in a schema of any name (%s) on a pool of yours, whose connections it leaves as they are',
    async (schema) => {
      const pool = openPool({ max: 2 })
      const name = quoteName(schema)
      await pool.query(`CREATE SCHEMA ${name}`)
      await pool.query(`CREATE TABLE ${name}.outbox (id bigint)`)
      const store = postgresStore({ pool, schema })
      const receive = await receiver(store)
      for (const id of [1, 2, 3]) await receive(event(id, { q: 'a' }))
      const outbox = await receiver(store, async ({ id }, transaction) => {
        await transaction.query('INSERT INTO outbox VALUES ($1)', [id])
      })
      await outbox(event(4, { q: 'a', more: 'b' }))
      expect((await pool.query(`SELECT id FROM ${name}.outbox`)).rows).toEqual([{ id: '4' }])
      expect(await store.read('SELECT id FROM formwire_responses WHERE id > ? ORDER BY id', [2])).toEqual([
        { id: '3' },
        { id: '4' },
      ])
      const view = await pool.query(`SELECT id, more FROM ${name}.${VIEW} ORDER BY id DESC LIMIT 1`)
      expect(view.rows).toEqual([{ id: '4', more: 'b' }])
      const paths = await Promise.all([pool.query('SHOW search_path'), pool.query('SHOW search_path')])
      expect(paths.map(({ rows }) => rows[0]?.search_path)).toEqual(Array(2).fill('"$user", public'))
      await pool.query(`DROP SCHEMA ${name} CASCADE`)
    },
  )

  it('rejects a delivery if onResponse caught the error of a statement, since PostgreSQL then commits nothing', async () => {
    let fails = false
    const { query, receive } = await storeWith('', async (_response, transaction) => {
      if (fails) await transaction.query('SELECT 1 / 0').catch(() => undefined)
    })
    await receive(event(1, { q: 'a' }))
    fails = true
    for (const answers of [{ q: 'b' }, { another: 'b' }]) {
      await expect(receive(event(2, answers))).rejects.toThrow(
        'onResponse caught the error of a statement, or did not await it (division by zero), after which PostgreSQL commits nothing.',
      )
    }
    expect(await query('SELECT id FROM formwire_responses')).toEqual([{ id: '1' }])
  })

  /** Opens the view like a program that reads it in a long transaction. Call the result to end that. */
  async function reading(pool: pg.Pool): Promise<() => Promise<void>> {
    const reader = await pool.connect()
    await reader.query(`BEGIN; SELECT * FROM ${VIEW}`)
    let isOpen = true
    const end = async (): Promise<void> => {
      if (!isOpen) return
      isOpen = false
      await reader.query('COMMIT')
      reader.release()
    }
    onTestFinished(end)
    return end
  }

  it('writes deliveries at once while a program reads a view for long that needs a new column', async () => {
    const { pool, store, query } = await storeWith()
    const time = { now: Date.parse('2026-11-21T12:00:00Z') }
    const clock = { now: () => time.now, setTimer: () => () => undefined }
    const transactions = vi.spyOn(store, 'transaction')
    const waits = () =>
      transactions.mock.calls.flatMap(([lock, , options]) =>
        lock.startsWith('view ') ? options?.waitMs : [],
      )
    const formwire = (await startService()).client()
    const receive = createSync({ formwire, store, forms: 'all', clock }).handlers['response.submitted']
    await receive(event(1, { q: 'a' }))
    const end = await reading(pool)
    transactions.mockClear()
    for (let id = 2; id <= 21; id += 1) await receive(event(id, { q: 'b', more: 'c' }))
    expect(waits()).toEqual([100, 100, 100])
    time.now += 30_000
    for (let id = 22; id <= 31; id += 1) await receive(event(id, { q: 'b', more: 'c' }))
    expect(waits()).toEqual([100, 100, 100, 100])
    expect(await query('SELECT count(*)::int AS rows FROM formwire_responses')).toEqual([{ rows: 31 }])
    await end()
    time.now += 30_000
    await receive(event(32, { q: 'b' }))
    expect(await query(`SELECT count(more)::int AS rows FROM ${VIEW}`)).toEqual([{ rows: 30 }])
  })

  it('changes a view at the end of a round that does not read its form', async () => {
    const { pool, store, receive, query } = await storeWith()
    await receive(event(1, { q: 'a' }))
    const end = await reading(pool)
    await receive(event(2, { more: 'b' }))
    await end()
    const formwire = (await startService()).client()
    await createSync({ formwire, store, forms: 'all' }).once()
    expect(await query(`SELECT more FROM ${VIEW} ORDER BY id`)).toEqual([{ more: null }, { more: 'b' }])
  })

  it('keeps owner, grants, comments and options of a view that gets columns, also for another kind of answers', async () => {
    const { pool, receive, query } = await storeWith()
    await receive(event(1, { q: 'a', n: 7 }))
    await pool.query(`CREATE ROLE "View owner"; CREATE ROLE analyst; CREATE ROLE intern;
      GRANT ALL ON SCHEMA own${schemas} TO "View owner"; GRANT SELECT ON ALL TABLES IN SCHEMA own${schemas} TO "View owner";
      ALTER VIEW ${VIEW} OWNER TO "View owner"; ALTER VIEW ${VIEW} SET (security_barrier = true);
      GRANT SELECT ON ${VIEW} TO analyst WITH GRANT OPTION; GRANT SELECT (id, n) ON ${VIEW} TO intern;
      COMMENT ON VIEW ${VIEW} IS 'What is it? It''s ours \\'; COMMENT ON COLUMN ${VIEW}.n IS 'A number';
      ALTER DEFAULT PRIVILEGES IN SCHEMA own${schemas} GRANT SELECT ON TABLES TO PUBLIC`)
    const described = async () =>
      (
        await query(`SELECT relowner::regrole::text AS owner, reloptions, relacl::text, obj_description(oid) AS comment,
          (SELECT array_agg(concat_ws(' ', attname, attacl, col_description(attrelid, attnum)) ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = oid AND attname IN ('id', 'q', 'n')) AS columns
          FROM pg_class WHERE oid = '${VIEW}'::regclass`)
      )[0]
    const before = await described()
    expect(before).toEqual({
      owner: '"View owner"',
      reloptions: ['security_barrier=true'],
      relacl: '{"\\"View owner\\"=arwdDxt/\\"View owner\\"","analyst=r*/\\"View owner\\""}',
      comment: "What is it? It's ours \\",
      columns: ['id {"intern=r/\\"View owner\\""}', 'q', 'n {"intern=r/\\"View owner\\""} A number'],
    })
    await receive(event(2, { n: 'seven', more: 'x' }))
    expect(await query(`SELECT n, n_2, more FROM ${VIEW} ORDER BY id`)).toEqual([
      { n: '7', n_2: null, more: null },
      { n: null, n_2: 'seven', more: 'x' },
    ])
    expect(await described()).toEqual(before)
    await receive(event(3, { last: 'y' }))
    expect(await query(`SELECT last FROM ${VIEW} WHERE id = 3`)).toEqual([{ last: 'y' }])
    expect(await described()).toEqual(before)
  })

  it('quotes hostile ids also where a backslash is an escape in ordinary literals', async () => {
    const { receive, query } = await storeWith('-c standard_conforming_strings=off')
    const id = "\\'; DROP TABLE formwire_responses; --\\"
    await receive(event(1, { [id]: 'a' }))
    const [row] = await query('SELECT * FROM formwire_form_abcdefghijkl')
    expect(Object.entries(row)[2]).toEqual([id, 'a'])
  })

  it('limits its waits and its idle transactions by settings of the transaction alone', async () => {
    const sql = `SELECT name, setting FROM pg_settings WHERE name IN ('lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`
    const settingsOf = async (query: () => Promise<{ rows: Record<string, unknown>[] }>) =>
      (await query()).rows.map(({ setting }) => setting)
    const found: unknown[] = []
    const { pool, receive } = await storeWith('', async (_response, transaction) => {
      found.push(await settingsOf(() => transaction.query(sql)))
    })
    await receive(event(1, { q: 'a' }))
    expect(found).toEqual([['60000', '5000']])
    expect(await settingsOf(() => pool.query(sql))).toEqual(['0', '0'])
  })

  it('names onResponse when PostgreSQL ends the transaction that it leaves idle', async () => {
    const { query } = await storeWith()
    const options = `-c search_path=own${schemas} -c application_name=idle`
    const store = postgresStore({ pool: openPool({ options }), transactionIdleMs: 200 })
    const idle = "SELECT FROM pg_stat_activity WHERE state LIKE 'idle in%' AND application_name = 'idle'"
    const receive = await receiver(store, async () => {
      await vi.waitUntil(async () => (await query(idle)).length === 0, { timeout: WAIT_MS })
    })
    await expect(receive(event(1, { q: 'a' }))).rejects.toMatchObject({
      code: 'locked',
      isPassing: true,
      message:
        'PostgreSQL ended a transaction in which no statement ran for 0.2 s, so that its locks hold up nobody. If onResponse takes so long, do its work elsewhere, such as from an outbox, or raise transactionIdleMs.',
    })
  })

  it('reads in a schema of its own while another process is in a transaction', async () => {
    const { store, pool, receive } = await storeWith()
    await receive(event(1, { q: 'a' }))
    const reading = postgresStore({ pool, schema: `own${schemas}` })
    const count = 'SELECT count(*)::int AS rows FROM formwire_responses'
    const read = await store.transaction('read', () => reading.read(count))
    expect(read).toEqual([{ rows: 1 }])
  })

  it('writes and shows the same whatever the server rounds and quotes', async () => {
    const service = await startService()
    onTestFinished(() => service.server.close())
    const form = service.form()
    const [id] = service.add(form, 1)
    service.instead = async (request) => {
      const answer = await service.server.fetch(request)
      const text = (await answer.text()).replaceAll('"score":null', '"score":0.12345678901234568')
      return new Response(text, answer)
    }
    const formwire = service.client()
    for (const settings of ['', '-c extra_float_digits=-15 -c quote_all_identifiers=on']) {
      const { pool, store } = await storeWith(settings)
      await createSync({ formwire, store, forms: [form] }).once()
      const again = createSync({ formwire, store: postgresStore({ pool }), forms: [form] })
      expect(await again.once({ verify: true })).toMatchObject({ inserted: 0, updated: 0 })
      const view = `formwire_form_${form.toLowerCase()}`
      const { rows } = await pool.query(
        `SELECT score::text = '0.12345678901234568' OR extra.digits < 0 AS is_exact, id, nps, colour
          FROM formwire_responses JOIN ${view} USING (id), (SELECT current_setting('extra_float_digits')::int) AS extra (digits)`,
      )
      expect(rows).toEqual([{ is_exact: true, id: String(id), nps: '0', colour: 'Red' }])
    }
  })

  it.each([
    ['a webhook', false],
    ['a webhook with onResponse', true],
  ])(
    'repeats every one of several at once of which a pooler has lost the statement: %s',
    async (_name, isCalled) => {
      const { pool, query, receive } = await storeWith('', isCalled ? () => undefined : undefined)
      // Both connections of the pool have prepared the statement.
      await Promise.all([1, 2, 3, 4].map((id) => receive(event(id, { q: 'a' }))))
      const held = await Promise.all([pool.connect(), pool.connect()])
      const deliveries = [5, 6, 7, 8].map((id) => receive(event(id, { q: 'a' })))
      for (const client of held) {
        await client.query('DEALLOCATE ALL')
        client.release()
      }
      await Promise.all(deliveries)
      const rows = await query('SELECT id FROM formwire_responses ORDER BY id')
      expect(rows.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
    },
  )

  it('sends no named statement with prepare: false', async () => {
    const { pool } = await storeWith()
    const receive = await receiver(postgresStore({ pool, prepare: false }))
    await receive(event(1, { q: 'a' }))
    await receive(event(2, { q: 'a' }))
    const clients = await Promise.all([pool.connect(), pool.connect()])
    const names: unknown[] = []
    for (const client of clients) {
      names.push(...(await client.query('SELECT name FROM pg_prepared_statements')).rows)
      client.release()
    }
    expect(names).toEqual([])
  })

  it.each([
    [
      'a schema that does not exist',
      '-c search_path=missing',
      'refused',
      'no schema has been selected to create in',
    ],
    [
      'a read-only database',
      '-c default_transaction_read_only=on',
      'unavailable',
      'cannot execute CREATE TABLE in a read-only transaction',
    ],
    [
      'a server that limits the time of statements',
      '-c statement_timeout=1',
      'unavailable',
      'canceling statement due to statement timeout',
    ],
  ])('reports %s', async (_name, settings, code, reason) => {
    const { receive } = await storeWith(settings)
    const holder = new pg.Client({ connectionString: serverUrl() })
    await holder.connect()
    // The lock that the creation of the tables takes.
    await holder.query('BEGIN')
    await holder.query(`SELECT pg_advisory_xact_lock(${LOCK_CLASS}, ${lockKey('tables')})`)
    const running = receive(event(1, { q: 'a' }))
    running.catch(() => undefined)
    if (settings !== '-c statement_timeout=1') await holder.query('ROLLBACK')
    await expect(running).rejects.toMatchObject({
      code,
      message: `Cannot use the PostgreSQL database: ${reason}.`,
    })
    await holder.end()
  })

  /** A delivered response with one answer to a question of dates. */
  const dated = (id: number, due: string, submitted_at: string) =>
    eventOf('abcdefghijkl', id, { answers: { due }, type: 'date', submitted_at })
  const columnTypes = (pool: pg.Pool) =>
    pool
      .query(
        `SELECT a.attname || ' ' || format_type(a.atttypid, NULL) AS text FROM pg_attribute a
          WHERE a.attrelid = '${VIEW}'::regclass ORDER BY a.attnum`,
      )
      .then(({ rows }) => rows.map(({ text }) => text))

  it('gives timestamps in every spelling and dates a type in the views', async () => {
    const { pool, receive, query } = await storeWith('-c TimeZone=Asia/Tokyo -c DateStyle=SQL,DMY')
    const spellings = ['03.250Z', '03Z', '03.250001Z', '03+00:00', '03.250+05:30']
    for (const [index, seconds] of spellings.entries())
      await receive(dated(index + 1, '2028-02-29', `2026-11-21T12:00:${seconds}`))
    expect(await columnTypes(pool)).toEqual([
      'id bigint',
      'submitted_at timestamp with time zone',
      'due date',
    ])
    const { rows } = await pool.query(
      `SELECT extract(epoch FROM submitted_at - timestamptz '2026-11-21 12:00:00+00')::float8 AS seconds,
        date_trunc('month', due)::date::text AS month FROM ${VIEW} ORDER BY id`,
    )
    expect(rows.map(({ seconds }) => seconds)).toEqual([3.25, 3, 3.250001, 3, 3.25 - 19_800])
    expect(new Set(rows.map(({ month }) => month))).toEqual(new Set(['01/02/2028']))
    expect(await query('SELECT submitted_at AS at FROM formwire_responses WHERE id = 4')).toEqual([
      { at: '2026-11-21T12:00:03+00:00' },
    ])
  })

  it('shows null for timestamps and dates that do not exist', async () => {
    const { pool, receive } = await storeWith()
    const dates = '2026-02-29 1900-02-29 2026-04-31 2026-13-01 0000-01-01 12026-01-01 infinity now'
    const odd = dates.split(' ')
    for (const [index, value] of [
      ...odd,
      ...odd.map((date) => `${date}x`),
      "'; DROP",
      '',
      '2026-1-1',
      ' 2026-01-01',
    ].entries())
      await receive(dated(index + 1, value, `${value}T25:00:00Z`))
    for (const [index, at] of [
      '2026-11-21',
      'yesterday',
      '2026-11-21T12:00:00',
      '2026-11-21T12:00:00+99:00',
    ].entries())
      await receive(dated(index + 101, '2000-02-29', at))
    const { rows } = await pool.query(`SELECT submitted_at, due::text FROM ${VIEW} ORDER BY id`)
    expect(rows).toEqual([
      ...Array(odd.length * 2 + 4).fill({ submitted_at: null, due: null }),
      ...Array(4).fill({ submitted_at: null, due: '2000-02-29' }),
    ])
  })

  it('opens as many connections as poolSize says', async () => {
    const { query } = await storeWith()
    const connectionString = `${serverUrl()}&application_name=two`
    const store = postgresStore({ connectionString, poolSize: 2 })
    let begun = 0
    const works = ['a', 'b', 'c'].map((lock) =>
      store.transaction(lock, async () => {
        begun += 1
        await vi.waitUntil(() => begun >= 2, { timeout: WAIT_MS })
        await query('SELECT 1')
      }),
    )
    await Promise.all(works)
    expect(await query("SELECT FROM pg_stat_activity WHERE application_name = 'two'")).toHaveLength(2)
    await store.close()
  })

  describeStore('postgresStore', () => postgresDatabase(serverUrl()))
})
