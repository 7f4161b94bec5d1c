import { describe, expect, it } from 'vitest'
import { startForm } from './helpers.ts'

const QUESTIONS = [{ id: 'q', type: 'short_text', title: 'Name', required: true }]
const ACCEPT = { accept: 'text/html' }

type Form = Awaited<ReturnType<typeof startForm>>

/** Opens a page, and returns the fields of its form that respondents do not see. */
async function openPage({ call }: Form, path = ''): Promise<[string, string][]> {
  const { text } = await call('GET', path, { headers: ACCEPT })
  return hiddenFields(text)
}

const hiddenFields = (text: string): [string, string][] =>
  Array.from(
    text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g),
    ([, name = '', value = '']) => [name, value],
  )

const total = ({ server, form }: Form): number => server.app.responses.list(form.id).total
const sent = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get('location')]

describe('a page that is submitted twice', () => {
  it('stores one response, and says thank you both times', async () => {
    const form = await startForm(QUESTIONS)
    const page: [string, string][] = [...(await openPage(form)), ['q[q]', 'Ann']]
    const thanks = [303, `/f/${form.form.slug}/thanks`]
    expect(sent(await form.post('', page))).toEqual(thanks)
    expect(sent(await form.post('', page))).toEqual(thanks)
    expect(total(form)).toBe(1)
    expect(sent(await form.post('', [...(await openPage(form)), ['q[q]', 'Ann']]))).toEqual(thanks)
    expect(total(form)).toBe(2)
  })

  it('stores one response when both presses arrive together', async () => {
    const form = await startForm(QUESTIONS)
    const page: [string, string][] = [...(await openPage(form)), ['q[q]', 'Ann']]
    const responses = await Promise.all(Array.from({ length: 5 }, () => form.post('', page)))
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
    expect(total(form)).toBe(1)
  })

  it('[FORM-13] says thank you again when the first press filled or closed the form', async () => {
    const form = await startForm(QUESTIONS, { form: { response_limit: 1 } })
    const page: [string, string][] = [...(await openPage(form)), ['q[q]', 'Ann']]
    await form.post('', page)
    expect((await form.post('', page)).status).toBe(303)
    const thanks = await form.call('GET', '/thanks', { headers: ACCEPT })
    expect(thanks.status).toBe(200)
    form.server.app.forms.archive(form.form.id)
    expect((await form.post('', page)).status).toBe(303)
    // Another page gets the refusal.
    expect((await form.post('', [['q[q]', 'Bob']])).status).toBe(403)
    form.server.app.forms.trash(form.form.id)
    expect((await form.post('', page)).status).toBe(404)
    expect((await form.call('GET', '/thanks', { headers: ACCEPT })).status).toBe(404)
  })

  it('[RESP-09] says thank you again when the first press submitted the draft', async () => {
    const form = await startForm(QUESTIONS)
    const { token } = (await form.json('POST', '/drafts', {})).body.data
    const page: [string, string][] = [...(await openPage(form, `/drafts/${token}`)), ['q[q]', 'Ann']]
    expect((await form.post(`/drafts/${token}/submit`, page)).status).toBe(303)
    expect((await form.post(`/drafts/${token}/submit`, page)).status).toBe(303)
    expect(total(form)).toBe(1)
    expect((await form.post(`/drafts/${token}/submit`, [['q[q]', 'Ann']])).status).toBe(404)
  })

  it('gives a program that posts the form the same response twice', async () => {
    const form = await startForm(QUESTIONS)
    const page: [string, string][] = [...(await openPage(form)), ['q[q]', 'Ann']]
    const json = { accept: 'application/json' }
    const first = await form.post('', page, json)
    const second = await form.post('', page, json)
    expect([first.status, first.body]).toEqual([201, { data: { id: 1, status: 'submitted' } }])
    expect([second.status, second.body]).toEqual([201, { data: { id: 1, status: 'submitted' } }])
  })

  it('stores a response for every form post without a token, and for all JSON', async () => {
    const form = await startForm(QUESTIONS)
    for (let press = 0; press < 2; press += 1) {
      expect((await form.post('', [['q[q]', 'Ann']])).status).toBe(303)
      expect((await form.submit({ q: 'Ann' }, { submit_token: '1795251600000.1.x' })).status).toBe(201)
    }
    expect(total(form)).toBe(4)
  })

  it('may be submitted after it was refused, once', async () => {
    const form = await startForm(QUESTIONS)
    const page = await openPage(form)
    const refused = await form.post('', page)
    expect(refused.status).toBe(422)
    const again: [string, string][] = [...hiddenFields(refused.text), ['q[q]', 'Ann']]
    expect((await form.post('', again)).status).toBe(303)
    expect((await form.post('', again)).status).toBe(303)
    expect(total(form)).toBe(1)
  })

  it('is stored again only after a reset or a snapshot took the first response away', async () => {
    const form = await startForm(QUESTIONS)
    const page: [string, string][] = [...(await openPage(form)), ['q[q]', 'Ann']]
    const before = JSON.parse(JSON.stringify(form.server.app.snapshot.take()))
    await form.post('', page)
    const after = JSON.parse(JSON.stringify(form.server.app.snapshot.take()))
    form.server.app.snapshot.restore(before)
    expect(total(form)).toBe(0)
    await form.post('', page)
    expect(total(form)).toBe(1)
    form.server.app.snapshot.restore(after)
    expect((await form.post('', page)).status).toBe(303)
    expect(total(form)).toBe(1)
    // A deleted response stays deleted.
    form.server.app.responses.delete(form.form.id, 1)
    await form.post('', page)
    expect(total(form)).toBe(0)
  })
})

