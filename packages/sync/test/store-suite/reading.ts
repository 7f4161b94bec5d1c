import { expect, it } from 'vitest'
import type { SubmittedEvent } from '../../src/index.ts'
import { type FormStatus, readSyncStatus } from '../../src/status.ts'
import { clockOf, eventOf, startService } from '../support/service.ts'
import type { StoreSuite } from './suite.ts'

/** What is read and when, and how far each form is, as `sync status` prints it. */
export function describeReading(suite: StoreSuite): void {
  it('marks every row when all responses of a form are deleted', async () => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 300)
    const one = suite.sync(form, { per_page: 20 })
    await one.once()
    for (const id of ids) suite.service.server.app.responses.delete(form, id)
    expect(await one.once()).toMatchObject({ deleted: 300 })
    expect(await suite.live(form)).toEqual([])
  })

  it('keeps deleted rows live without deletions, and still adds late responses', async () => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 90)
    const one = suite.sync(form, { deletions: false })
    await one.once()
    suite.service.server.app.responses.delete(form, ids[3] as number)
    expect(await one.once()).toMatchObject({ deleted: 0 })
    expect(await one.once({ verify: true })).toMatchObject({ inserted: 0, updated: 0, deleted: 0 })
    suite.service.add(form, 2, () => '2026-10-22T12:00:00.500Z')
    expect(await one.once()).toMatchObject({ inserted: 2, deleted: 0 })
    expect(await suite.sync(form).once({ verify: true })).toMatchObject({ deleted: 1 })
  })

  it('erases email, score, answers and meta with deleted: erase, also in rows that were marked before, which it dates', async () => {
    const form = suite.service.form()
    const [first, second] = suite.service.add(form, 3)
    await suite.sync(form).once()
    suite.service.server.app.responses.delete(form, first as number)
    await suite.sync(form).once()
    const marked =
      'SELECT id, submitted_at, answers, meta FROM formwire_responses WHERE deleted_at IS NOT NULL ORDER BY id'
    expect((await suite.query(marked))[0]?.answers).not.toBeNull()
    suite.service.server.app.responses.delete(form, second as number)
    const { clock } = suite.service.server
    await clock.advance('1h')
    await suite.sync(form, { deleted: 'erase' }).once()
    const rows = await suite.query(marked)
    expect(rows.map(({ answers, meta }) => [answers, meta])).toEqual([
      [null, null],
      [null, null],
    ])
    expect(rows[0]?.submitted_at).toBe('2026-10-22T12:00:00.000Z')
    // So that copies by synced_at are erased too.
    expect(
      await suite.query(
        'SELECT synced_at FROM formwire_responses WHERE deleted_at IS NOT NULL AND deleted_at < synced_at',
      ),
    ).toEqual([{ synced_at: new Date(clock.now()).toISOString() }])
  })

  it('finds with verify a back-filled response and a deletion that cancel out', async () => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 1300)
    const one = suite.sync(form)
    await one.once()
    suite.service.server.app.responses.delete(form, ids[100] as number)
    suite.service.add(form, 1, () => '2026-10-22T12:00:01.500Z')
    expect(await one.once()).toMatchObject({ inserted: 0, deleted: 0 })
    expect(await one.once({ verify: true })).toMatchObject({ inserted: 1, deleted: 1 })
    expect(await suite.live(form)).toEqual(suite.service.submitted(form))
  })

  /** The event of a response that the service has. */
  const deliveredOf = async (form: string, id: number): Promise<SubmittedEvent> => {
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
    const event = await deliveredOf(form, id)
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
      const event = await deliveredOf(form, id)
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
    const event = await deliveredOf(form, id)
    suite.service.server.app.responses.delete(form, id)
    await one.handlers['response.submitted'](event)
    const { requests } = await one.once()
    expect(await one.once()).toMatchObject({ requests: requests - 2 })
  })

  it.each(['all', 'given'])('keeps response_count equal to the rows of %s forms', async (which) => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 3)
    const { server } = suite.service
    const stop = new AbortController()
    const counts: unknown[] = []
    const changes = [
      () => suite.service.add(form, 2, () => '2026-11-21T11:00:00.000Z'),
      () => server.app.responses.delete(form, ids[0] as number),
      () => suite.service.add(form, 1, () => '2026-11-21T11:01:00.000Z'),
      () => stop.abort(),
    ]
    suite.service.before = ({ url }) => {
      // The list of forms is older than the responses of its round.
      if (changes.length === 3 && url.includes(`/forms/${form}/responses`)) {
        suite.service.before = undefined
        suite.service.add(form, 1, () => '2026-11-21T11:00:30.000Z')
      }
    }
    const clock = clockOf(suite.service, async () => {
      const [row] = await suite.query('SELECT response_count FROM formwire_forms')
      counts.push([Number(row?.response_count), (await suite.live(form)).length])
      changes.shift()?.()
    })
    const sync = suite.sync(which === 'all' ? which : form, { signal: stop.signal, clock })
    expect(await sync.run()).toMatchObject({ forms: 1, inserted: 7, deleted: 1 })
    expect(counts).toEqual([
      [3, 3],
      [6, 6],
      [5, 5],
      [6, 6],
    ])
  })

  const status = () => readSyncStatus(suite.database.store()).then(({ forms }) => forms)

  it('refuses a database before the first synchronization, and creates nothing', async () => {
    await expect(status()).rejects.toMatchObject({ code: 'refused' })
    await expect(suite.query('SELECT id FROM formwire_forms')).rejects.toThrow('formwire_forms')
  })

  it('shows rows, lag, the last reading and the last error of each form', async () => {
    const [large, empty] = [suite.service.form('Large'), suite.service.form('Empty')]
    suite.service.add(large, 3)
    suite.service.add(large, 1, () => '2026-11-21T11:59:55.500Z')
    suite.service.server.app.responses.create(large, { status: 'in_progress' })
    const sync = suite.sync('all', { drafts: true, formwire: suite.service.client({ maxRetries: 0 }) })
    await sync.once()
    const NOON = '2026-11-21T12:00:00.000Z'
    const ofLarge = {
      workspace_id: '1',
      id: large,
      rows: 4,
      lag_seconds: 4.5,
      last_synced_at: NOON,
      last_error: null,
    }
    const ofEmpty = { ...ofLarge, id: empty, rows: 0, lag_seconds: null }
    const both = (...forms: FormStatus[]) => forms.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(await status()).toEqual(both(ofLarge, ofEmpty))

    await suite.service.server.clock.advance('1h')
    const path = `/api/v1/forms/${large}/responses`
    const fault = suite.service.server.app.faults.add({ path, status: 503 })
    await expect(sync.once()).rejects.toMatchObject({ status: 503 })
    const LATER = '2026-11-21T13:00:00.000Z'
    const failed = { ...ofLarge, last_error: 'http_503' }
    expect(await status()).toEqual(both(failed, { ...ofEmpty, last_synced_at: LATER }))
    expect(await suite.query('SELECT error_at FROM formwire_sync_state WHERE error IS NOT NULL')).toEqual([
      { error_at: LATER },
    ])

    suite.service.server.app.faults.remove(fault.id)
    await sync.once()
    expect(await status()).toEqual(
      both({ ...ofLarge, last_synced_at: LATER }, { ...ofEmpty, last_synced_at: LATER }),
    )
    suite.service.server.app.forms.trash(large)
    await sync.once()
    expect(await status()).toEqual([{ ...ofEmpty, last_synced_at: LATER }])
  })

  it('shows a form whose responses only came by webhook', async () => {
    const form = suite.service.form()
    const event = eventOf(form, 7, { submitted_at: '2026-11-21T11:59:59Z' })
    await suite.sync('all').handlers['response.submitted'](event)
    expect(await status()).toEqual([
      { workspace_id: '1', id: form, rows: 1, lag_seconds: 1, last_synced_at: null, last_error: null },
    ])
  })

  it('records that a form is equal after a search for deletions, and after a full read', async () => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 130)
    const sync = suite.sync(form)
    const at = async () => (await status())[0]?.last_synced_at
    await sync.once()
    await suite.service.server.clock.advance('1h')
    suite.service.server.app.responses.delete(form, ids[3] as number)
    await sync.once()
    expect(await at()).toBe('2026-11-21T13:00:00.000Z')
    await suite.service.server.clock.advance('1h')
    await sync.once({ verify: true })
    expect(await at()).toBe('2026-11-21T14:00:00.000Z')
  })
}
