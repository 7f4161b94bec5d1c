import { expect, it } from 'vitest'
import { byTier } from '../../../../test/support/cases.ts'
import { seeded } from '../support/random.ts'
import { type EventContent, eventOf, NOON } from '../support/service.ts'
import { dropEverything } from '../support/start-over.ts'
import type { StoreSuite } from './suite.ts'

const SEEDS = Array.from({ length: byTier(1, 3) }, (_, index) => index + 1)

/** One view a form with a column a question. */
export function describeViews(suite: StoreSuite): void {
  it('creates a view a form with a column a question', async () => {
    const form = suite.service.filled(5)
    await suite.sync('all').once()
    const view = `formwire_form_${form.toLowerCase()}`
    const hasTimes = suite.database.store().dialect.name === 'postgres'
    const instant = (text: string): unknown => (hasTimes ? new Date(text) : text)
    // The driver returns numeric as text.
    const number = (value: number): unknown => (hasTimes ? String(value) : value)
    expect(await suite.query(`SELECT * FROM ${view} ORDER BY id LIMIT 2`)).toEqual([
      {
        id: expect.anything(),
        submitted_at: instant('2026-10-22T12:00:00.000Z'),
        nps: number(0),
        colour: 'Red',
      },
      {
        id: expect.anything(),
        submitted_at: instant('2026-10-22T12:00:01.000Z'),
        nps: number(1),
        colour: 'Red, Blue',
      },
    ])
    expect((await suite.query(`SELECT round(avg(nps / 3.0), 2) AS mean FROM ${view}`))[0]?.mean).toEqual(
      number(0.67),
    )
    suite.service.server.app.responses.create(form, { answers: [{ question_id: 'why', value: 'new' }] })
    await suite.sync('all').once()
    expect(await suite.query(`SELECT why FROM ${view} WHERE why IS NOT NULL`)).toEqual([{ why: 'new' }])
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
    await suite.sync('all').handlers['response.submitted'](eventOf(form, 1, { answers }))
    const [view] = await suite.query('SELECT name FROM formwire_sync_views WHERE form_id = ?', [form])
    const [row] = await suite.query(`SELECT * FROM "${String(view?.name).replaceAll('"', '""')}"`)
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
      (await suite.query('SELECT count(*) AS n FROM formwire_responses')).map(({ n }) => Number(n)),
    ).toEqual([1])
  })

  it('gives views of form ids that differ only in case different names', async () => {
    const { handlers } = suite.sync('all')
    for (const [index, id] of ['abcdefGHIJKL', 'ABCDEFghijkl'].entries())
      await handlers['response.submitted'](eventOf(id, index + 1, { answers: { q: index } }))
    const shown = async (view: string) =>
      Number((await suite.query(`SELECT q FROM formwire_form_${view}`))[0]?.q)
    expect(await shown('abcdefghijkl')).toBe(0)
    expect(await shown('abcdefghijkl_2')).toBe(1)
  })

  const VIEW = 'formwire_form_abcdefghijkl'
  /** Delivers to one process. */
  const receiver = (options = {}) => {
    const { handlers } = suite.sync('all', options)
    return (id: number, answers: EventContent['answers'] = [], type?: string) =>
      handlers['response.submitted'](eventOf('abcdefghijkl', id, { answers, type }))
  }
  const columnsOf = async (view: string): Promise<string[]> =>
    (await suite.query(suite.database.dialect.listColumns, [view])).map(({ name }) => String(name))

  it('gives a question that changes its kind a further column, and its earlier one when it changes back', async () => {
    const deliver = receiver()
    await deliver(1, { q: 7 })
    await suite.query(`CREATE VIEW mine AS SELECT avg(q) AS mean FROM ${VIEW}`)
    await deliver(2, { q: 'seven' })
    await deliver(3, { q: '2026-11-21' }, 'date')
    await deliver(4, { q: 9 })
    await deliver(5, { q: 'nine' })
    expect(await columnsOf(VIEW)).toEqual(['id', 'submitted_at', 'q', 'q_2', 'q_3'])
    const [text, number] = suite.database.dialect.name === 'postgres' ? ['::text', '::int'] : ['', '']
    expect(
      await suite.query(`SELECT q${number} AS q, q_2, q_3${text} AS q_3 FROM ${VIEW} ORDER BY id`),
    ).toEqual([
      { q: 7, q_2: null, q_3: null },
      { q: null, q_2: 'seven', q_3: null },
      { q: null, q_2: null, q_3: '2026-11-21' },
      { q: 9, q_2: null, q_3: null },
      { q: null, q_2: 'nine', q_3: null },
    ])
    expect((await suite.query('SELECT mean FROM mine')).map(({ mean }) => Number(mean))).toEqual([8])
  })

  it('names the columns of further kinds apart from those of other questions', async () => {
    const deliver = receiver()
    await deliver(1, { q: 1, Q: 'a' })
    await deliver(2, { q: 'b', q_3: 'c', ID: 1 })
    await deliver(3, { Q: 2, id: 'd', ID: 'e', q_2: 3 })
    expect(await columnsOf(VIEW)).toEqual([
      ...['id', 'submitted_at', 'q', 'Q_2', 'q_3', 'q_3_2', 'ID_2'],
      ...['Q_4', 'id_3', 'ID_4', 'q_2_2'],
    ])
    const [row] = await suite.query(`SELECT * FROM ${VIEW} WHERE id = 3`)
    expect(row).toMatchObject({ q: null, Q_2: null, id_3: 'd', ID_2: null, ID_4: 'e' })
    expect([row?.Q_4, row?.q_2_2].map(Number)).toEqual([2, 3])
  })

  it('gives an answer without a value no column', async () => {
    const deliver = receiver()
    const { answers } = eventOf('abcdefghijkl', 1, { answers: { q: 'x', r: 'y' } }).response
    await deliver(
      1,
      answers.map((one) => (one.question_id === 'q' ? { ...one, value: null } : one)),
    )
    await deliver(2, { q: 5 })
    expect(await columnsOf(VIEW)).toEqual(['id', 'submitted_at', 'r', 'q'])
  })

  it.each(SEEDS)('is the same in a database that has followed and in a new one (%i)', async (seed) => {
    const { app } = suite.service.server
    const below = seeded(seed)
    const form = suite.service.form()
    const ids = ['a', 'b', 'c', 'A', 'id', 'a_2', 'd', 'e']
    const draft = app.responses.create(form, {
      status: 'in_progress',
      answers: [{ question_id: 'why', value: 'later' }],
    }).id
    for (let index = 0; index < 130; index += 1) {
      const asked = ids.slice(0, 1 + below(Math.min(ids.length, 1 + (index >> 3))))
      const types = asked.map((id) => ({ id, type: (['number', 'short_text', 'date'] as const)[below(3)] }))
      const questions = [...types, { id: 'why', type: 'long_text' as const }]
      app.forms.update(form, {
        questions: questions.map((one) => ({ ...one, title: one.id })) as never,
      })
      app.forms.publish(form)
      app.responses.create(form, {
        // Some of the same instant.
        submitted_at: new Date(NOON - 86_400_000 + (index >> 1) * 1000).toISOString(),
        answers: types.toReversed().map(({ id, type }) => ({
          question_id: id,
          value: type === 'number' ? below(10) : type === 'date' ? '2026-11-21' : 'text',
        })),
      })
      if (below(4) === 0 && index % 2 === 1) await suite.sync(form, { drafts: true }).once()
    }
    app.responses.delete(form, draft)
    app.responses.create(form, { answers: [{ question_id: 'why', value: 'now' }] })
    await suite.sync(form, { drafts: true }).once()
    const view = `formwire_form_${form.toLowerCase()}`
    const shown = async () => [await columnsOf(view), await suite.query(`SELECT * FROM ${view} ORDER BY id`)]
    const followed = await shown()
    expect(followed[0]?.length).toBeGreaterThan(15)
    await dropEverything(suite.database)
    await suite.sync(form, { drafts: true, store: suite.database.store() }).once()
    expect(await shown()).toEqual(followed)
  })

  it('has a row for each option, cell or other answer in a view of its own', async () => {
    const choice = (question_id: string, ids: string[], other: string | null, text: string) => ({
      ...{ question_id, title: 'Q', type: 'multiple_choice', value: { ids, other }, text },
    })
    const answers = [
      { question_id: 'nps', title: 'Q', type: 'nps', value: 9, text: '9' },
      choice('one', ['a'], null, 'Yes, please'),
      choice('two', ['a', 'b'], null, 'Red, "Blue"'),
      choice('other', ['b'], 'Pink, "light"', 'Blue, Pink, "light"'),
      choice('only other', [], 'Grey', 'Grey'),
      choice('unclear', ['a', 'b'], null, 'Yes, please, No'),
      choice('none', [], null, ''),
      { question_id: 'grid', title: 'Q', type: 'grid_single', value: { r: 'c' }, text: 'Row: Column' },
      {
        ...{ question_id: 'cells', title: 'Q', type: 'grid_multiple', value: { r: ['c', 'd'], s: [] } },
        text: 'Row: C, D',
      },
      { question_id: 'city', title: 'Q', type: 'address', value: { city: 'Ulm' }, text: 'Ulm' },
      { question_id: 'why', title: 'Q', type: 'long_text', value: "it's", text: "it's" },
    ]
    await receiver()(7, answers)
    const rows = await suite.query(`SELECT * FROM ${VIEW}_answers`)
    expect(
      rows.map(({ response_id, value, ...row }) => [
        Number(response_id),
        ...Object.values(row),
        suite.database.dialect.parseJson(value),
      ]),
    ).toEqual([
      [7, 'nps', 'nps', null, '9', 9],
      [7, 'one', 'multiple_choice', 'a', 'Yes, please', { ids: ['a'], other: null }],
      [7, 'two', 'multiple_choice', 'a', 'Red', { ids: ['a', 'b'], other: null }],
      [7, 'two', 'multiple_choice', 'b', '"Blue"', { ids: ['a', 'b'], other: null }],
      [7, 'other', 'multiple_choice', 'b', 'Blue', { ids: ['b'], other: 'Pink, "light"' }],
      [7, 'other', 'multiple_choice', null, 'Pink, "light"', { ids: ['b'], other: 'Pink, "light"' }],
      [7, 'only other', 'multiple_choice', null, 'Grey', { ids: [], other: 'Grey' }],
      [7, 'unclear', 'multiple_choice', 'a', null, { ids: ['a', 'b'], other: null }],
      [7, 'unclear', 'multiple_choice', 'b', null, { ids: ['a', 'b'], other: null }],
      [7, 'grid', 'grid_single', 'c', 'Row: Column', { r: 'c' }],
      [7, 'cells', 'grid_multiple', 'c', 'Row: C, D', { r: ['c', 'd'], s: [] }],
      [7, 'cells', 'grid_multiple', 'd', 'Row: C, D', { r: ['c', 'd'], s: [] }],
      [7, 'city', 'address', null, 'Ulm', { city: 'Ulm' }],
      [7, 'why', 'long_text', null, "it's", "it's"],
    ])
  })

  it('walks through the answers once a row, however many questions there are, and says what it leaves out after 1,000', async () => {
    const full: unknown[] = []
    const deliver = receiver({ onViewFull: (view: object) => full.push(view) })
    const ids = Array.from({ length: 1003 }, (_, index) => `q${index + 1}`)
    const answers = Object.fromEntries(ids.map((id) => [id, `answer to ${id}`]))
    for (const id of [1, 2]) await deliver(id, answers)
    expect(full).toEqual([
      { formId: 'abcdefghijkl', answersView: `${VIEW}_answers`, leftOut: ['q1001', 'q1002', 'q1003'] },
    ])
    const [row] = await suite.query(`SELECT * FROM ${VIEW}`)
    expect(Object.keys(row ?? {})).toHaveLength(1002)
    expect(row).toMatchObject({ q1: 'answer to q1', q1000: 'answer to q1000' })
    const postgres = suite.database.dialect.name === 'postgres'
    const [view] = await suite.query(
      postgres
        ? `SELECT pg_get_viewdef('${VIEW}'::regclass) AS sql`
        : `SELECT sql FROM sqlite_master WHERE name = '${VIEW}'`,
    )
    const walk = postgres ? /jsonb_array_elements/g : /json_each\(r\.answers\)/g
    expect(String(view?.sql).match(walk)).toHaveLength(1)
  })

  it('is rebuilt by a verification when another program has replaced it, and a table in its place stays', async () => {
    const form = suite.service.filled(1)
    await suite.sync(form).once()
    const view = `formwire_form_${form.toLowerCase()}`
    await suite.query(`DROP VIEW ${view}`)
    await suite.query(`CREATE VIEW ${view} AS SELECT id FROM formwire_responses WHERE FALSE`)
    await suite.sync(form, { store: suite.database.store() }).once({ verify: true })
    expect(await suite.query(`SELECT colour FROM ${view}`)).toEqual([{ colour: 'Red' }])
    await suite.query(`DROP VIEW ${view}`)
    await suite.query(`CREATE TABLE ${view} (mine INTEGER)`)
    await suite.sync(form, { store: suite.database.store() }).once({ verify: true })
    expect(await columnsOf(view)).toEqual(['mine'])
  })
}