describe('a page that has expired', () => {
  it('is shown again after a week, with its answers and a token that works', async () => {
    const form = await startForm(QUESTIONS)
    const page: [string, string][] = [...(await openPage(form)), ['q[q]', 'Ann']]
    await form.server.clock.advance('168h')
    const refused = await form.post('', page)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('<h2 id="summary-title">Please submit again</h2>')
    expect(refused.text).toContain('This page has expired. Your answers are still here')
    expect(refused.text).toContain('value="Ann"')
    expect(total(form)).toBe(0)
    expect((await form.post('', [...hiddenFields(refused.text), ['q[q]', 'Ann']])).status).toBe(303)
    expect(total(form)).toBe(1)
    const json = await form.post('', page, { accept: 'application/json' })
    expect([json.status, json.body.error.details]).toEqual([422, { field: 'submit_token' }])
  })

  it('is accepted until the week is over, and never stored twice', async () => {
    const form = await startForm(QUESTIONS)
    const page: [string, string][] = [...(await openPage(form)), ['q[q]', 'Ann']]
    await form.server.clock.advance('167h')
    expect((await form.post('', page)).status).toBe(303)
    await form.server.clock.advance('5h')
    expect((await form.post('', page)).status).toBe(303)
    // The token is forgotten once another page is submitted.
    await form.post('', [...(await openPage(form)), ['q[q]', 'Bob']])
    expect((await form.post('', page)).status).toBe(422)
    expect(total(form)).toBe(2)
  })

  it.each([
    ['that another form has used', 'other'],
    ['from the future', '9999999999999.1.abc'],
    ['that is none', 'nonsense'],
  ])('is refused with a token %s', async (_what, token) => {
    const form = await startForm(QUESTIONS)
    const other = form.server.app.forms.publish(
      form.server.app.forms.create({ title: 'Other', questions: QUESTIONS }).id,
    )
    const page = await openPage(form)
    const response = await form.server.fetch(`http://formwire.test/f/${other.slug}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams([...page, ['q[q]', 'Ann']]),
      headers: ACCEPT,
    })
    expect(response.status).toBe(303)
    const used = token === 'other' ? page : [['submit_token', token] as [string, string]]
    expect((await form.post('', [...used, ['q[q]', 'Ann']])).status).toBe(422)
    expect(total(form)).toBe(0)
  })
})

describe('a page whose form closed', () => {
  it('[RESP-09] still submits its draft, and no second response, once the form is open again', async () => {
    const form = await startForm(QUESTIONS)
    const { token } = (await form.json('POST', '/drafts', {})).body.data
    const path = `/drafts/${token}/submit`
    const page: [string, string][] = [...(await openPage(form, `/drafts/${token}`)), ['q[q]', 'Ann']]
    form.server.app.forms.close(form.form.id)
    await form.server.clock.advance('1m')
    const kept = await form.post(path, page)
    expect([kept.status, kept.text.includes(`action="/f/${form.form.slug}${path}"`)]).toEqual([403, true])
    const hidden = hiddenFields(kept.text)
    expect(hidden.slice(1)).toEqual([
      ['draft_version', '1'],
      ['started_at', '2026-11-21T09:00:00.000Z'],
    ])
    form.server.app.forms.reopen(form.form.id)
    expect((await form.post(path, [...hidden, ['q[q]', 'Ann']])).status).toBe(303)
    expect(total(form)).toBe(1)
    expect(form.stored(1)).toMatchObject({ status: 'submitted', answers: [{ value: 'Ann' }] })
  })

  it('[RESP-09] keeps its version of a draft that was changed or submitted elsewhere meanwhile', async () => {
    const form = await startForm(QUESTIONS)
    const { token } = (await form.json('POST', '/drafts', {})).body.data
    const path = `/drafts/${token}/submit`
    const page: [string, string][] = [...(await openPage(form, `/drafts/${token}`)), ['q[q]', 'Ann']]
    for (const [method, elsewhere, refusal] of [
      ['PUT', `/drafts/${token}`, 422],
      ['POST', path, 404],
    ] as const) {
      const answers = [{ question_id: 'q', value: 'Bob' }]
      expect((await form.json(method, elsewhere, { answers })).status).toBeLessThan(300)
      form.server.app.forms.close(form.form.id)
      const kept = await form.post(path, page)
      expect([kept.status, kept.text.includes('value="Ann"')]).toEqual([403, true])
      form.server.app.forms.reopen(form.form.id)
      const again = await form.post(path, [...hiddenFields(kept.text), ['q[q]', 'Ann']])
      expect([again.status, again.text.includes('value="Ann"')]).toEqual([refusal, true])
    }
    expect(total(form)).toBe(1)
  })
})
