import { expect, it } from 'vitest'
import type { Drift } from '../../src/index.ts'
import type { StoreSuite } from './suite.ts'

const CHANGED = [
  { id: 'nps', type: 'scale', title: 'Would you recommend us?' },
  { id: 'why', type: 'long_text', title: 'Why?' },
]

/** What `onDrift` reports. */
export function describeDrift(suite: StoreSuite): void {
  /** Runs another synchronization of the same database, as after a restart, and returns what it reports. */
  const drifts = async (forms: string | 'all' = 'all', once = 1): Promise<Drift[]> => {
    const found: Drift[] = []
    const sync = suite.sync(forms, {
      store: suite.database.store(),
      formwire: suite.service.client(),
      onDrift: (drift) => void found.push(drift),
    })
    for (let count = 0; count < once; count += 1) await sync.once()
    return found
  }
  const respond = (formId: string, minute: number, answers: object): number =>
    suite.service.server.app.responses.create(formId, {
      submitted_at: `2026-11-21T11:${String(minute).padStart(2, '0')}:00.000Z`,
      answers: Object.entries(answers).map(([question_id, value]) => ({ question_id, value })),
    }).id

  it('[RESP-06] reports a question that appears and one that changes its type once, also after a restart', async () => {
    const formId = suite.service.form()
    suite.service.add(formId, 3)
    const { app } = suite.service.server
    expect(await drifts()).toEqual([])
    respond(formId, 0, { nps: 9 })
    app.forms.update(formId, { questions: CHANGED as never })
    app.forms.publish(formId)
    respond(formId, 1, { nps: 3, why: 'Because' })
    expect(await drifts('all', 2)).toEqual([
      { kind: 'question_changed', formId, questionId: 'nps', type: 'scale', before: 'nps' },
      { kind: 'question_added', formId, questionId: 'why', type: 'long_text' },
    ])
    expect(await drifts()).toEqual([])
  })

  it('[RESP-06] reports a question that goes when too many responses leave it out for chance', async () => {
    const formId = suite.service.form()
    for (let minute = 0; minute < 3; minute += 1) respond(formId, minute, { nps: 9, why: 'Because' })
    await drifts()
    for (let minute = 3; minute < 12; minute += 1) respond(formId, minute, { nps: 9 })
    expect(await drifts()).toEqual([])
    respond(formId, 12, { nps: 9 })
    expect(await drifts('all', 2)).toEqual([
      { kind: 'question_removed', formId, questionId: 'why', type: 'long_text' },
    ])
    expect(await drifts()).toEqual([])
  })

  it('[RESP-06] [FORM-07] reports each change once when two processes look for it at the same time', async () => {
    const { app } = suite.service.server
    const formId = suite.service.form()
    suite.service.add(formId, 3)
    await drifts()
    for (let round = 0; round < 5; round += 1) {
      app.forms.update(formId, {
        questions: [{ id: `q${round}`, type: 'short_text', title: 'New' }] as never,
      })
      app.forms.publish(formId)
      respond(formId, round, { [`q${round}`]: 'Yes' })
      app.forms.close(formId)
      const found = (await Promise.all([drifts(), drifts(), drifts()])).flat()
      expect(found.map(({ kind }) => kind).sort()).toEqual(['form_stopped', 'question_added'])
      app.forms.reopen(formId)
      expect(await drifts()).toEqual([])
    }
  })

  it('reports nothing of the first look, nor of the first answers of a form', async () => {
    const formId = suite.service.form()
    expect(await drifts()).toEqual([])
    suite.service.add(formId, 2)
    expect(await drifts()).toEqual([])
    respond(formId, 0, { why: 'Because' })
    expect(await drifts()).toEqual([{ kind: 'question_added', formId, questionId: 'why', type: 'long_text' }])
  })

  it('[FORM-01] [FORM-07] reports a form that is closed or trashed once, also after a restart', async () => {
    const { app } = suite.service.server
    const [closed, trashed, open] = [suite.service.form(), suite.service.form(), suite.service.form()]
    expect(await drifts()).toEqual([])
    app.forms.close(closed)
    app.forms.trash(trashed)
    const found = await drifts('all', 2)
    expect(found.toSorted((a, b) => Number(a.formId === trashed) - Number(b.formId === trashed))).toEqual([
      { kind: 'form_stopped', formId: closed, reason: 'closed' },
      { kind: 'form_stopped', formId: trashed, reason: 'trashed' },
    ])
    expect(await drifts()).toEqual([])
    app.forms.reopen(closed)
    expect(await drifts(open)).toEqual([])
    expect(await drifts()).toEqual([])
    app.forms.close(closed)
    expect(await drifts(closed)).toEqual([{ kind: 'form_stopped', formId: closed, reason: 'closed' }])
  })

  it('reports changes that came by webhook, and sends no request for any of it', async () => {
    const formId = suite.service.form()
    suite.service.add(formId, 1)
    await drifts()
    const without = suite.service.requests
    await suite.sync('all').once()
    const requests = suite.service.requests - without
    const id = respond(formId, 0, { nps: 9, why: 'Because' })
    const answer = { question_id: 'why', title: 'Why?', type: 'long_text', value: 'Because', text: 'Because' }
    const submitted_at = '2026-11-21T11:00:00.000Z'
    const response = { id, submitted_at, answers: [answer], score: null, max_score: null, meta: {} }
    const receiving = suite.sync('all', { onDrift: () => expect.unreachable() })
    await receiving.handlers['response.submitted']({
      form: { id: formId, title: 'Survey' },
      response: response as never,
    })
    const before = suite.service.requests
    expect(await drifts()).toMatchObject([{ kind: 'question_added', questionId: 'why' }])
    expect(suite.service.requests - before).toBe(requests)
  })

  it('writes the rows before it ends with the error of the callback', async () => {
    const formId = suite.service.form()
    suite.service.add(formId, 1)
    await drifts()
    const id = respond(formId, 0, { why: 'Because' })
    const sync = suite.sync('all', {
      onDrift: () => {
        throw new Error('mine')
      },
    })
    await expect(sync.once()).rejects.toThrow('mine')
    expect(await suite.live(formId)).toContain(id)
  })
}
