import { describe, expect, it } from 'vitest'
import type { SqlRow, SqlValue } from '../../src/index.ts'
import { seeded } from '../support/random.ts'
import { NOON } from '../support/service.ts'
import type { StoreSuite } from './suite.ts'

/** Comparing the database with the service, and repairing it. */
export function describeVerification(suite: StoreSuite): void {
  const verified = () => suite.sync('all', { drafts: true }).once({ verify: true })
  const EQUAL = { inserted: 0, updated: 0, deleted: 0 }

  /** What the service has of the live rows of forms that exist. */
  const content = () =>
    suite.query(
      `SELECT form_id, id, status, started_at, submitted_at, duration_sec, email, score, max_score, answers, meta FROM formwire_responses
        WHERE deleted_at IS NULL AND form_id IN (SELECT id FROM formwire_forms) ORDER BY form_id, id`,
    )

  /** A form with everything that rows may hold, synchronized. */
  async function sound(): Promise<Sound> {
    const { server } = suite.service
    const [form, other] = [suite.service.form(), suite.service.form('Other')]
    suite.service.add(form, 8)
    suite.service.add(other, 2)
    const gone = suite.service.add(form, 2)
    for (const [index, email] of ['ada@example.com', null, 'Bo@example.com'].entries())
      server.app.responses.create(form, {
        submitted_at: new Date(NOON - 1000 * index).toISOString(),
        ...(email !== null && { email }),
        meta: { device: 'desktop', ref: 'mail' },
        answers: [
          { question_id: 'nps', value: index },
          { question_id: 'why', value: `Because ${index} and "that"` },
        ],
      })
    for (const value of ['one', 'two'])
      server.app.responses.create(form, { status: 'in_progress', answers: [{ question_id: 'why', value }] })
    await suite.sync('all', { drafts: true }).once()
    for (const id of gone) server.app.responses.delete(form, id)
    await suite.sync('all', { drafts: true }).once()
    return { form, other, query: suite.database.query }
  }

  describe('once({ verify: true })', () => {
    it('finds a database equal, and finds and repairs each kind of corruption', async () => {
      const database = await sound()
      expect(await verified()).toMatchObject(EQUAL)
      const before = await content()
      const missed: string[] = []
      for (const [seed, name] of Object.keys(CORRUPTIONS).entries())
        await corrupted(database, name, seed, async () => {
          const { inserted, updated, deleted } = await verified()
          const isRepaired = JSON.stringify(await content()) === JSON.stringify(before)
          if (inserted + updated + deleted === 0 || !isRepaired)
            missed.push(`${seed}: ${name}: ${JSON.stringify({ inserted, updated, deleted, isRepaired })}`)
        })
      expect(missed).toEqual([])
      expect(await verified()).toMatchObject(EQUAL)
    })

    it('repairs a row whose answers are not JSON', async () => {
      const { form } = await sound()
      const text = suite.database.dialect.name === 'sqlite' ? '[{' : '"[{"'
      const before = await content()
      await suite.query(
        "UPDATE formwire_responses SET answers = ? WHERE form_id = ? AND email = 'ada@example.com'",
        [text, form],
      )
      expect(await verified()).toMatchObject({ ...EQUAL, updated: 1 })
      expect(await content()).toEqual(before)
    })
  })
}

/** A synchronized database with two forms. */
interface Sound {
  form: string
  other: string
  query(sql: string, parameters?: readonly SqlValue[]): Promise<SqlRow[]>
}

type Answer = { question_id: string; value: unknown; text: string }

interface Target extends Sound {
  /** A live submitted row of the form. */
  row: SqlRow
  /** A live draft, and a row that is marked deleted. */
  draft: SqlRow
  deleted: SqlRow
  set(row: SqlRow, column: string, value: SqlValue): Promise<unknown>
  /** Changes the answers of a row. */
  answers(row: SqlRow, change: (answers: Answer[]) => Answer[]): Promise<unknown>
  invent(submittedAt: string | null): Promise<unknown>
}

const otherPrecision = (text: unknown): string => String(text).replace(/\.000Z$/, 'Z')

