import { describe, expect, it } from 'vitest'
import { audit, type FormAudit, findPersonRows } from '../../src/index.ts'
import { AuditReads } from '../../src/store/audit-reads.ts'
import { viewsOf } from '../../src/store/views.ts'
import { asVersion } from '../support/earlier-version.ts'
import { NOON } from '../support/service.ts'
import { twinOf } from '../support/twin.ts'
import { CORRUPTIONS, corrupted, type Sound } from './corruptions.ts'
import type { StoreSuite } from './suite.ts'

const CASES = 50

/** Comparing the database with the service. */
export function describeAudit(suite: StoreSuite): void {
  const audited = (forms: readonly string[] | 'all' = 'all', options = {}) =>
    audit({ formwire: suite.service.client(), store: suite.database.store(), forms, ...options })

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
    const store = suite.database.store()
    const view = await viewsOf(store, '1').definition(new AuditReads(store, '1').session, form)
    return { form, other, view: view as NonNullable<typeof view>, query: suite.database.query }
  }

  describe('audit()', () => {
    it('finds an untouched database equal, with GET requests only', async () => {
      const { form } = await sound()
      const before = suite.service.requests
      const methods = new Set<string>()
      suite.service.before = ({ method }) => void methods.add(method)
      const result = await audited()
      expect(result).toMatchObject({ equal: true, requests: suite.service.requests - before })
      expect([...methods]).toEqual(['GET'])
      expect(result.forms.find(({ id }) => id === form)).toEqual({
        id: form,
        rows: 13,
        responses: 13,
        equal: true,
        missing: 0,
        extra: 0,
        different: 0,
        first: [],
        hashes: { table: expect.stringMatching(/^[\da-f]{64}$/), service: expect.any(String) },
      })
      for (const { hashes } of result.forms) expect(hashes.table).toBe(hashes.service)
    })

    it(`finds each of ${CASES} seeded corruptions, and what they changed`, async () => {
      const database = await sound()
      const [{ hashes }] = (await audited([database.form])).forms as unknown as [FormAudit]
      const missed: string[] = []
      for (let seed = 0; seed < CASES; seed += 1) {
        const name = Object.keys(CORRUPTIONS)[seed % Object.keys(CORRUPTIONS).length] as string
        await corrupted(database, name, seed, async () => {
          const result = await audited()
          const differences = result.forms.flatMap(({ first }) => first)
          const counts = result.forms.flatMap(({ missing, extra, different }) => missing + extra + different)
          const isFound = !result.equal && differences.length > 0 && Math.max(...counts) > 0
          const isView = differences.every(({ kind }) => kind === 'view')
          const isHashed = isView || result.forms.some((form) => form.hashes.table !== form.hashes.service)
          if (!isFound || !isHashed) missed.push(`${seed}: ${name}: ${JSON.stringify(result)}`)
          expect(JSON.stringify(result)).not.toMatch(/Because|example\.com/)
        })
      }
      expect(missed).toEqual([])
      expect((await audited([database.form])).forms[0]).toMatchObject({ equal: true, hashes })
    })

    it('[POLL-02] ignores responses that are submitted or deleted while it reads', async () => {
      const form = suite.service.form()
      const ids = suite.service.add(form, 700)
      await suite.sync(form).once()
      let pages = 0
      suite.service.before = ({ url }) => {
        if (!url.includes('/responses?')) return
        pages += 1
        // The oldest ones have not been listed yet, and the newest ones have.
        const oldest = ids.shift()
        const newest = ids.pop()
        if (pages < 2) return
        suite.service.server.app.responses.delete(form, oldest as number)
        suite.service.server.app.responses.delete(form, newest as number)
        suite.service.add(form, 3, () => new Date(NOON).toISOString())
      }
      const result = await audited([form])
      expect(result.forms[0]).toMatchObject({ equal: true, missing: 0, extra: 0, different: 0 })
      suite.service.before = undefined
      expect(await audited([form])).toMatchObject({ equal: false })
    })

    it('[POLL-02] ignores a response whose row is marked deleted between its page and its row', async () => {
      const form = suite.service.form()
      const [id] = suite.service.add(form, 3) as [number]
      await suite.sync(form).once()
      const store = suite.database.store()
      const read = store.read.bind(store)
      store.read = async (sql, parameters, options) => {
        if (
          sql.includes('sort_key') &&
          suite.service.submitted(form).length === 3 &&
          parameters?.length === 3
        ) {
          suite.service.server.app.responses.delete(form, id)
          await suite.database.query("UPDATE formwire_responses SET deleted_at = 'now' WHERE id = ?", [id])
        }
        return await read(sql, parameters, options)
      }
      const { forms } = await audit({ formwire: suite.service.client(), store, forms: [form] })
      expect(suite.service.submitted(form)).not.toContain(id)
      expect(forms[0]).toMatchObject({ equal: true, rows: 2, responses: 2 })
    })

    it('[POLL-02] finds an invented row although responses are deleted while it reads', async () => {
      const form = suite.service.form()
      const ids = suite.service.add(form, 400)
      await suite.sync(form).once()
      await suite.database.query('UPDATE formwire_responses SET id = 900000 WHERE id = ?', [ids[5] as number])
      suite.service.server.app.responses.delete(form, ids[5] as number)
      let pages = 0
      suite.service.before = ({ url }) => {
        if (url.includes('page=3')) pages += 1
        if (pages === 1) suite.service.server.app.responses.delete(form, ids.shift() as number)
      }
      const { forms } = await audited([form])
      expect(forms[0]?.equal).toBe(false)
      expect(forms[0]?.first).toContainEqual({ id: 900_000, kind: 'extra', columns: [] })
    })

    it('reads an emptied table of many responses with one request per page, and 100 at most for differences', async () => {
      const form = suite.service.form()
      suite.service.add(form, 1000)
      await suite.sync(form).once()
      await suite.database.query('DELETE FROM formwire_responses')
      const result = await audited([form])
      expect(result.forms[0]).toMatchObject({
        rows: 0,
        responses: 1000,
        missing: 1000,
        extra: 0,
        different: 0,
      })
      expect(result.forms[0]?.first).toHaveLength(10)
      // Workspace, form, pages, differences.
      expect(result.requests).toBeLessThanOrEqual(2 + 11 + 100)
    })

    it('finds a row that a webhook wrote and no poll has completed', async () => {
      const form = suite.service.form()
      const [id] = suite.service.add(form, 1) as [number]
      await suite.sync(form).once()
      await suite.database.query('UPDATE formwire_responses SET started_at = NULL, duration_sec = NULL')
      expect((await audited([form])).forms[0]?.first).toEqual([
        { id, kind: 'different', columns: ['started_at', 'duration_sec'] },
      ])
    })

    it('expects the rows of deleted responses with deletions: false', async () => {
      const form = suite.service.form()
      const [id] = suite.service.add(form, 3) as [number]
      await suite.sync(form, { deletions: false }).once()
      suite.service.server.app.responses.delete(form, id)
      expect((await audited([form])).forms[0]?.first).toEqual([{ id, kind: 'extra', columns: [] }])
      expect((await audited([form], { deletions: false })).equal).toBe(true)
    })

    it('compares drafts if the table has any, or always with drafts: true', async () => {
      const form = suite.service.form()
      suite.service.add(form, 1)
      const [first, second] = ['one', 'two'].map((value) =>
        suite.service.server.app.responses.create(form, {
          status: 'in_progress',
          answers: [{ question_id: 'why', value }],
        }),
      ) as unknown as [{ id: number }, { id: number }]
      await suite.sync(form).once()
      expect((await audited([form])).equal).toBe(true)
      expect((await audited([form], { drafts: true })).forms[0]).toMatchObject({ equal: false, missing: 2 })
      await suite.sync(form, { drafts: true }).once()
      expect((await audited([form])).forms[0]).toMatchObject({ equal: true, rows: 3 })
      await suite.database.query('DELETE FROM formwire_responses WHERE id = ?', [first.id])
      await suite.database.query(
        "UPDATE formwire_responses SET id = 77, status = 'in_progress' WHERE id = ?",
        [second.id],
      )
      expect((await audited([form], { drafts: true })).forms[0]).toMatchObject({ missing: 2, extra: 1 })
    })

    it('leaves out a form that is trashed, whose rows stay, and rejects a given form that does not exist', async () => {
      const form = suite.service.form()
      suite.service.add(form, 2)
      await suite.sync('all').once()
      suite.service.server.app.forms.trash(form)
      await suite.sync('all').once()
      expect(await audited()).toMatchObject({ equal: true, forms: [] })
      await expect(audited([form])).rejects.toMatchObject({ status: 404 })
    })

    it('compares each of two workspaces that have the same ids alone', async () => {
      const form = suite.service.form()
      const ids = suite.service.add(form, 5)
      const draft = { status: 'in_progress' as const, answers: [{ question_id: 'why', value: 'later' }] }
      suite.service.server.app.responses.create(form, draft)
      const twin = await twinOf(suite.service)
      await suite.sync('all', { drafts: true }).once()
      await suite.sync('all', { drafts: true, formwire: twin.formwire }).once()
      const results = async (): Promise<unknown[]> =>
        [
          await audited('all', { drafts: true }),
          await audited('all', { drafts: true, formwire: twin.formwire }),
        ].map(({ equal, forms }) => [equal, forms.flatMap(({ first }) => first)])
      expect(await results()).toEqual([
        [true, []],
        [true, []],
      ])
      const change = (sql: string, ...parameters: number[]) =>
        suite.database.query(`${sql} AND workspace_id = '2'`, parameters)
      await change('DELETE FROM formwire_responses WHERE id = ?', ids[1] as number)
      await change("UPDATE formwire_responses SET email = 'x' WHERE id = ?", ids[2] as number)
      await change("UPDATE formwire_responses SET form_id = 'unknown00000' WHERE id = ?", ids[3] as number)
      const [ours, theirs] = await results()
      expect(ours).toEqual([true, []])
      const differences = (theirs as [boolean, { id: number; kind: string }[]])[1]
      expect(differences.map(({ id, kind }) => [id, kind]).sort()).toEqual([
        [ids[1], 'missing'],
        [ids[2], 'different'],
        [ids[3], 'extra'],
        [ids[3], 'missing'],
      ])
    })

    it('reports a view that shows rows of another workspace too', async () => {
      const form = suite.service.form()
      suite.service.add(form, 2)
      const twin = await twinOf(suite.service)
      await suite.sync('all').once()
      await suite.sync('all', { formwire: twin.formwire }).once()
      const store = suite.database.store()
      const view = await viewsOf(store, '1').definition(new AuditReads(store, '1').session, form)
      const wide = view?.query.replace(/ AND r\.workspace_id = '1'/, '')
      await suite.database.query(`DROP VIEW "${view?.name}"`)
      await suite.database.query(`CREATE VIEW "${view?.name}" AS ${wide}`)
      const { forms } = await audited()
      expect(forms[0]?.first).toContainEqual({ id: null, kind: 'view', columns: ['id'] })
      expect(await audited('all', { formwire: twin.formwire })).toMatchObject({ equal: true })
    })

    it.each([2, 4] as const)('rejects tables of version %d, and does not upgrade them', async (version) => {
      suite.service.add(suite.service.form(), 2)
      await suite.sync('all').once()
      await asVersion(suite.database, version)
      const refused = {
        code: 'refused',
        message: `The database has tables of version ${version}, which the next synchronization upgrades. Run a synchronization first.`,
      }
      await expect(audited()).rejects.toMatchObject(refused)
      await expect(
        findPersonRows({ store: suite.database.store(), email: 'ada@example.com' }),
      ).rejects.toMatchObject(refused)
      const [tables] = await suite.database.query('SELECT version FROM formwire_sync_version')
      expect(Number(tables?.version)).toBe(version)
      await suite.sync('all').once()
      expect((await audited()).equal).toBe(true)
    })

    it('says that the tables are newer if another process upgrades them meanwhile', async () => {
      const form = suite.service.form()
      suite.service.add(form, 1)
      await suite.sync('all').once()
      suite.service.before = async ({ url }) => {
        if (!url.includes('/responses')) return
        suite.service.before = undefined
        await suite.database.query('ALTER TABLE formwire_responses RENAME COLUMN workspace_id TO place_id')
        await suite.database.query('UPDATE formwire_sync_version SET version = 7')
      }
      await expect(audited()).rejects.toMatchObject({ name: 'StoreError', code: 'newer_version' })
    })

    it('rejects a database without tables, and writes nothing to it', async () => {
      suite.service.form()
      await expect(audited()).rejects.toMatchObject({
        code: 'refused',
        message: 'The database has no tables of @formwire/sync. Run a synchronization first.',
      })
      await expect(suite.database.query('SELECT id FROM formwire_forms')).rejects.toThrow('formwire_forms')
      await expect(audited([])).rejects.toThrow('"forms" must be "all" or a list of form ids')
    })
  })
}
