import { describe, expect, it } from 'vitest'
import { answersOf, startForm } from './helpers.ts'

const QUESTIONS = [
  { id: 'name', type: 'short_text', title: 'Name', required: true },
  { id: 'pet', type: 'yes_no', title: 'Pet?' },
  {
    id: 'rank',
    type: 'ranking',
    title: 'Rank',
    options: [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ],
    show_if: { question_id: 'pet', equals: 'yes' },
  },
]
const saved = (values: Record<string, unknown>, more: object = {}) => ({
  answers: answersOf(values),
  ...more,
})

describe('drafts', () => {
  it('[RESP-01] returns what was saved, including hidden and incomplete answers', async () => {
    const { json, stored, server } = await startForm(QUESTIONS)
    const answers = saved(
      { pet: { ids: ['yes'] }, rank: { ids: ['b'] }, gone: 1 },
      { email: 'ann@example.com' },
    )
    const created = await json('POST', '/drafts', answers)
    expect([created.status, created.body]).toEqual([
      201,
      { data: { token: expect.stringMatching(/^[A-Za-z0-9]{32}$/) } },
    ])
    const { token } = created.body.data
    await server.clock.advance('10m')
    const again = saved({ pet: { ids: ['no'] }, rank: { ids: ['b'] } })
    expect(await json('PUT', `/drafts/${token}`, again)).toMatchObject({ status: 200, body: created.body })
    expect((await json('GET', `/drafts/${token}`)).body).toEqual({
      data: {
        token,
        status: 'in_progress',
        started_at: '2026-11-21T09:00:00.000Z',
        saved_at: '2026-11-21T09:10:00.000Z',
        email: 'ann@example.com',
        answers: [
          { question_id: 'pet', value: { ids: ['no'], other: null } },
          { question_id: 'rank', value: { ids: ['b'], other: null } },
        ],
      },
    })
    expect(stored(1).answers.map((answer: { question_id: string }) => answer.question_id)).toEqual(['pet'])
    expect(stored(1).duration_sec).toBe(600)
  })

  it('[ERR-03] accepts a draft with missing but not with invalid answers, and requires all answers to submit', async () => {
    const { json } = await startForm(QUESTIONS)
    expect((await json('POST', '/drafts', saved({ pet: 'yes' }))).body.error.details).toEqual({
      field: 'pet',
    })
    const { token } = (await json('POST', '/drafts', saved({ pet: { ids: ['yes'] }, rank: { ids: ['a'] } })))
      .body.data
    expect((await json('PUT', `/drafts/${token}`, saved({ pet: 1 }))).body.error.details).toEqual({
      field: 'pet',
    })
    expect((await json('POST', `/drafts/${token}/submit`)).body.error.details).toEqual({ field: 'name' })
    expect((await json('POST', `/drafts/${token}/submit`, {})).body.error.details).toEqual({ field: 'name' })
    const empty = await json('POST', `/drafts/${token}/submit`, '')
    expect(empty.body.error.details).toEqual({ field: 'name' })
    expect((await json('POST', `/drafts/${token}/submit`, '[]')).status).toBe(400)
    const all = saved({ name: 'Ann', pet: { ids: ['no'] } }, { email: null })
    expect((await json('POST', `/drafts/${token}/submit`, all)).status).toBe(201)
  })

  it('[RESP-01] sorts the draft saved or submitted last first, even within one instant', async () => {
    const { json, server, form } = await startForm(QUESTIONS)
    const ids = async (status: 'submitted' | 'in_progress') =>
      server.app.responses.list(form.id, status).items.map(({ id }) => id)
    const { token } = (await json('POST', '/drafts', saved({}))).body.data
    await json('POST', '/drafts', saved({}))
    expect(await ids('in_progress')).toEqual([2, 1])
    await json('PUT', `/drafts/${token}`, saved({ name: 'Ann' }))
    expect(await ids('in_progress')).toEqual([1, 2])
    await json('POST', '', saved({ name: 'Bob' }))
    await json('POST', `/drafts/${token}/submit`)
    expect(await ids('submitted')).toEqual([1, 3])
  })

  it('[RESP-08] keeps its ref and utm parameters until new ones are sent', async () => {
    const { json, stored } = await startForm(QUESTIONS)
    const { token } = (await json('POST', '/drafts?ref=mail&utm_source=news', saved({ name: 'Ann' }))).body
      .data
    await json('PUT', `/drafts/${token}?utm_source=ads`, saved({ name: 'Ann' }))
    expect(stored(1).meta).toMatchObject({ ref: 'mail', utm: { source: 'ads' } })
    await json('POST', `/drafts/${token}/submit`)
    expect(stored(1).meta).toMatchObject({ ref: 'mail', utm: { source: 'ads' } })
  })

  it('[RESP-08] keeps device, browser and system when a later save has no user agent', async () => {
    const { json, stored } = await startForm(QUESTIONS)
    const phone =
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36'
    const { token } = (await json('POST', '/drafts', saved({ name: 'Ann' }), { 'user-agent': phone })).body
      .data
    await json('POST', `/drafts/${token}/submit`, undefined, { 'user-agent': 'node' })
    expect(stored(1).meta).toEqual({ device: 'mobile', browser: 'Chrome', os: 'Android', ref: null, utm: {} })
  })

  it('[RESP-05] keeps its email when submitted by the page, which has no email field', async () => {
    const { json, post, stored } = await startForm(QUESTIONS)
    const { token } = (await json('POST', '/drafts', { email: 'ann@example.com' })).body.data
    expect((await post(`/drafts/${token}/submit`, [['q[name]', 'Ann']])).status).toBe(303)
    expect(stored(1).email).toBe('ann@example.com')
  })

  it('[RESP-09] is submitted as saved by a form post without a body', async () => {
    const { json, post, stored } = await startForm(QUESTIONS)
    const { token } = (await json('POST', '/drafts', saved({ name: 'Ann' }))).body.data
    expect((await post(`/drafts/${token}/submit`, '', { accept: '*/*' })).status).toBe(303)
    expect(stored(1).answers).toMatchObject([{ question_id: 'name', value: 'Ann' }])
  })

  it('[RESP-09] is restored from a snapshot, with its files', async () => {
    const { json, upload, server, stored } = await startForm([{ id: 'cv', type: 'file', title: 'CV' }])
    const { data: cv } = (await upload(new File(['x'], 'cv.pdf'), 'cv')).body
    const { data: free } = (await upload(new File(['y'], 'free.pdf'), 'cv')).body
    const { token } = (await json('POST', '/drafts', saved({ cv: [cv] }))).body.data
    const snapshot = JSON.parse(JSON.stringify(server.app.snapshot.take()))
    await json('POST', `/drafts/${token}/submit`)
    server.app.snapshot.restore(snapshot)
    expect((await json('POST', '', saved({ cv: [cv] }))).status).toBe(422)
    expect((await json('PUT', `/drafts/${token}`, saved({ cv: [cv, free] }))).status).toBe(200)
    expect((await json('POST', `/drafts/${token}/submit`)).status).toBe(201)
    expect(stored(1).answers[0].text).toBe('cv.pdf, free.pdf')
  })

  it('[RESP-09] refuses a page of an earlier version, and answers each save with the next', async () => {
    const { json, post, stored } = await startForm(QUESTIONS)
    const { token } = (await json('POST', '/drafts', saved({ name: 'Ann' }))).body.data
    const save = async (name: string, version: string) => {
      const fields: [string, string][] = [
        ['q[name]', name],
        ['draft_version', version],
      ]
      const { status, headers, body } = await post(`/drafts/${token}`, fields, { accept: 'application/json' })
      return [status, headers.get('etag'), body.error?.details]
    }
    expect(await save('Bob', '1')).toEqual([200, '"2"', undefined])
    expect(await save('Cid', '1')).toEqual([422, null, { field: 'draft_version' }])
    expect(stored(1).answers[0].value).toBe('Bob')
    expect(await save('Cid', '')).toEqual([200, '"3"', undefined])
  })

  it('[RESP-09] gives a page without a script its answers back when its draft went on elsewhere', async () => {
    const { json, post, stored } = await startForm(QUESTIONS)
    const { token } = (await json('POST', '/drafts', saved({ name: 'Ann' }))).body.data
    await json('PUT', `/drafts/${token}`, saved({ name: 'Bob' }))
    const send = async (path = '') => {
      const fields: [string, string][] = [
        ['q[name]', 'Ann Lee'],
        ['draft_version', '1'],
      ]
      const { status, text } = await post(`/drafts/${token}${path}`, fields)
      return [status, text.includes('value="Ann Lee"')]
    }
    expect([await send(), stored(1).answers[0].value]).toEqual([[422, true], 'Bob'])
    await json('POST', `/drafts/${token}/submit`)
    expect(await send()).toEqual([404, true])
    expect(await send('/submit')).toEqual([404, true])
  })

  it('[RESP-09] names the files that went with a draft which was submitted elsewhere', async () => {
    const { json, post, upload } = await startForm([{ id: 'cv', type: 'file', title: 'CV' }])
    const { data: cv } = (await upload(new File(['x'], 'cv.pdf'), 'cv')).body
    const { token } = (await json('POST', '/drafts', saved({ cv: [cv] }))).body.data
    await json('POST', `/drafts/${token}/submit`)
    const page = await post(`/drafts/${token}/submit`, [['q[cv]', cv.id]])
    expect(page.status).toBe(404)
    expect(page.text).toContain('data-error="not_found"')
    expect(page.text).toContain('<li><a href="#question-1"')
    expect(page.text).toContain('action="/f/')
    expect(page.text).not.toContain(token)
  })

  it('[RESP-03] accepts a token for its form only, until the draft is submitted or deleted', async () => {
    const { json, server, form } = await startForm(QUESTIONS)
    const other = server.app.forms.publish(
      server.app.forms.create({ title: 'Other', questions: QUESTIONS }).id,
    )
    const { token } = (await json('POST', '/drafts', saved({ name: 'Ann' }))).body.data
    expect((await server.fetch(`http://formwire.test/f/${other.slug}/drafts/${token}`)).status).toBe(404)
    expect((await json('GET', '/drafts/unknown')).status).toBe(404)
    await json('POST', `/drafts/${token}/submit`)
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', saved({ name: 'Bob' })],
      ['POST', '/submit', undefined],
    ] as const) {
      expect((await json(method, `/drafts/${token}${path}`, body)).status).toBe(404)
    }
    const second = (await json('POST', '/drafts', saved({ name: 'Ann' }))).body.data.token
    server.app.responses.delete(form.id, 2)
    expect((await json('GET', `/drafts/${second}`)).status).toBe(404)
  })
})
