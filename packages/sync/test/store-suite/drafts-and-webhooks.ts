import { expect, it } from 'vitest'
import type { SubmittedEvent } from '../../src/index.ts'
import { startService } from '../support/service.ts'
import type { StoreSuite } from './suite.ts'

/** Rows that a later round completes. */
export function describeDraftsAndWebhooks(suite: StoreSuite): void {
  /** The event of a response that the service has. */
  const eventOf = async (form: string, id: number): Promise<SubmittedEvent> => {
    const response = await suite.service.client().responses.get(form, id)
    const submitted_at = response.submitted_at as string
    return { form: { id: form, title: 'Survey' }, response: { ...response, submitted_at } }
  }

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
      const one = suite.sync(form, { formwire: other.client(), drafts: true })
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
      expect(await suite.live(form)).toEqual(other.submitted(form))
      expect(await suite.live(form, 'in_progress')).toEqual([drafts[1]?.id, drafts[3]?.id])
      const [row] = await suite.query('SELECT answers FROM formwire_responses WHERE form_id = ? AND id = ?', [
        form,
        drafts[1]?.id as number,
      ])
      expect(JSON.stringify(row?.answers)).toContain('changed')
      expect((await one.once()).requests).toBeLessThanOrEqual(3)
      // Without drafts, the rows of drafts stay as they are.
      await suite.sync(form, { formwire: other.client() }).once()
      expect((await suite.live(form, 'in_progress')).length).toBe(2)
    }
  })

  it('writes a webhook at once and completes it with the next poll', async () => {
    const form = suite.service.filled(3)
    const calls: [number, boolean][] = []
    const one = suite.sync(form, { onResponse: ({ id, complete }) => void calls.push([id, complete]) })
    await one.once()
    const { id } = suite.service.server.app.responses.create(form, {
      answers: [{ question_id: 'nps', value: 7 }],
    })
    const event = await eventOf(form, id)
    await one.handlers['response.submitted'](event)
    await one.handlers['response.submitted'](event)
    const sql = 'SELECT started_at, submitted_at FROM formwire_responses WHERE id = ?'
    const row = async () => (await suite.query(sql, [id]))[0]
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
    suite.service.server.app.responses.delete(form, id)
    await one.once()
    await one.handlers['response.submitted'](event)
    expect(await suite.live(form)).not.toContain(id)
  })

  it('passes a submitted draft to onResponse in the order of every other response', async () => {
    const form = suite.service.form()
    const names: string[][] = []
    const onResponse = (response: object) => void names.push(Object.keys(response))
    const one = suite.sync(form, { drafts: true, onResponse })
    const { responses } = suite.service.server.app
    const draft = responses.create(form, { status: 'in_progress' }).id
    await one.once()
    for (const id of [draft, responses.create(form, {}).id]) {
      const event = await eventOf(form, id)
      const submitted_at = '2026-11-21T12:00:00.000Z'
      await one.handlers['response.submitted']({ ...event, response: { ...event.response, submitted_at } })
    }
    expect(names[0]?.slice(0, 2)).toEqual(['id', 'form_id'])
    expect(names).toEqual([names[1], names[1]])
  })

  it('does not ask again for a row that cannot be completed', async () => {
    const form = suite.service.form()
    const one = suite.sync(form, { deletions: false })
    const id = suite.service.server.app.responses.create(form, {}).id
    const event = await eventOf(form, id)
    suite.service.server.app.responses.delete(form, id)
    await one.handlers['response.submitted'](event)
    const { requests } = await one.once()
    expect(await one.once()).toMatchObject({ requests: requests - 2 })
  })
}
