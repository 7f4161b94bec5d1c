import { describe, expect, it } from 'vitest'
import { answersOf, startForm } from './helpers.ts'

const QUESTIONS = [{ id: 'q', type: 'short_text', title: 'Q' }]
const ANSWERS = { answers: answersOf({ q: 'x' }) }

type Form = Awaited<ReturnType<typeof startForm>>

/** Tries everything that a respondent can do. Returns the distinct statuses and error codes. */
async function everyDoor({ call, json, post, upload }: Form, token: string): Promise<unknown[]> {
  const pages = [
    await call('GET', '', { headers: { accept: 'text/html' } }),
    await post('', [['q[q]', 'x']]),
    await post('/drafts', [['q[q]', 'x']]),
    await post(`/drafts/${token}`, [['q[q]', 'x']]),
    await post(`/drafts/${token}/submit`, [['q[q]', 'x']]),
  ]
  const responses = [
    await json('GET', ''),
    await json('POST', '', ANSWERS),
    await json('POST', '/drafts', ANSWERS),
    await json('GET', `/drafts/${token}`),
    await json('PUT', `/drafts/${token}`, ANSWERS),
    await json('POST', `/drafts/${token}/submit`),
    await upload(new File(['x'], 'x')),
  ]
  const results = [
    ...pages.map(({ status, text }) => `${status} ${/data-error="(\w+)"/.exec(text)?.[1]}`),
    ...responses.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`),
  ]
  return [...new Set(results)]
}

async function withDraft(form: object = {}): Promise<Form & { token: string }> {
  const started = await startForm(QUESTIONS, { form })
  const { body } = await started.json('POST', '/drafts', ANSWERS)
  return { ...started, token: body.data?.token ?? 'none' }
}

describe('when a public link accepts responses', () => {
  it('[FORM-03] responds with 404 for a form in the trash', async () => {
    const form = await withDraft()
    form.server.app.forms.trash(form.form.id)
    expect(await everyDoor(form, form.token)).toEqual(['404 not_found'])
  })

  it('[FORM-13] shows when a form opens, and not that it is closed, before opens_at', async () => {
    const { call, json } = await startForm(QUESTIONS, { form: { opens_at: '2026-12-24T18:00:00Z' } })
    const { status, text } = await call('GET', '', { headers: { accept: 'text/html' } })
    expect(status).toBe(403)
    expect(text).toContain('data-error="form_closed"')
    expect(text).toContain(
      '<h2>This form is not open yet</h2><p>It opens on <time datetime="2026-12-24T18:00:00.000Z">24 December 2026 at 18:00 UTC</time>.</p>',
    )
    expect(text).not.toContain('is closed')
    const message = 'This form is not open yet. It opens at 2026-12-24 18:00 UTC.'
    expect((await json('POST', '', ANSWERS)).body.error).toMatchObject({ code: 'form_closed', message })
  })

  it.each([
    ['published', []],
    ['closed', ['close'] as const],
    ['archived', ['archive'] as const],
  ])('[FORM-13] shows nobody the questions of a %s form before opens_at', async (_status, actions) => {
    const form = await startForm(QUESTIONS, { form: { opens_at: '2026-11-22T09:00:00Z' } })
    for (const action of actions) form.server.app.forms[action](form.form.id)
    expect(await everyDoor(form, 'none')).toEqual(['403 form_closed'])
    expect((await form.post('', [['q[q]', 'x']])).text.includes('name="q[q]"')).toBe(false)
  })

  it('[FORM-13] shows the questions of a form that is closed or full only to those who send answers', async () => {
    const form = await startForm(QUESTIONS, { form: { response_limit: 1 } })
    expect((await form.json('POST', '', ANSWERS)).status).toBe(201)
    for (const isClosed of [false, true]) {
      if (isClosed) form.server.app.forms.close(form.form.id)
      const shown = await form.call('GET', '', { headers: { accept: 'text/html' } })
      const kept = await form.post('', [['q[q]', 'x']])
      expect([shown, kept].map(({ text }) => text.includes('name="q[q]"'))).toEqual([false, true])
    }
  })

  it('[FORM-13] accepts at most response_limit of many concurrent submissions', async () => {
    const { json, server, form } = await startForm(QUESTIONS, { form: { response_limit: 3 } })
    const responses = await Promise.all(Array.from({ length: 20 }, () => json('POST', '', ANSWERS)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(server.app.forms.get(form.id).response_count).toBe(3)
  })
})
