import { expect, it } from 'vitest'
import { createSync, UnknownFormsError } from '../../src/index.ts'
import type { StoreSuite } from './suite.ts'

/** Responses and forms become rows. */
export function describeRows(suite: StoreSuite): void {
  it('writes every response with the fields of the service', async () => {
    const form = suite.service.form()
    suite.service.server.app.responses.create(form, {
      submitted_at: '2026-11-20T10:00:00.250Z',
      started_at: '2026-11-20T09:59:00.000Z',
      email: 'ada@example.com',
      meta: { device: 'phone' },
      answers: [
        { question_id: 'nps', value: 9 },
        { question_id: 'why', value: "O'Neil \u0001 \u{1f600}" },
      ],
    })
    const summary = await suite.sync(form).once()
    expect(summary).toEqual({ forms: 1, inserted: 1, updated: 0, deleted: 0, requests: 3, duration_ms: 0 })
    const [row] = await suite.query('SELECT * FROM formwire_responses')
    const json = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value)
    expect({
      ...row,
      id: Number(row?.id),
      duration_sec: Number(row?.duration_sec),
      answers: json(row?.answers),
      meta: json(row?.meta),
    }).toEqual({
      workspace_id: '1',
      form_id: form,
      id: 1,
      status: 'submitted',
      started_at: '2026-11-20T09:59:00.000Z',
      submitted_at: '2026-11-20T10:00:00.250Z',
      duration_sec: 60,
      email: 'ada@example.com',
      score: null,
      max_score: null,
      answers: [
        { question_id: 'nps', title: 'Would you recommend us?', type: 'nps', value: 9, text: '9' },
        {
          question_id: 'why',
          title: 'Why?',
          type: 'long_text',
          value: "O'Neil \u0001 \u{1f600}",
          text: "O'Neil \u0001 \u{1f600}",
        },
      ],
      meta: { device: 'phone', browser: null, os: null, ref: null, utm: {} },
      synced_at: '2026-11-21T12:00:00.000Z',
      deleted_at: null,
    })
    const [formRow] = await suite.query('SELECT * FROM formwire_forms')
    expect(formRow).toMatchObject({
      workspace_id: '1',
      id: form,
      title: 'Survey',
      status: 'published',
      deleted_at: null,
    })
  })

  it('writes any text that JSON can hold, and finds it unchanged in the next run', async () => {
    const form = suite.service.form()
    const value = 'a\u0000b\ud800c\\u0000\u{1f600}'
    suite.service.server.app.responses.create(form, {
      answers: [{ question_id: 'why', value }],
      meta: { 'k\u0000': value },
    })
    suite.service.instead = async (request) => {
      const answer = await suite.service.server.fetch(request)
      // The server of the tests accepts no such address and title.
      const text = (await answer.text()).replaceAll('"email":null', String.raw`"email":"a\u0000b\ud800"`)
      return new Response(text.replaceAll('"Survey"', String.raw`"S\u0000\udc00"`), answer)
    }
    const one = suite.sync(form)
    expect(await one.once()).toMatchObject({ inserted: 1 })
    expect(await one.once({ verify: true })).toMatchObject({ inserted: 0, updated: 0 })
    const [row] = await suite.query('SELECT email, answers, meta FROM formwire_responses')
    const json = suite.database.dialect.parseJson
    expect({ email: row?.email, answers: json(row?.answers), meta: json(row?.meta) }).toMatchObject({
      email: 'a\ufffdb\ufffd',
      answers: [{ value: 'a\ufffdb\ufffdc\\u0000\u{1f600}' }],
      meta: { 'k\ufffd': 'a\ufffdb\ufffdc\\u0000\u{1f600}' },
    })
    expect(await suite.query('SELECT title FROM formwire_forms')).toEqual([{ title: 'S\ufffd\ufffd' }])
    expect(await suite.query(`SELECT why FROM formwire_form_${form.toLowerCase()}`)).toEqual([
      { why: 'a\ufffdb\ufffdc\\u0000\u{1f600}' },
    ])
  })

  it('lets two processes write the same form, each response once', async () => {
    const form = suite.service.filled(700)
    const calls: number[] = []
    const both = [0, 1].map(() => suite.sync(form, { onResponse: ({ id }) => void calls.push(id) }))
    await Promise.all(both.map((one) => one.once()))
    expect(calls.length).toBe(700)
    expect(await suite.live(form)).toEqual(suite.service.submitted(form))
  })
}

/** What is read, and which forms. */
export function describeRounds(suite: StoreSuite): void {
  it('reads a first sync with at most 1.05·N/100 + 3 requests and is idle afterwards', async () => {
    for (const count of [0, 1, 100, 101, 1000]) {
      const form = suite.service.filled(count)
      const before = suite.service.requests
      expect(await suite.sync(form).once()).toMatchObject({
        inserted: count,
        requests: suite.service.requests - before,
      })
      expect(suite.service.requests - before, `${count} responses`).toBeLessThanOrEqual(
        (1.05 * count) / 100 + 3,
      )
      const idle = await suite.sync(form).once()
      expect(idle).toMatchObject({ inserted: 0, updated: 0, deleted: 0 })
      expect(idle.requests).toBeLessThanOrEqual(3)
      expect(await suite.live(form)).toEqual(suite.service.submitted(form))
    }
  })

  it('marks a trashed form, keeps its rows, and brings it back', async () => {
    const form = suite.service.filled(5)
    const one = suite.sync('all')
    await one.once()
    suite.service.server.app.forms.trash(form)
    await one.once()
    const deletedAt = async () => (await suite.query('SELECT deleted_at FROM formwire_forms'))[0]?.deleted_at
    expect(await deletedAt()).toBe('2026-11-21T12:00:00.000Z')
    expect((await suite.live(form)).length).toBe(5)
    await expect(suite.sync(form).once()).rejects.toThrow(UnknownFormsError)
    suite.service.server.app.forms.restore(form)
    await suite.sync(form).once()
    expect(await deletedAt()).toBeNull()
    expect((await suite.live(form)).length).toBe(5)
  })

  it('synchronizes the other forms when one is unknown', async () => {
    const form = suite.service.filled(2)
    const one = createSync({
      formwire: suite.service.client(),
      store: suite.database.store(),
      forms: ['unknown00000', form],
      clock: suite.clock(),
    })
    const error = await one.once().catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(UnknownFormsError)
    expect(error).toMatchObject({
      message: 'Form not found: "unknown00000". Check the ids and the workspace of the key.',
      formIds: ['unknown00000'],
      summary: { forms: 1, inserted: 2 },
    })
  })
}
