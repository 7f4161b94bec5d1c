import { describe, expect, it } from 'vitest'
import { audit, type FormAudit } from '../../src/index.ts'
import { AuditReads } from '../../src/store/audit-reads.ts'
import { viewsOf } from '../../src/store/views.ts'
import { NOON } from '../support/service.ts'
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
    const view = await viewsOf(store).definition(new AuditReads(store).session, form)
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
      store.read = async (sql, parameters) => {
        if (
          sql.includes('sort_key') &&
          suite.service.submitted(form).length === 3 &&
          parameters?.length === 2
        ) {
          suite.service.server.app.responses.delete(form, id)
          await suite.database.query("UPDATE formwire_responses SET deleted_at = 'now' WHERE id = ?", [id])
        }
        return await read(sql, parameters)
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

    it('rejects a database without tables, and writes nothing to it', async () => {
      suite.service.form()
      await expect(audited()).rejects.toThrow(
        'The database has no tables of @formwire/sync: synchronize it first.',
      )
      await expect(suite.database.query('SELECT id FROM formwire_forms')).rejects.toThrow('formwire_forms')
      await expect(audited([])).rejects.toThrow('"forms" must be "all" or a list of form ids')
    })
  })
}