/** What may go wrong in a database, each in one row. */
const CORRUPTIONS: Readonly<Record<string, (target: Target) => Promise<unknown>>> = {
  'row deleted': ({ query, row }) => query('DELETE FROM formwire_responses WHERE id = ?', [Number(row.id)]),
  'row invented': ({ invent, row }) => invent(String(row.submitted_at)),
  'row invented after every other': ({ invent }) => invent('2031-01-01T00:00:00.000Z'),
  'row invented without an instant': ({ invent }) => invent(null),
  'answer changed by one character': ({ answers, row }) =>
    answers(row, ([first, ...rest]) => [{ ...(first as Answer), text: `${first?.text}.` }, ...rest]),
  'value of an answer changed': ({ answers, row }) =>
    answers(row, ([first, ...rest]) => [{ ...(first as Answer), value: 11 }, ...rest]),
  'number as text': ({ answers, row }) =>
    answers(row, ([first, ...rest]) => [{ ...(first as Answer), value: String(first?.value) }, ...rest]),
  'answer left out': ({ answers, row }) => answers(row, ([_first, ...rest]) => rest),
  'answers exchanged': ({ answers, row }) => answers(row, (all) => all.toReversed()),
  'answers without a list': ({ set, row }) => set(row, 'answers', '{}'),
  'answers null': ({ set, row }) => set(row, 'answers', null),
  'empty text for null, or null for a text': ({ set, row }) =>
    set(row, 'email', row.email === null ? '' : null),
  'zero for null': ({ set, row }) => set(row, 'score', 0),
  'duration off by one': ({ set, row }) => set(row, 'duration_sec', Number(row.duration_sec) + 1),
  'another precision of submitted_at': ({ set, row }) =>
    set(row, 'submitted_at', otherPrecision(row.submitted_at)),
  'another precision of started_at': ({ set, row }) => set(row, 'started_at', otherPrecision(row.started_at)),
  'another instant': ({ set, row }) => set(row, 'submitted_at', '2026-11-01T00:00:00.000Z'),
  'no instant': ({ set, row }) => set(row, 'submitted_at', null),
  'meta emptied': ({ set, row }) => set(row, 'meta', '{"device":"phone"}'),
  'deleted_at set': ({ set, row }) => set(row, 'deleted_at', '2026-11-21T11:00:00.000Z'),
  'deleted_at cleared': ({ set, deleted }) => set(deleted, 'deleted_at', null),
  'submitted row as a draft': ({ set, row }) => set(row, 'status', 'in_progress'),
  'another status': ({ set, row }) => set(row, 'status', 'archived'),
  'answer of a draft changed': ({ answers, draft }) =>
    answers(draft, ([first, ...rest]) => [{ ...(first as Answer), value: 'three' }, ...rest]),
  'draft deleted': ({ query, draft }) =>
    query('DELETE FROM formwire_responses WHERE id = ?', [Number(draft.id)]),
  'row of another form': ({ set, row, other }) => set(row, 'form_id', other),
  'row of an unknown form': ({ set, row }) => set(row, 'form_id', 'unknown00000'),
  'id changed': ({ set, row }) => set(row, 'id', 990_000),
}

const plain = (value: unknown): SqlValue =>
  value !== null && typeof value === 'object' ? JSON.stringify(value) : (value as SqlValue)

/** Corrupts the database, runs a test, and restores the database. */
async function corrupted(sound: Sound, name: string, seed: number, test: () => Promise<void>): Promise<void> {
  const { form, query } = sound
  const below = seeded(seed + 1)
  const rows = await query('SELECT * FROM formwire_responses')
  const one = (accepts: (row: SqlRow) => boolean): SqlRow => {
    const accepted = rows.filter((row) => row.form_id === form && accepts(row))
    return accepted[below(accepted.length)] as SqlRow
  }
  const set = (row: SqlRow, column: string, value: SqlValue): Promise<unknown> =>
    query(`UPDATE formwire_responses SET ${column} = ? WHERE id = ?`, [value, Number(row.id)])
  await CORRUPTIONS[name]?.({
    ...sound,
    row: one(({ status, deleted_at }) => status === 'submitted' && deleted_at === null),
    draft: one(({ status }) => status === 'in_progress'),
    deleted: one(({ deleted_at }) => deleted_at !== null),
    set,
    answers: (row, change) => {
      const answers = typeof row.answers === 'string' ? JSON.parse(row.answers) : row.answers
      return set(row, 'answers', JSON.stringify(change(answers as Answer[])))
    },
    invent: (submittedAt) =>
      query(
        `INSERT INTO formwire_responses (form_id, workspace_id, id, status, submitted_at, answers, meta, synced_at) VALUES (?, '1', 880000, 'submitted', ?, '[]', '{}', '')`,
        [form, submittedAt],
      ),
  })
  try {
    await test()
  } finally {
    await query('DELETE FROM formwire_responses')
    for (const row of rows) {
      const names = Object.keys(row)
      await query(
        `INSERT INTO formwire_responses (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row).map(plain),
      )
    }
  }
}
