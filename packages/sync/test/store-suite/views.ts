import { expect, it } from 'vitest'
import type { Session, SubmittedEvent } from '../../src/index.ts'
import type { StoreSuite } from './suite.ts'

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

/** One view a form with a column a question. */
export function describeViews(suite: StoreSuite): void {
  it('creates a view a form with a column a question', async () => {
    const form = suite.service.form()
    suite.service.add(form, 5)
    await suite.sync('all').once()
    const view = `formwire_form_${form.toLowerCase()}`
    const hasTimes = suite.database.store().dialect.name === 'postgres'
    const instant = (text: string): unknown => (hasTimes ? new Date(text) : text)
    expect(await suite.database.query(`SELECT * FROM ${view} ORDER BY id LIMIT 2`)).toEqual([
      { id: expect.anything(), submitted_at: instant('2026-10-22T12:00:00.000Z'), nps: 0, colour: 'Red' },
      {
        id: expect.anything(),
        submitted_at: instant('2026-10-22T12:00:01.000Z'),
        nps: 1,
        colour: 'Red, Blue',
      },
    ])
    expect(Number((await suite.database.query(`SELECT avg(nps) AS mean FROM ${view}`))[0]?.mean)).toBe(2)
    suite.service.server.app.responses.create(form, { answers: [{ question_id: 'why', value: 'new' }] })
    await suite.sync('all').once()
    expect(await suite.database.query(`SELECT why FROM ${view} WHERE why IS NOT NULL`)).toEqual([
      { why: 'new' },
    ])
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
    await suite.sync('all').once()
    const { handlers } = suite.sync('all')
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
    const [view] = await suite.database.query('SELECT name FROM formwire_sync_views WHERE form_id = ?', [
      form,
    ])
    const [row] = await suite.database.query(`SELECT * FROM "${String(view?.name).replaceAll('"', '""')}"`)
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
      (await suite.database.query('SELECT count(*) AS n FROM formwire_responses')).map(({ n }) => Number(n)),
    ).toEqual([1])
  })

  it('gives views of form ids that differ only in case different names', async () => {
    const { handlers } = suite.sync('all')
    for (const [index, id] of ['abcdefGHIJKL', 'ABCDEFghijkl'].entries())
      await handlers['response.submitted'](event(id, index + 1, { q: index }))
    expect(await suite.database.query('SELECT q FROM formwire_form_abcdefghijkl')).toEqual([{ q: 0 }])
    expect(await suite.database.query('SELECT q FROM formwire_form_abcdefghijkl_2')).toEqual([{ q: 1 }])
  })

  it('turns a column of numbers into text with the first value that is not a number', async () => {
    const { handlers } = suite.sync('all')
    for (const [index, value] of [7, 'seven'].entries())
      await handlers['response.submitted'](event('abcdefghijkl', index + 1, { q: value }))
    const rows = await suite.database.query('SELECT q FROM formwire_form_abcdefghijkl ORDER BY id')
    expect(rows.map(({ q }) => String(q))).toEqual(['7', 'seven'])
  })

  it('adds columns to a view whose column of numbers cannot become text', async () => {
    const { handlers } = suite.sync('all')
    const deliver = (id: number, answers: Record<string, number | string>) =>
      handlers['response.submitted'](event('abcdefghijkl', id, answers))
    await deliver(1, { q: 7 })
    await suite.database.query('CREATE VIEW mine AS SELECT avg(q) AS mean FROM formwire_form_abcdefghijkl')
    await deliver(2, { q: 'seven' })
    await deliver(3, { q: 'eight', more: 'new' })
    const rows = await suite.database.query('SELECT id, more FROM formwire_form_abcdefghijkl ORDER BY id')
    expect(rows.map(({ id, more }) => [Number(id), more])).toEqual([
      [1, null],
      [2, null],
      [3, 'new'],
    ])
    expect(Number((await suite.database.query('SELECT mean FROM mine'))[0]?.mean)).toBeGreaterThan(0)
    await suite.database.query('DROP VIEW mine')
    await deliver(4, { q: 'nine' })
    const [last] = await suite.database.query('SELECT q FROM formwire_form_abcdefghijkl WHERE id = 4')
    expect(last).toEqual({ q: 'nine' })
  })

  it('shares what is known of the views between synchronizations of a store', async () => {
    const store = suite.database.store()
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
    const form = suite.service.form()
    suite.service.add(form, 2)
    await suite.sync(form, { store }).once()
    expect(statements.join('\n')).toContain('formwire_sync_questions')
    statements.length = 0
    suite.service.add(form, 1, () => '2026-11-21T11:00:00.000Z')
    expect(await suite.sync(form, { store }).once()).toMatchObject({ inserted: 1 })
    expect(statements.join('\n')).not.toContain('formwire_sync_questions')
  })
}
