import { QUESTION_TYPES } from '@formwire/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, html } from '../../src/public-form/page/html.ts'
import { everyQuestion, makeQuestion } from '../../src/seed/questions.ts'
import { answersOf, startForm } from './helpers.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const QUESTIONS = [makeQuestion('short_text')]
const numRuns = Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 200)

describe('page or JSON', () => {
  it.each([
    [undefined, 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    [BROWSER, 'text/html; charset=utf-8'],
    ['text/*', 'text/html; charset=utf-8'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/html, application/json', 'text/html; charset=utf-8'],
    ['application/json', 'application/json'],
    ['application/json;q=0.9, text/html;q=0.5', 'application/json'],
    ['APPLICATION/JSON', 'application/json'],
    ['application/json;q=0', 'text/html; charset=utf-8'],
  ])('[ENV-07] returns for GET with Accept %s the type %s', async (accept, type) => {
    const { call } = await startForm(QUESTIONS)
    const response = await call('GET', '', accept === undefined ? {} : { headers: { accept } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  })

  it('[FORM-13] gives the reason on the page of a form that has all its responses', async () => {
    const { call, json } = await startForm(QUESTIONS, { form: { response_limit: 1 } })
    expect((await json('POST', '', { answers: answersOf({ short_text: 'x' }) })).status).toBe(201)
    const page = await call('GET', '', { headers: { accept: BROWSER } })
    expect(page.status).toBe(403)
    expect(page.text).toContain('<p>This form has reached its maximum number of responses.</p>')
  })

  it('[FORM-07] reports a closed form to browsers with a page and to programs with JSON', async () => {
    const { call, server, form, post } = await startForm(QUESTIONS)
    server.app.forms.archive(form.id)
    const page = await call('GET', '', { headers: { accept: BROWSER } })
    expect(page.status).toBe(403)
    expect(page.text).toContain('This form is closed</h2><p>If you still want to respond, ask the person')
    expect(page.text).toContain('<h1><bdi>Dinner</bdi></h1>')
    const program = await call('GET', '', { headers: { accept: '*/*' } })
    expect([program.status, program.body.error.code]).toEqual([403, 'form_closed'])
    const posted = await post('', [['q[short_text]', 'x']])
    expect([posted.status, posted.text.includes('This form is closed')]).toEqual([403, true])
    const missing = await server.fetch('http://formwire.test/f/nobody', { headers: { accept: BROWSER } })
    expect([missing.status, (await missing.text()).includes('Form not found')]).toEqual([404, true])
  })

  it('[ERR-03] responds with JSON to a form post that prefers it', async () => {
    const { post } = await startForm(QUESTIONS)
    const json = { accept: 'application/json' }
    expect((await post('', [], json)).body.error.details).toEqual({ field: 'short_text' })
    expect((await post('', [['q[short_text]', 'x']], json)).body).toEqual({
      data: { id: 1, status: 'submitted' },
    })
    expect((await post('/drafts', [], json)).body.data.token).toHaveLength(32)
  })
})

describe('the page', () => {
  it('[ENV-08] has a strict content security policy, no referrer, no cookie, and nothing inline', async () => {
    const { call } = await startForm(everyQuestion())
    const { headers, text } = await call('GET', '', { headers: { accept: BROWSER } })
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('set-cookie')).toBeNull()
    // Only the browser that posted it keeps a page with errors: for its back button, without another post.
    const refused = await call('POST', '', {
      headers: { accept: BROWSER, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'q[number]=x',
    })
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([422, 'private, no-cache'])
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/f/assets/form.js">'])
    expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
    expect(text).not.toMatch(/(?:src|href)="(?!\/f\/|#)/)
  })

  it('[RESP-07] uses the documented field names for every question type', async () => {
    const { call } = await startForm(everyQuestion())
    const { text } = await call('GET', '', { headers: { accept: BROWSER } })
    const names = new Set(Array.from(text.matchAll(/ name="(q\[[^"]*)"/g), ([, name]) => name))
    expect([...names]).toEqual([
      ...QUESTION_TYPES.slice(0, 13).map((type) => `q[${type}]`),
      ...['q[single_choice][other]', 'q[multiple_choice]', 'q[dropdown]', 'q[yes_no]'],
      ...['q[ranking][quiet]', 'q[ranking][food]', 'q[ranking][location]'],
      ...['q[grid_single][service]', 'q[grid_single][cleanliness]', 'q[grid_single][food]'],
      ...['q[grid_multiple][friday]', 'q[grid_multiple][saturday]', 'q[file]', 'q[signature]'],
      ...['q[address][line1]', 'q[address][line2]', 'q[address][city]', 'q[address][region]'],
      ...['q[address][postal]', 'q[address][country]'],
    ])
  })

  it('[RESP-06] states the condition of a question, for pages without JavaScript', async () => {
    const { call } = await startForm([
      makeQuestion('yes_no', { title: 'A pet?' }),
      makeQuestion('short_text', { show_if: { question_id: 'yes_no', equals: 'yes' } }),
    ])
    const { text } = await call('GET', '', { headers: { accept: BROWSER } })
    expect(text).toContain('Only if you answered “Yes” to “A pet?”')
  })

  it('[RESP-05] does not reveal the points', async () => {
    const scored = makeQuestion('dropdown', { points: { friend: 7351 } })
    const { call } = await startForm([
      scored,
      makeQuestion('date', { show_if: { question_id: 'dropdown', equals: 'friend' } }),
    ])
    expect((await call('GET', '', { headers: { accept: BROWSER } })).text).not.toContain('7351')
    expect((await call('GET', '', { headers: { accept: 'application/json' } })).text).not.toContain('7351')
  })

  it('[RESP-07] renders a number field for a scale with too many steps for buttons', async () => {
    const { call } = await startForm([
      makeQuestion('scale', { id: 'long', min: 0, max: 1000 }),
      makeQuestion('scale', { id: 'huge', min: -9_007_199_254_740_991, max: 9_007_199_254_740_991 }),
      makeQuestion('nps'),
    ])
    const { text } = await call('GET', '', { headers: { accept: BROWSER } })
    expect(text.match(/type="radio"/g)).toHaveLength(11)
    expect(text.match(/inputmode="decimal"/g)).toHaveLength(2)
  })
})

describe('escaping', () => {
  it('[RESP-07] escapes all text in content and attributes', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', '`', '=', ' ', 'a', '\0', '\ud800', '/', '-', '!'),
    })
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeHtml(text)
        expect(escaped).not.toMatch(/[<>"'\0]/)
        expect(escaped).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/)
        expect(html`<p title="${text}">${[text, html`<b>${text}</b>`]}</p>`.text).toBe(
          `<p title="${escaped}">${escaped}<b>${escaped}</b></p>`,
        )
      }),
      { numRuns },
    )
  })

  it('[RESP-07] escapes hostile titles, labels, ids and answers everywhere', async () => {
    const evil = `"'><evil onload=x>`
    const choice = { id: evil, label: evil }
    const questions = everyQuestion().map((question, index) => ({
      ...question,
      id: `${evil}${index}`,
      title: evil,
      ...(question.options && { options: [choice], allow_other: true }),
      ...(question.rows && { rows: [choice], columns: [choice] }),
    }))
    const { call, post } = await startForm(questions, { form: { title: evil } })
    const query = `?ref=${encodeURIComponent(evil)}`
    const { text } = await call('GET', query, { headers: { accept: BROWSER } })
    expect(text).toContain('&lt;evil')
    expect(text).not.toContain('<evil')
    const fields = everyQuestion().flatMap((_, index): [string, string][] => [
      [`q[${evil}${index}]`, evil],
      [`q[${evil}${index}][other]`, evil],
      [`q[${evil}${index}][${evil}]`, evil],
      [`q[${evil}${index}][line1]`, evil],
    ])
    const refused = await post('', [...fields, ['email', evil], ['started_at', evil]])
    expect(refused.status).toBe(422)
    expect(refused.text).not.toContain('<evil')
  })
})
