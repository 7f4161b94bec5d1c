import { expect, it } from 'vitest'
import { readSyncStatus } from '../../src/index.ts'
import { OF_FORM } from '../../src/store/statements.ts'
import { Lifetime, mortalStore } from '../support/crash.ts'
import { eventOf } from '../support/service.ts'
import { dropEverything } from '../support/start-over.ts'
import type { StoreSuite } from './suite.ts'

/** Tables of other versions and of other programs. */
export function describeTables(suite: StoreSuite): void {
  it('creates nothing before the service has accepted the key', async () => {
    const formwire = suite.service.client({ apiKey: `svc_${'x'.repeat(40)}` })
    for (const forms of ['all', suite.service.form()]) {
      await expect(suite.sync(forms, { formwire }).once()).rejects.toMatchObject({ status: 401 })
      await expect(suite.sync(forms, { formwire }).run()).rejects.toMatchObject({ status: 401 })
    }
    await expect(suite.query('SELECT id FROM formwire_forms')).rejects.toThrow('formwire_forms')
  })

  it('is used beside what is in the database, and refuses tables that are not its own', async () => {
    const form = suite.service.form()
    await suite.query('CREATE TABLE mine (id INTEGER)')
    await suite.sync(form).once()
    await suite.query('DROP TABLE formwire_sync_settled')
    await expect(suite.sync(form).once()).rejects.toThrow(
      'The table "formwire_sync_settled" is missing or incomplete',
    )
  })

  /** The text of a plan of a query. */
  const planOf = async (sql: string): Promise<string> => {
    const explain = suite.database.dialect.name === 'postgres' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN'
    return (await suite.query(`${explain} ${sql}`)).map((row) => JSON.stringify(row)).join('\n')
  }

  it.each([1, 7])(
    'refuses tables of version %i, leaves them as they are, and says how to start again',
    async (version) => {
      suite.service.filled(2)
      await suite.sync('all').once()
      await suite.query(`UPDATE formwire_sync_version SET version = ${version}`)
      // Earlier versions had other columns.
      await suite.query('ALTER TABLE formwire_responses RENAME COLUMN workspace_id TO place_id')
      const before = await suite.query('SELECT * FROM formwire_responses ORDER BY id')
      const refused = {
        code: 'foreign_table',
        message: `The database has tables of version ${version} of @formwire/sync, and this package uses version 8; it was left as it was. Use another database or schema, or drop all tables and views formwire_* to start over: everything is read from the service again.`,
      }
      await expect(suite.sync('all').once()).rejects.toMatchObject(refused)
      await expect(suite.sync('all').run()).rejects.toMatchObject(refused)
      await expect(readSyncStatus(suite.database.store())).rejects.toMatchObject(refused)
      expect(await suite.query('SELECT * FROM formwire_responses ORDER BY id')).toEqual(before)
      await dropEverything(suite.database)
      expect(await suite.sync('all').once()).toMatchObject({ inserted: 2 })
    },
  )

  it('is left without tables when its creation is killed at any step, and is created the next time', async () => {
    const form = suite.service.filled(2)
    const whole = suite.database.store()
    for (let steps = 0; ; steps += 1) {
      const store = mortalStore(whole, new Lifetime(steps))
      const result = await suite
        .sync('all', { store })
        .once()
        .catch((error: Error) => error.message)
      if (typeof result === 'object') break
      expect(result).toBe('crashed')
    }
    expect(await suite.live(form)).toEqual(suite.service.submitted(form))
  })

  it('says that the tables are newer if another process replaces them while this one runs', async () => {
    const form = suite.service.filled(1)
    const one = suite.sync('all')
    await one.once()
    await suite.query('UPDATE formwire_sync_version SET version = 9')
    await suite.query('ALTER TABLE formwire_responses RENAME COLUMN workspace_id TO place_id')
    const newer = {
      code: 'newer_version',
      message: 'The database has tables of version 9; this package supports up to 8. Update @formwire/sync.',
    }
    suite.service.add(form, 1, () => '2026-11-21T11:00:00.000Z')
    await expect(one.once()).rejects.toMatchObject(newer)
    await expect(one.handlers['response.submitted'](eventOf(form, 9))).rejects.toMatchObject(newer)
    await expect(readSyncStatus(suite.database.store())).rejects.toMatchObject(newer)
    await expect(suite.sync('all').once()).rejects.toMatchObject(newer)
  })

  it('finds the newest rows of a form by an index, in the table and in the view', async () => {
    const form = suite.service.filled(1)
    await suite.sync(form).once()
    const { json } = suite.database.dialect.types
    // As many rows of it, and of another form, as make a sort cost more.
    await suite.query(
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
    await suite.query('ANALYZE')
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
