import { expect, it } from 'vitest'
import { createSync } from '../../src/index.ts'
import { OF_FORM } from '../../src/store/statements.ts'
import { Lifetime, mortalStore } from '../support/crash.ts'
import { asVersion } from '../support/earlier-version.ts'
import type { StoreSuite } from './suite.ts'

/** Tables of earlier versions and of others. */
export function describeTables(suite: StoreSuite): void {
  it('creates nothing before the service has accepted the key', async () => {
    const formwire = suite.service.client({ apiKey: `svc_${'x'.repeat(40)}` })
    for (const forms of ['all', suite.service.form()]) {
      await expect(suite.sync(forms, { formwire }).once()).rejects.toMatchObject({ status: 401 })
      await expect(suite.sync(forms, { formwire }).run()).rejects.toMatchObject({ status: 401 })
    }
    await expect(suite.database.query('SELECT id FROM formwire_forms')).rejects.toThrow('formwire_forms')
  })

  it('upgrades tables of version 1, and completes the rows that were pending', async () => {
    const form = suite.service.form()
    const [id] = suite.service.add(form, 1) as [number]
    await suite.sync(form).once()
    await asVersion(suite.database, 1)
    await suite.database.query(`INSERT INTO formwire_sync_pending VALUES ('${form}', ${id})`)
    expect(await suite.sync(form).once()).toMatchObject({ inserted: 0, updated: 1 })
    expect(await suite.database.query('SELECT version FROM formwire_sync_version')).toEqual([
      { version: suite.database.dialect.name === 'postgres' ? '6' : 6 },
    ])
    expect(await suite.sync(form).once()).toMatchObject({ inserted: 0, updated: 0 })
  })

  it('is used beside what is in the database, and refuses tables that are not its own', async () => {
    const form = suite.service.form()
    await suite.database.query('CREATE TABLE mine (id INTEGER)')
    await suite.sync(form).once()
    await suite.database.query('DROP TABLE formwire_sync_settled')
    await expect(suite.sync(form).once()).rejects.toThrow(
      'The table "formwire_sync_settled" is missing or incomplete',
    )
  })

  /** The text of a plan of a query. */
  const planOf = async (sql: string): Promise<string> => {
    const explain = suite.database.dialect.name === 'postgres' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN'
    return (await suite.database.query(`${explain} ${sql}`)).map((row) => JSON.stringify(row)).join('\n')
  }

  it.each([1, 2, 3, 4, 5] as const)(
    'upgrades version %i in one transaction: killed at any step, the database is as it was',
    async (version) => {
      const form = suite.service.form()
      suite.service.add(form, 12)
      await suite.sync('all').once()
      await asVersion(suite.database, version)
      const view = `formwire_form_${form.toLowerCase()}`
      const rows = await suite.database.query('SELECT * FROM formwire_responses ORDER BY id')
      const shown = await suite.database.query(`SELECT * FROM ${view} ORDER BY id`)
      for (let steps = 0; ; steps += 1) {
        const store = mortalStore(suite.database.store(), new Lifetime(steps))
        const formwire = suite.service.client()
        const result = await createSync({ formwire, store, forms: 'all', clock: suite.clock() })
          .once()
          .catch((error: Error) => error.message)
        if (typeof result === 'object') break
        expect(result).toBe('crashed')
        const [found] = await suite.database.query('SELECT version FROM formwire_sync_version')
        // A database whose workspace is not noted is upgraded as far as that goes.
        expect([version, 4, 6]).toContain(Number(found?.version))
        expect(await suite.database.query(`SELECT id FROM ${view} ORDER BY id`)).toEqual(
          shown.map(({ id }) => ({ id })),
        )
      }
      expect(await suite.database.query('SELECT * FROM formwire_responses ORDER BY id')).toEqual(
        rows.map((row) => ({ ...row, workspace_id: '1' })),
      )
      const after = await suite.database.query(`SELECT id, nps, colour FROM ${view} ORDER BY id`)
      expect(after).toEqual(shown.map(({ id, nps, colour }) => ({ id, nps, colour })))
      expect(await suite.sync('all').once()).toMatchObject({ inserted: 0, updated: 0, deleted: 0 })
    },
  )

  it('keeps views, columns, indexes and triggers of yours while it upgrades', async () => {
    const form = suite.service.form()
    suite.service.add(form, 3)
    await suite.sync('all').once()
    await asVersion(suite.database, 4)
    const view = `formwire_form_${form.toLowerCase()}`
    const isPostgres = suite.database.dialect.name === 'postgres'
    for (const statement of [
      'ALTER TABLE formwire_responses ADD COLUMN mine TEXT',
      "UPDATE formwire_responses SET mine = 'kept' WHERE id = 2",
      'CREATE INDEX of_mine ON formwire_responses (mine)',
      `CREATE VIEW of_ours AS SELECT count(*) AS number FROM ${view}`,
      'CREATE VIEW of_table AS SELECT id, mine FROM formwire_responses',
      'CREATE TABLE seen (id INTEGER)',
      ...(isPostgres
        ? [
            'CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen VALUES (NEW.id); RETURN NEW; END $$',
            'CREATE TRIGGER see AFTER INSERT ON formwire_responses FOR EACH ROW EXECUTE FUNCTION see()',
          ]
        : [
            'CREATE TRIGGER see AFTER INSERT ON formwire_responses BEGIN INSERT INTO seen VALUES (new.id); END',
          ]),
    ])
      await suite.database.query(statement)
    const [added] = suite.service.add(form, 1, () => '2026-11-21T11:00:00.000Z')
    await suite.sync('all').once()
    expect(
      (await suite.database.query('SELECT number FROM of_ours')).map(({ number }) => Number(number)),
    ).toEqual([4])
    expect(
      (await suite.database.query('SELECT id FROM of_table WHERE mine IS NOT NULL')).map(({ id }) =>
        Number(id),
      ),
    ).toEqual([2])
    expect(await suite.database.query('SELECT id FROM seen')).toEqual([{ id: added }])
    const [index] = await suite.database.query(
      isPostgres
        ? "SELECT count(*) AS number FROM pg_indexes WHERE indexname = 'of_mine' AND schemaname = current_schema()"
        : "SELECT count(*) AS number FROM sqlite_master WHERE name = 'of_mine'",
    )
    expect(Number(index?.number)).toBe(1)
  })

  it('refuses to upgrade tables that a foreign key of yours refers to, and names its table', async () => {
    const form = suite.service.form()
    suite.service.add(form, 1)
    await suite.sync('all').once()
    await asVersion(suite.database, 4)
    const { text, integer } = suite.database.dialect.types
    await suite.database.query(
      `CREATE TABLE orders (form_id ${text}, response_id ${integer},
        FOREIGN KEY (form_id, response_id) REFERENCES formwire_responses (form_id, id) ON DELETE CASCADE)`,
    )
    await suite.database.query('INSERT INTO orders SELECT form_id, id FROM formwire_responses')
    await expect(suite.sync('all').once()).rejects.toMatchObject({
      code: 'foreign_table',
      message: expect.stringContaining('orders" has a foreign key to formwire_responses'),
    })
    expect((await suite.database.query('SELECT response_id FROM orders')).length).toBe(1)
    await suite.database.query('DROP TABLE orders')
    expect(await suite.sync('all').once()).toMatchObject({ inserted: 0, updated: 0, deleted: 0 })
  })

  it.each([
    "INSERT INTO formwire_responses (form_id, id, status, synced_at) VALUES ('a', 1, 'submitted', '') ON CONFLICT (form_id, id) DO NOTHING",
    "INSERT INTO formwire_responses (form_id, id, status, synced_at) VALUES ('a', 1, 'submitted', '')",
    "INSERT INTO formwire_forms (id, synced_at) VALUES ('a', '') ON CONFLICT (id) DO UPDATE SET synced_at = excluded.synced_at",
    "SELECT checkpoint, full_at FROM formwire_sync_state WHERE form_id = 'a'",
  ])('keeps a process of version 4 that still runs from going on: %s', async (statement) => {
    suite.service.form()
    await suite.sync('all').once()
    await expect(suite.database.query(statement)).rejects.toThrow()
  })

  it('says that the tables are newer if another process upgrades them while this one runs', async () => {
    const form = suite.service.form()
    suite.service.add(form, 1)
    const one = suite.sync('all')
    await one.once()
    await suite.database.query('UPDATE formwire_sync_version SET version = 7')
    await suite.database.query('ALTER TABLE formwire_responses RENAME COLUMN workspace_id TO place_id')
    const newer = {
      code: 'newer_version',
      message: 'The database has tables of version 7; this package supports up to 6. Update @formwire/sync.',
    }
    suite.service.add(form, 1, () => '2026-11-21T11:00:00.000Z')
    await expect(one.once()).rejects.toMatchObject(newer)
    const response = {
      id: 9,
      submitted_at: '2026-11-21T12:00:00Z',
      answers: [],
      score: null,
      max_score: null,
    }
    const event = { form: { id: form, title: 'Survey' }, response: { ...response, meta: {} as never } }
    await expect(one.handlers['response.submitted'](event)).rejects.toMatchObject(newer)
    await expect(suite.sync('all').once()).rejects.toMatchObject(newer)
  })

  it('finds the newest rows of a form by an index, in the table and in the view', async () => {
    const form = suite.service.form()
    suite.service.add(form, 1)
    await suite.sync(form).once()
    const { json } = suite.database.dialect.types
    // As many rows of it, and of another form, as make a sort cost more.
    await suite.database.query(
      `INSERT INTO formwire_responses (workspace_id, form_id, id, status, started_at, submitted_at, answers, synced_at)
        WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
        SELECT '1', CASE n % 2 WHEN 0 THEN '${form}' ELSE 'another' END, n, 'submitted', 'x',
          '2026-01-0' || (1 + n % 9) || 'T12:00:' || (10 + n % 50) || 'Z', ${json === 'jsonb' ? "'[]'::jsonb" : "'[]'"}, 'x' FROM numbers`,
    )
    const key = suite.database.dialect.name === 'postgres' ? 'formwire_responses_pkey' : 'sqlite_autoindex'
    const ofForm = OF_FORM.replace('?', `'${form}'`).replace('?', "'1'")
    for (const part of [
      'max(id) FROM formwire_responses WHERE',
      'id FROM formwire_responses WHERE id IN (4, 44) AND',
    ])
      expect(await planOf(`SELECT ${part} ${ofForm}`), 'without statistics').toContain(key)
    await suite.database.query('ANALYZE')
    const view = `formwire_form_${form.toLowerCase()}`
    for (const [query, index] of [
      [
        `SELECT id, answers FROM formwire_responses WHERE form_id = '${form}' ORDER BY submitted_at DESC LIMIT 20`,
        'formwire_responses_submitted',
      ],
      [
        `SELECT id FROM formwire_responses WHERE form_id = '${form}' AND workspace_id = '1'
          AND status = 'submitted' AND deleted_at IS NULL ORDER BY submitted_at DESC LIMIT 20`,
        'formwire_responses_submitted',
      ],
      [
        `SELECT * FROM ${view} ORDER BY submitted_at DESC LIMIT 20`,
        json === 'jsonb' ? 'formwire_responses_instant' : 'formwire_responses_submitted',
      ],
      [`SELECT * FROM ${view} WHERE id = 44`, key],
      [`SELECT answers FROM formwire_responses WHERE form_id = '${form}' AND id = 44`, key],
    ] as const) {
      const plan = await planOf(query)
      expect(plan).toContain(index)
      expect(plan).not.toMatch(/Seq Scan|SCAN r|USE TEMP B-TREE|Sort/)
    }
  })
}
