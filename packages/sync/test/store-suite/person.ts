import { describe, expect, it } from 'vitest'
import { audit, erasePersonRows, findPersonRows } from '../../src/index.ts'
import { twinOf } from '../support/twin.ts'
import type { StoreSuite } from './suite.ts'

/** Finding and erasing the rows of a person. */
export function describePerson(suite: StoreSuite): void {
  const find = (forms?: readonly string[]) =>
    findPersonRows({ store: suite.database.store(), email: 'ada@example.com', forms })

  describe('findPersonRows() and erasePersonRows()', () => {
    it('finds rows by email and by answers, and the views that show them', async () => {
      const { server } = suite.service
      const [form, other] = [suite.service.form(), suite.service.form()]
      const create = (formId: string, why: string, more = {}) =>
        server.app.responses.create(formId, { answers: [{ question_id: 'why', value: why }], ...more }).id
      const ids = [
        create(form, 'ADA@example.com'),
        create(form, 'x', { email: 'Ada@Example.com' }),
        create(other, 'ada@example.com'),
        create(form, 'ada@example.com', { status: 'in_progress' }),
      ]
      create(form, 'write to ada@example.com', { email: 'bo@example.com' })
      suite.service.add(form, 600)
      await suite.sync('all', { drafts: true }).once()
      server.app.responses.delete(form, ids[1] as number)
      await suite.sync('all', { drafts: true }).once()
      const found = (await find()).toSorted((one, next) => one.id - next.id)
      expect(
        found.map(({ id, formId, status, deleted, columns }) => [id, formId, status, deleted, columns]),
      ).toEqual([
        [ids[0], form, 'submitted', false, ['why']],
        [ids[1], form, 'submitted', true, ['email']],
        [ids[2], other, 'submitted', false, ['why']],
        [ids[3], form, 'in_progress', false, ['why']],
      ])
      expect(found.map(({ view }) => view)).toEqual([
        `formwire_form_${form.toLowerCase()}`,
        null,
        `formwire_form_${other.toLowerCase()}`,
        null,
      ])
      expect((await find([other])).map(({ id }) => id)).toEqual([ids[2]])
    })

    it('finds the rows of all workspaces or of one, and erases those of each alone', async () => {
      const form = suite.service.form()
      const { id } = suite.service.server.app.responses.create(form, { email: 'ada@example.com' })
      const twin = await twinOf(suite.service)
      await suite.sync('all').once()
      await suite.sync('all', { formwire: twin.formwire }).once()
      const found = async (workspaceId?: string) =>
        (await findPersonRows({ store: suite.database.store(), email: 'ada@example.com', workspaceId })).map(
          (row) => [row.workspaceId, row.formId, row.id, row.view],
        )
      const ours = ['1', form, id, `formwire_form_${form.toLowerCase()}`]
      const theirs = ['2', form, id, `formwire_form_${form.toLowerCase()}_2`]
      expect(await found()).toEqual([ours, theirs])
      expect(await found('2')).toEqual([theirs])
      const rows = [{ workspaceId: '2', formId: form, id }]
      expect(await erasePersonRows({ store: suite.database.store(), rows })).toBe(1)
      expect(await found()).toEqual([ours])
    })

    it('finds rows by their ids, of one workspace or all, unless they are erased', async () => {
      const form = suite.service.form()
      const { id } = suite.service.server.app.responses.create(form, { email: 'ada@example.com' })
      const twin = await twinOf(suite.service)
      await suite.sync('all').once()
      await suite.sync('all', { formwire: twin.formwire }).once()
      await suite.database.query('UPDATE formwire_responses SET email = NULL')
      const store = suite.database.store()
      const found = async (workspaceId?: string, own?: string, forms?: string[]) => {
        const responses = [{ workspaceId: own, formId: form, id }]
        const rows = await findPersonRows({ store, responses, workspaceId, forms })
        return rows.map((row) => [row.workspaceId, row.formId, row.id, ...row.columns])
      }
      const [ours, theirs] = ['1', '2'].map((workspace) => [workspace, form, id, 'id'])
      expect(await found()).toEqual([ours, theirs])
      expect([await found('2'), await found(undefined, '2')]).toEqual([[theirs], [theirs]])
      expect([await found('1', '2'), await found(undefined, undefined, ['other'])]).toEqual([[], []])
      await erasePersonRows({ store, rows: [{ workspaceId: '1', formId: form, id }] })
      expect(await found()).toEqual([theirs])
    })

    it('finds every row where a page ends between two workspaces', async () => {
      const form = suite.service.form()
      suite.service.server.app.responses.create(form, {})
      const twin = await twinOf(suite.service)
      const ids = suite.service.add(form, 600)
      for (const _ of ids) twin.server.app.responses.create(form, {})
      await suite.sync('all').once()
      await suite.sync('all', { formwire: twin.formwire }).once()
      await suite.database.query("UPDATE formwire_responses SET email = 'ada@example.com'")
      await suite.database.query("DELETE FROM formwire_responses WHERE id < ? AND workspace_id = '2'", [
        ids[0] as number,
      ])
      expect(await find()).toHaveLength(1201)
    })

    it('clears rows, which no round and no late delivery bring back, and which are no difference', async () => {
      const form = suite.service.form()
      const { server } = suite.service
      suite.service.add(form, 3)
      const { id } = server.app.responses.create(form, {
        email: 'ada@example.com',
        answers: [{ question_id: 'why', value: 'because' }],
      })
      const one = suite.sync(form)
      await one.once()
      const event = {
        form: { id: form, title: 'Survey' },
        response: await suite.service.client().responses.get(form, id),
      }
      server.app.responses.delete(form, id)
      const rows = await find()
      expect(await erasePersonRows({ store: suite.database.store(), rows })).toBe(1)
      await one.handlers['response.submitted'](event as never)
      expect(await one.once()).toMatchObject({ inserted: 0, updated: 0, deleted: 0 })
      expect(
        await suite.database.query(
          'SELECT email, score, answers, meta FROM formwire_responses WHERE deleted_at IS NOT NULL',
        ),
      ).toEqual([{ email: null, score: null, answers: null, meta: null }])
      expect(await find()).toEqual([])
      const { equal } = await audit({
        formwire: suite.service.client(),
        store: suite.database.store(),
        forms: 'all',
      })
      expect(equal).toBe(true)
    })
  })
}
