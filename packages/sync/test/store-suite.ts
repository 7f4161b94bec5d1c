import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createSync,
  type Session,
  type SubmittedEvent,
  type SyncOptions,
  UnknownFormsError,
} from '../src/index.ts'
import { NOON, type Service, startService } from './support/service.ts'
import type { TestDatabase } from './support/stores.ts'

/** Behaviour that every store shares. */
export function describeStore(
  name: string,
  createDatabase: () => Promise<TestDatabase> | TestDatabase,
): void {
  describe(name, () => {
    let service: Service
    let database: TestDatabase
    beforeEach(async () => {
      service = await startService()
      database = await createDatabase()
    })
    afterEach(async () => {
      await database.close()
      await service.server.close()
    })

    const clock = () => ({ now: () => service.server.clock.now(), setTimer: () => () => undefined })
    // biome-ignore lint/suspicious/noExplicitAny: the suite runs on every store
    const sync = (formId: string | 'all', options: Partial<SyncOptions<any>> = {}) =>
      createSync({
        formwire: service.client(),
        store: database.store(),
        forms: formId === 'all' ? formId : [formId],
        clock: clock(),
        ...options,
      })
    const live = async (formId: string, status = 'submitted'): Promise<number[]> =>
      (
        await database.query(
          'SELECT id FROM formwire_responses WHERE form_id = ? AND status = ? AND deleted_at IS NULL ORDER BY id',
          [formId, status],
        )
      ).map(({ id }) => Number(id))

    /** A delivered response with answers by question. */
    const event = (
      formId: string,
      id: number,
      answers: Readonly<Record<string, number | string>>,
    ): SubmittedEvent => ({
      form: { id: formId, title: 'x' },
      response: {
        id,
        submitted_at: '2026-11-21T12:00:00Z',
        answers: Object.entries(answers).map(([question_id, value]) => ({
          question_id,
          title: 'Q',
          type: typeof value === 'number' ? 'number' : 'short_text',
          value,
          text: String(value),
        })) as SubmittedEvent['response']['answers'],
        score: null,
        max_score: null,
        meta: {},
      },
    })

    it('writes every response with the fields of the service', async () => {
      const form = service.form()
      service.server.app.responses.create(form, {
        submitted_at: '2026-11-20T10:00:00.250Z',
        started_at: '2026-11-20T09:59:00.000Z',
        email: 'ada@example.com',
        meta: { device: 'phone' },
        answers: [
          { question_id: 'nps', value: 9 },
          { question_id: 'why', value: "O'Neil \u0001 \u{1f600}" },
        ],
      })
      const summary = await sync(form).once()
      expect(summary).toEqual({ forms: 1, inserted: 1, updated: 0, deleted: 0, requests: 2, duration_ms: 0 })
      const [row] = await database.query('SELECT * FROM formwire_responses')
      const json = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value)
      expect({
        ...row,
        id: Number(row?.id),
        duration_sec: Number(row?.duration_sec),
        answers: json(row?.answers),
        meta: json(row?.meta),
      }).toEqual({
        form_id: form,
        id: 1,
        status: 'submitted',
        started_at: '2026-11-20T09:59:00.000Z',
        submitted_at: '2026-11-20T10:00:00.250Z',
        duration_sec: 60,
        email: 'ada@example.com',
        score: null,
        max_score: null,
        answers: [
          { question_id: 'nps', title: 'Would you recommend us?', type: 'nps', value: 9, text: '9' },
          {
            question_id: 'why',
            title: 'Why?',
            type: 'long_text',
            value: "O'Neil \u0001 \u{1f600}",
            text: "O'Neil \u0001 \u{1f600}",
          },
        ],
        meta: { device: 'phone', browser: null, os: null, ref: null, utm: {} },
        synced_at: '2026-11-21T12:00:00.000Z',
        deleted_at: null,
      })
      const [formRow] = await database.query('SELECT * FROM formwire_forms')
      expect(formRow).toMatchObject({ id: form, title: 'Survey', status: 'published', deleted_at: null })
    })

    it('reads a first sync with at most 1.05·N/100 + 2 requests and is idle afterwards', async () => {
      for (const count of [0, 1, 100, 101, 1000, 3000]) {
        const form = service.form()
        service.add(form, count)
        const before = service.requests
        expect(await sync(form).once()).toMatchObject({
          inserted: count,
          requests: service.requests - before,
        })
        expect(service.requests - before, `${count} responses`).toBeLessThanOrEqual((1.05 * count) / 100 + 2)
        const idle = await sync(form).once()
        expect(idle).toMatchObject({ inserted: 0, updated: 0, deleted: 0 })
        expect(idle.requests).toBeLessThanOrEqual(2)
        expect(await live(form)).toEqual(service.submitted(form))
      }
    })

    it('adds new, tied and back-filled responses', async () => {
      const form = service.form()
      service.add(form, 1200)
      const one = sync(form)
      await one.once()
      service.add(form, 3, () => '2026-11-21T11:00:00.000Z')
      await one.once()
      service.add(form, 250, () => '2026-11-21T11:00:00.000Z')
      expect(await one.once()).toMatchObject({ inserted: 250 })
      service.add(form, 2, (index) => `2026-10-2${index + 2}T12:00:00.000Z`)
      const late = await one.once()
      expect(late).toMatchObject({ inserted: 2, deleted: 0 })
      expect(await live(form)).toEqual(service.submitted(form))
    })

    it('finds single deletions by counts, without reading the form', async () => {
      const form = service.form()
      const ids = service.add(form, 6000)
      const one = sync(form)
      await one.once()
      for (const position of [0, 2999, 4321, 5999])
        service.server.app.responses.delete(form, ids[position] as number)
      const summary = await one.once()
      expect(summary).toMatchObject({ inserted: 0, deleted: 4 })
      expect(summary.requests).toBeLessThanOrEqual(45)
      expect(await live(form)).toEqual(service.submitted(form))
      expect(
        (
          await database.query(
            'SELECT id, email, deleted_at FROM formwire_responses WHERE deleted_at IS NOT NULL',
          )
        ).length,
      ).toBe(4)
    })

    it('finds many deletions at about the cost of reading the form', async () => {
      const form = service.form()
      const ids = service.add(form, 3000)
      const one = sync(form)
      await one.once()
      for (const id of ids.slice(500, 2500)) service.server.app.responses.delete(form, id)
      const summary = await one.once()
      expect(summary).toMatchObject({ inserted: 0, deleted: 2000 })
      expect(summary.requests).toBeLessThanOrEqual(45)
      expect(await live(form)).toEqual(service.submitted(form))
    })

    it('marks every row when all responses of a form are deleted', async () => {
      const form = service.form()
      const ids = service.add(form, 1500)
      const one = sync(form)
      await one.once()
      for (const id of ids) service.server.app.responses.delete(form, id)
      expect(await one.once()).toMatchObject({ deleted: 1500 })
      expect(await live(form)).toEqual([])
    })

    it('keeps deleted rows live without deletions, and still adds late responses', async () => {
      const form = service.form()
      const ids = service.add(form, 900)
      const one = sync(form, { deletions: false })
      await one.once()
      service.server.app.responses.delete(form, ids[3] as number)
      expect(await one.once()).toMatchObject({ deleted: 0 })
      service.add(form, 2, () => '2026-10-22T12:00:00.500Z')
      expect(await one.once()).toMatchObject({ inserted: 2, deleted: 0 })
    })

    it('erases what the respondent gave with deleted: erase, also in rows that were marked before', async () => {
      const form = service.form()
      const [first, second] = service.add(form, 3)
      await sync(form).once()
      service.server.app.responses.delete(form, first as number)
      await sync(form).once()
      const marked =
        'SELECT id, submitted_at, answers, meta FROM formwire_responses WHERE deleted_at IS NOT NULL ORDER BY id'
      expect((await database.query(marked))[0]?.answers).not.toBeNull()
      service.server.app.responses.delete(form, second as number)
      await sync(form, { deleted: 'erase' }).once()
      const rows = await database.query(marked)
      expect(rows.map(({ answers, meta }) => [answers, meta])).toEqual([
        [null, null],
        [null, null],
      ])
      expect(rows[0]?.submitted_at).toBe('2026-10-22T12:00:00.000Z')
    })

    it('finds with verify a back-filled response and a deletion that cancel out', async () => {
      const form = service.form()
      const ids = service.add(form, 1300)
      const one = sync(form)
      await one.once()
      service.server.app.responses.delete(form, ids[100] as number)
      service.add(form, 1, () => '2026-10-22T12:00:01.500Z')
      expect(await one.once()).toMatchObject({ inserted: 0, deleted: 0 })
      expect(await one.once({ verify: true })).toMatchObject({ inserted: 1, deleted: 1 })
      expect(await live(form)).toEqual(service.submitted(form))
    })

    it('reads everything again a week after it was last read', async () => {
      const form = service.form()
      const ids = service.add(form, 1300)
      await sync(form).once()
      service.server.app.responses.delete(form, ids[100] as number)
      service.add(form, 1, () => '2026-10-22T12:00:01.500Z')
      await service.server.clock.advance('6d')
      expect(await sync(form).once()).toMatchObject({ inserted: 0, deleted: 0 })
      await service.server.clock.advance('1d')
      expect(await sync(form).once()).toMatchObject({ inserted: 1, deleted: 1 })
      expect((await sync(form).once()).requests).toBe(2)
    })

    it('keeps drafts, and turns a submitted draft into the submitted row', async () => {
      for (const submittedDraft of ['sameId', 'newId'] as const) {
        const other = await startService({ unspecified: { submittedDraft } })
        const form = other.form()
        const drafts = Array.from({ length: 4 }, () =>
          other.server.app.responses.create(form, {
            status: 'in_progress',
            answers: [{ question_id: 'why', value: 'a' }],
          }),
        )
        const one = sync(form, { formwire: other.client(), drafts: true })
        expect(await one.once()).toMatchObject({ inserted: 4 })
        const tokenOf = (index: number) => drafts[index]?.draft?.token as string
        const slug = other.server.app.forms.get(form).slug
        const post = (path: string, method = 'POST') =>
          other.server.fetch(
            new Request(`http://formwire.test/f/${slug}/drafts/${path}`, {
              method,
              headers: { 'content-type': 'application/json', accept: 'application/json' },
              body: JSON.stringify({ answers: [{ question_id: 'why', value: 'changed' }] }),
            }),
          )
        expect((await post(`${tokenOf(0)}/submit`)).status).toBe(201)
        expect((await post(tokenOf(1), 'PUT')).status).toBe(200)
        other.server.app.responses.delete(form, drafts[2]?.id as number)
        const summary = await one.once()
        expect(summary.deleted).toBe(submittedDraft === 'sameId' ? 1 : 2)
        expect(await live(form)).toEqual(other.submitted(form))
        expect(await live(form, 'in_progress')).toEqual([drafts[1]?.id, drafts[3]?.id])
        const [row] = await database.query(
          'SELECT answers FROM formwire_responses WHERE form_id = ? AND id = ?',
          [form, drafts[1]?.id as number],
        )
        expect(JSON.stringify(row?.answers)).toContain('changed')
        expect((await one.once()).requests).toBeLessThanOrEqual(3)
        // Without drafts, the rows of drafts stay as they are.
        await sync(form, { formwire: other.client() }).once()
        expect((await live(form, 'in_progress')).length).toBe(2)
        await other.server.close()
      }
    })

    it('marks a trashed form, keeps its rows, and brings it back', async () => {
      const form = service.form()
      service.add(form, 5)
      const one = sync('all')
      await one.once()
      service.server.app.forms.trash(form)
      await one.once()
      const deletedAt = async () =>
        (await database.query('SELECT deleted_at FROM formwire_forms'))[0]?.deleted_at
      expect(await deletedAt()).toBe('2026-11-21T12:00:00.000Z')
      expect((await live(form)).length).toBe(5)
      await expect(sync(form).once()).rejects.toThrow(UnknownFormsError)
      service.server.app.forms.restore(form)
      await sync(form).once()
      expect(await deletedAt()).toBeNull()
      expect((await live(form)).length).toBe(5)
    })

    it('synchronizes the other forms when one is unknown', async () => {
      const form = service.form()
      service.add(form, 2)
      const one = createSync({
        formwire: service.client(),
        store: database.store(),
        forms: ['unknown00000', form],
        clock: clock(),
      })
      const error = await one.once().catch((failure: unknown) => failure)
      expect(error).toBeInstanceOf(UnknownFormsError)
      expect(error).toMatchObject({
        message: 'Form not found: "unknown00000". Check the ids and the workspace of the key.',
        formIds: ['unknown00000'],
        summary: { forms: 1, inserted: 2 },
      })
    })

    it('creates a view a form with a column a question', async () => {
      const form = service.form()
      service.add(form, 5)
      await sync('all').once()
      const view = `formwire_form_${form.toLowerCase()}`
      expect(await database.query(`SELECT * FROM ${view} ORDER BY id LIMIT 2`)).toEqual([
        { id: expect.anything(), submitted_at: '2026-10-22T12:00:00.000Z', nps: 0, colour: 'Red' },
        { id: expect.anything(), submitted_at: '2026-10-22T12:00:01.000Z', nps: 1, colour: 'Red, Blue' },
      ])
      expect(Number((await database.query(`SELECT avg(nps) AS mean FROM ${view}`))[0]?.mean)).toBe(2)
      service.server.app.responses.create(form, { answers: [{ question_id: 'why', value: 'new' }] })
      await sync('all').once()
      expect(await database.query(`SELECT why FROM ${view} WHERE why IS NOT NULL`)).toEqual([{ why: 'new' }])
    })

    it('writes a webhook at once and completes it with the next poll', async () => {
      const form = service.form()
      service.add(form, 3)
      const calls: [number, boolean][] = []
      const one = sync(form, { onResponse: ({ id, complete }) => void calls.push([id, complete]) })
      await one.once()
      const { id } = service.server.app.responses.create(form, {
        answers: [{ question_id: 'nps', value: 7 }],
      })
      const response = await service.client().responses.get(form, id)
      const event = {
        form: { id: form, title: 'Survey' },
        response: { ...response, submitted_at: response.submitted_at as string },
      }
      await one.handlers['response.submitted'](event)
      await one.handlers['response.submitted'](event)
      const row = async () =>
        (
          await database.query('SELECT started_at, submitted_at FROM formwire_responses WHERE id = ?', [id])
        )[0]
      expect(await row()).toEqual({ started_at: null, submitted_at: '2026-11-21T12:00:00.000Z' })
      expect(await one.once()).toMatchObject({ inserted: 0, updated: 1 })
      expect(await row()).toEqual({
        started_at: '2026-11-21T12:00:00.000Z',
        submitted_at: '2026-11-21T12:00:00.000Z',
      })
      expect(calls).toEqual([
        [1, true],
        [2, true],
        [3, true],
        [id, false],
      ])
      service.server.app.responses.delete(form, id)
      await one.once()
      await one.handlers['response.submitted'](event)
      expect(await live(form)).not.toContain(id)
    })

    it('keeps hostile question ids, titles and values out of SQL', async () => {
      const form = 'a"b;--\'c?d\u{1f600}'
      const ids = [
        `x"; DROP TABLE formwire_responses; --`,
        `it's`,
        'id',
        'ID',
        'Submitted_At',
        'NPS',
        'nps',
        '',
        'q?',
        '$1',
        'a\\',
        'é'.repeat(60),
        `${'é'.repeat(60)}2`,
      ]
      const answers = ids.map((id, index) => ({
        question_id: id,
        title: "'); --",
        type: 'short_text' as const,
        value: `v${index}`,
        text: `v${index}`,
      }))
      await sync('all').once()
      const { handlers } = sync('all')
      const event = {
        form: { id: form, title: 'x' },
        response: {
          id: 1,
          submitted_at: '2026-11-21T12:00:00.000Z',
          answers,
          score: null,
          max_score: null,
          meta: {},
        },
      }
      await handlers['response.submitted'](event)
      const [view] = await database.query('SELECT name FROM formwire_sync_views WHERE form_id = ?', [form])
      const [row] = await database.query(`SELECT * FROM "${String(view?.name).replaceAll('"', '""')}"`)
      expect(Object.values(row ?? {}).slice(2)).toEqual(answers.map(({ value }) => value))
      const names = Object.keys(row ?? {})
      expect(names.slice(0, 10)).toEqual([
        'id',
        'submitted_at',
        ids[0],
        `it's`,
        'id_2',
        'ID_3',
        'Submitted_At_2',
        'NPS',
        'nps_2',
        'question',
      ])
      expect(new Set(names.map((one) => one.toLowerCase())).size).toBe(15)
      expect(
        (await database.query('SELECT count(*) AS n FROM formwire_responses')).map(({ n }) => Number(n)),
      ).toEqual([1])
    })

    it('gives views of form ids that differ only in case different names', async () => {
      const { handlers } = sync('all')
      for (const [index, id] of ['abcdefGHIJKL', 'ABCDEFghijkl'].entries())
        await handlers['response.submitted'](event(id, index + 1, { q: index }))
      expect(await database.query('SELECT q FROM formwire_form_abcdefghijkl')).toEqual([{ q: 0 }])
      expect(await database.query('SELECT q FROM formwire_form_abcdefghijkl_2')).toEqual([{ q: 1 }])
    })

    it('turns a column of numbers into text with the first value that is not a number', async () => {
      const { handlers } = sync('all')
      for (const [index, value] of [7, 'seven'].entries())
        await handlers['response.submitted'](event('abcdefghijkl', index + 1, { q: value }))
      const rows = await database.query('SELECT q FROM formwire_form_abcdefghijkl ORDER BY id')
      expect(rows.map(({ q }) => String(q))).toEqual(['7', 'seven'])
    })

    it('adds columns to a view whose column of numbers cannot become text', async () => {
      const { handlers } = sync('all')
      const deliver = (id: number, answers: Record<string, number | string>) =>
        handlers['response.submitted'](event('abcdefghijkl', id, answers))
      await deliver(1, { q: 7 })
      await database.query('CREATE VIEW mine AS SELECT avg(q) AS mean FROM formwire_form_abcdefghijkl')
      await deliver(2, { q: 'seven' })
      await deliver(3, { q: 'eight', more: 'new' })
      const rows = await database.query('SELECT id, more FROM formwire_form_abcdefghijkl ORDER BY id')
      expect(rows.map(({ id, more }) => [Number(id), more])).toEqual([
        [1, null],
        [2, null],
        [3, 'new'],
      ])
      expect(Number((await database.query('SELECT mean FROM mine'))[0]?.mean)).toBeGreaterThan(0)
      await database.query('DROP VIEW mine')
      await deliver(4, { q: 'nine' })
      const [last] = await database.query('SELECT q FROM formwire_form_abcdefghijkl WHERE id = 4')
      expect(last).toEqual({ q: 'nine' })
    })

    it('shares what is known of the views between synchronizations of a store', async () => {
      const store = database.store()
      const statements: string[] = []
      const begin = store.transaction.bind(store)
      store.transaction = (lock, work) =>
        begin(lock, (session, transaction) => {
          const query: Session['query'] = (sql, parameters) => {
            statements.push(sql)
            return session.query(sql, parameters)
          }
          return work({ ...session, query }, transaction)
        })
      const form = service.form()
      service.add(form, 2)
      await sync(form, { store }).once()
      expect(statements.join('\n')).toContain('formwire_sync_questions')
      statements.length = 0
      service.add(form, 1, () => '2026-11-21T11:00:00.000Z')
      expect(await sync(form, { store }).once()).toMatchObject({ inserted: 1 })
      expect(statements.join('\n')).not.toContain('formwire_sync_questions')
    })

    it('refuses to work in a transaction that has ended', async () => {
      const form = service.form()
      service.add(form, 1)
      await database.query('CREATE TABLE outbox (id INTEGER)')
      const late: (() => Promise<unknown>)[] = []
      await sync(form, {
        onResponse: ({ id }, transaction) => {
          const sql = `INSERT INTO outbox (id) VALUES (${id})`
          late.push(async () =>
            'query' in transaction ? await transaction.query(sql) : transaction.run(sql),
          )
        },
      }).once()
      await expect(late[0]?.()).rejects.toThrow(
        'The transaction has ended: await what onResponse does in it.',
      )
      expect(await database.query('SELECT id FROM outbox')).toEqual([])
    })

    it('writes any text that JSON can hold, and finds it unchanged in the next run', async () => {
      const form = service.form()
      const value = 'a\u0000b\ud800c\\u0000\u{1f600}'
      service.server.app.responses.create(form, {
        answers: [{ question_id: 'why', value }],
        meta: { 'k\u0000': value },
      })
      const one = sync(form)
      expect(await one.once()).toMatchObject({ inserted: 1 })
      expect(await one.once({ verify: true })).toMatchObject({ inserted: 0, updated: 0 })
    })

    it('lets two processes write the same form, each response once', async () => {
      const form = service.form()
      service.add(form, 700)
      const calls: number[] = []
      const both = [0, 1].map(() => sync(form, { onResponse: ({ id }) => void calls.push(id) }))
      await Promise.all(both.map((one) => one.once()))
      expect(calls.length).toBe(700)
      expect(await live(form)).toEqual(service.submitted(form))
    })

    it('waits for a lock of another program', async () => {
      const form = service.form()
      service.add(form, 2)
      await sync(form).once()
      service.add(form, 1)
      const other = database.store()
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const holder = other.transaction(form, async (session) => {
        await session.query("UPDATE formwire_forms SET title = 'held'")
        await held
      })
      const run = sync(form).once()
      await new Promise((resolve) => setTimeout(resolve, 60))
      release()
      await holder
      expect(await run).toMatchObject({ inserted: 1 })
    })

    it('upgrades tables of version 1, and completes the rows that were pending', async () => {
      const form = service.form()
      const [id] = service.add(form, 1) as [number]
      await sync(form).once()
      for (const statement of [
        'DROP INDEX formwire_responses_pending',
        'DROP TABLE formwire_sync_settled',
        'CREATE TABLE formwire_sync_pending (form_id TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (form_id, id))',
        `INSERT INTO formwire_sync_pending VALUES ('${form}', ${id})`,
        'UPDATE formwire_sync_version SET version = 1',
      ])
        await database.query(statement)
      expect(await sync(form).once()).toMatchObject({ inserted: 0, updated: 1 })
      expect(await database.query('SELECT version FROM formwire_sync_version')).toEqual([
        { version: database.store().dialect.name === 'postgres' ? '2' : 2 },
      ])
      expect(await sync(form).once()).toMatchObject({ inserted: 0, updated: 0 })
    })

    it('does not ask again for a row that cannot be completed', async () => {
      const form = service.form()
      const one = sync(form, { deletions: false })
      const id = service.server.app.responses.create(form, {}).id
      const response = await service.client().responses.get(form, id)
      service.server.app.responses.delete(form, id)
      await one.handlers['response.submitted']({
        form: { id: form, title: 'Survey' },
        response: { ...response, submitted_at: response.submitted_at as string },
      })
      const { requests } = await one.once()
      expect(await one.once()).toMatchObject({ requests: requests - 2 })
    })

    it('is used beside what is in the database, and refuses tables that are not its own', async () => {
      const form = service.form()
      await database.query('CREATE TABLE mine (id INTEGER)')
      await sync(form).once()
      await database.query('DROP TABLE formwire_sync_settled')
      await expect(sync(form).once()).rejects.toThrow(
        'The table "formwire_sync_settled" is missing or incomplete',
      )
    })

    it('goes on through outages of the service while following', async () => {
      const form = service.form()
      service.add(form, 2)
      const stop = new AbortController()
      const pauses: string[] = []
      service.server.app.faults.add({ status: 503, times: 6 })
      const timers = {
        now: () => service.server.clock.now(),
        setTimer(callback: () => void) {
          if (pauses.length > 0 && service.submitted(form).length === 3) stop.abort()
          else if (service.requests > 8) service.add(form, 1, () => '2026-11-21T11:00:00.000Z')
          const timer = setImmediate(callback)
          return () => clearImmediate(timer)
        },
      }
      const formwire = service.client({ maxRetries: 0 })
      const summary = await sync(form, {
        formwire,
        signal: stop.signal,
        clock: timers,
        onPause: ({ error }) => void pauses.push((error as Error).name),
      }).run()
      expect(pauses).toEqual(Array(6).fill('ServerError'))
      expect(summary.inserted).toBeGreaterThanOrEqual(2)
    })

    it('rolls the rows back when onResponse throws', async () => {
      const form = service.form()
      service.add(form, 3)
      const failing = sync(form, {
        onResponse: ({ id }) => {
          if (id === 2) throw new Error('no')
        },
      })
      await expect(failing.once()).rejects.toThrow('no')
      expect(await live(form)).toEqual([])
      await sync(form).once()
      expect((await live(form)).length).toBe(3)
    })

    it('follows new, changed and deleted responses and new forms', async () => {
      const form = service.form()
      const ids = service.add(form, 5)
      const stop = new AbortController()
      let rounds = 0
      let second = ''
      const timers = {
        now: () => service.server.clock.now(),
        setTimer(callback: () => void) {
          rounds += 1
          if (rounds === 1) service.add(form, 2, () => '2026-11-21T11:00:00.000Z')
          if (rounds === 2) service.server.app.responses.delete(form, ids[0] as number)
          if (rounds === 3) {
            second = service.form('Second')
            service.add(second, 1)
          }
          if (rounds === 4) stop.abort()
          const timer = setTimeout(callback, 0)
          return () => clearTimeout(timer)
        },
      }
      const summary = await sync('all', { signal: stop.signal, clock: timers }).run()
      expect(summary).toMatchObject({ forms: 2, inserted: 8, deleted: 1 })
      expect(await live(form)).toEqual(service.submitted(form))
      expect(await live(second)).toEqual(service.submitted(second))
      expect(NOON).toBe(service.server.clock.now())
    })
  })
}
