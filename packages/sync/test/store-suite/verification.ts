import { describe, expect, it } from 'vitest'
import { NOON } from '../support/service.ts'
import { CORRUPTIONS, corrupted, type Sound } from './corruptions.ts'
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
