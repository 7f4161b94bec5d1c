import { describe, expect, it } from 'vitest'
import { createReferenceServer } from '../../src/index.ts'
import { startForm } from './helpers.ts'

const QUESTIONS = [{ id: 'q', type: 'short_text', title: 'Name' }]
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const LOGO = `data:image/png;base64,${PIXEL}`
const ACCEPT = { headers: { accept: 'text/html' } }

type Form = Awaited<ReturnType<typeof startForm>>

/** Calls the control API. */
async function app({ server }: Pick<Form, 'server'>, method: string, path: string, body?: object) {
  const response = await server.fetch(`http://127.0.0.1/_app${path}`, {
    method,
    headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

describe('the appearance of a form', () => {
  it('[FORM-04] is part of the control API only', async () => {
    const form = await startForm(QUESTIONS)
    const look = { intro: 'Two questions.', language: 'PT-br', logo: LOGO, accent: '#0F6B5C' }
    expect((await app(form, 'GET', `/forms/${form.form.id}`)).body.data).toMatchObject({
      intro: null,
      language: null,
      logo: null,
      accent: null,
    })
    const { body } = await app(form, 'PATCH', `/forms/${form.form.id}`, look)
    expect(body.data).toMatchObject({ ...look, language: 'pt-BR', accent: '#0f6b5c' })
    const api = await form.server.fetch(`http://formwire.test/api/v1/forms/${form.form.id}`, {
      headers: { authorization: `Bearer ${form.server.readKey}` },
    })
    expect(Object.keys(((await api.json()) as { data: object }).data)).toEqual([
      'id',
      'title',
      'status',
      'slug',
      'url',
      'published',
      'response_count',
      'response_limit',
      'opens_at',
      'closes_at',
      'created_at',
      'updated_at',
    ])
    form.server.app.forms.publish(form.form.id)
    expect(Object.keys((await form.json('GET', '')).body.data)).toEqual([
      'id',
      'title',
      'slug',
      'url',
      'questions',
    ])
  })

  it('[FORM-09] is shown once the form is published again', async () => {
    const form = await startForm(QUESTIONS)
    form.server.app.forms.update(form.form.id, { intro: 'Hello', logo: LOGO, accent: '#ffd400' })
    expect((await form.call('GET', '', ACCEPT)).text).not.toContain('Hello')
    expect((await form.call('GET', '/logo')).status).toBe(404)
    expect((await form.call('GET', '/theme.css')).status).toBe(404)
    form.server.app.forms.publish(form.form.id)
    const { text } = await form.call('GET', '', ACCEPT)
    expect(text).toContain('<div class="intro"><p><bdi>Hello</bdi></p></div>')
    expect(text).toContain(`<img class="logo" src="/f/${form.form.slug}/logo" alt="">`)
    expect(text).toContain(`<link rel="stylesheet" href="/f/${form.form.slug}/theme.css">`)
    form.server.app.forms.update(form.form.id, { logo: null })
    form.server.app.forms.publish(form.form.id)
    expect((await form.call('GET', '/logo')).status).toBe(404)
    expect((await form.call('GET', '', ACCEPT)).text).toContain('Hello')
  })

  it('[ENV-08] serves the logo and the colours as files, under the policy of the pages', async () => {
    const form = await startForm(QUESTIONS, { form: { logo: LOGO, accent: '#0f6b5c' } })
    const page = await form.call('GET', '', ACCEPT)
    for (const [file, type] of [
      ['/logo', 'image/png'],
      ['/theme.css', 'text/css; charset=utf-8'],
    ] as const) {
      const { status, headers } = await form.call('GET', file)
      expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
        200,
        type,
        'nosniff',
      ])
      expect(headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'))
      const again = await form.call('GET', file, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
      expect([again.status, again.text]).toEqual([304, ''])
    }
    const logo = await form.server.fetch(`http://formwire.test/f/${form.form.slug}/logo`)
    expect(Buffer.from(await logo.arrayBuffer()).toString('base64')).toBe(PIXEL)
    form.server.app.forms.trash(form.form.id)
    expect((await form.call('GET', '/logo')).status).toBe(404)
    expect((await form.call('GET', '/theme.css')).status).toBe(404)
  })

  it.each([
    ['intro', '', 'intro must be a string of 1 to 2000 characters, or null.'],
    ['intro', 'x'.repeat(2001), 'intro must be a string of 1 to 2000 characters, or null.'],
    ['intro', 5, 'intro must be a string of 1 to 2000 characters, or null.'],
    ['language', 'no_such', 'language must be a BCP 47 language tag, such as "en" or "pt-BR", or null.'],
    ['language', '', 'language must be a BCP 47 language tag, such as "en" or "pt-BR", or null.'],
    ['accent', 'red', 'accent must be a colour, such as "#3b49cf", or null.'],
    ['accent', '#fff', 'accent must be a colour, such as "#3b49cf", or null.'],
    ['accent', '#ffffff}body{', 'accent must be a colour, such as "#3b49cf", or null.'],
  ])('[ERR-03] rejects %s %j', async (field, value, message) => {
    const form = await startForm(QUESTIONS)
    const { status, body } = await app(form, 'PATCH', `/forms/${form.form.id}`, { [field]: value })
    expect([status, body.error.message, body.error.details]).toEqual([422, message, { field }])
  })

  it.each([
    ['an SVG', `data:image/svg+xml;base64,${btoa('<svg onload="alert(1)"/>')}`],
    ['an SVG named PNG', `data:image/png;base64,${btoa('<svg onload="alert(1)"/>')}`],
    ['a page', `data:text/html;base64,${btoa('<script>alert(1)</script>')}`],
    ['a link', 'https://example.com/logo.png'],
    ['a PNG of 102,401 bytes', `data:image/png;base64,${largePng(102_401)}`],
    ['a PNG of 300,000 bytes', `data:image/png;base64,${largePng(300_000)}`],
  ])('[ERR-03] rejects %s as a logo', async (_what, logo) => {
    const form = await startForm(QUESTIONS)
    const { status, body } = await app(form, 'PATCH', `/forms/${form.form.id}`, { logo })
    expect([status, body.error.details]).toEqual([422, { field: 'logo' }])
    expect(body.error.message).toContain('PNG, JPEG, GIF or WebP image of at most 102400 bytes')
  })

  it.each([
    ['PNG', `data:image/png;base64,${largePng(102_400)}`],
    ['JPEG', `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64')}`],
    ['GIF', `data:image/gif;base64,${btoa('GIF89a')}`],
    ['WebP', `data:image/webp;base64,${btoa('RIFF\0\n\0\0WEBPVP8 ')}`],
  ])('accepts a %s as a logo', async (_what, logo) => {
    const form = await startForm(QUESTIONS)
    expect((await app(form, 'PATCH', `/forms/${form.form.id}`, { logo })).status).toBe(200)
  })

  it.each([
    ['ar', 'Dinner', 'lang="ar" dir="rtl"'],
    ['he-IL', 'Dinner', 'lang="he-IL" dir="rtl"'],
    ['pa-Arab', 'Dinner', 'lang="pa-Arab" dir="rtl"'],
    ['pa', 'Dinner', 'lang="pa" dir="ltr"'],
    ['de', 'עברית', 'lang="de" dir="ltr"'],
    [null, 'Dinner مرحبا', 'lang="en" dir="ltr"'],
    [null, '1. مرحبا Dinner', 'lang="en" dir="rtl"'],
  ])('sets the direction of the page: language %j, title %j', async (language, title, expected) => {
    const form = await startForm(QUESTIONS, { form: { language, title } })
    for (const path of ['', '/thanks']) {
      const { text } = await form.call('GET', path, ACCEPT)
      expect(text).toContain(`<html ${expected}>`)
    }
    form.server.app.forms.close(form.form.id)
    expect((await form.call('GET', '', ACCEPT)).text).toContain(`<html ${expected}>`)
  })

  it('marks the English texts of a page in another language', async () => {
    const german = await startForm(QUESTIONS, { form: { language: 'de' } })
    const { text } = await german.call('GET', '', ACCEPT)
    expect(text).toContain(
      '<button type="submit" class="primary" data-submit="" lang="en" dir="ltr">Submit</button>',
    )
    const british = await startForm(QUESTIONS, { form: { language: 'en-GB' } })
    expect((await british.call('GET', '', ACCEPT)).text).not.toContain('lang="en"')
  })

  it('tells previews of the link what it is, and never the token of a draft', async () => {
    const form = await startForm(QUESTIONS, {
      form: { title: 'A "title"', intro: `First.\n\n  Second. ${'x'.repeat(300)}`, logo: LOGO },
    })
    const url = `http://formwire.test/f/${form.form.slug}`
    const { token } = (await form.json('POST', '/drafts', {})).body.data
    for (const path of ['', `/drafts/${token}`]) {
      const { text } = await form.call('GET', path, ACCEPT)
      const head = text.slice(0, text.indexOf('</head>'))
      const meta = Object.fromEntries(
        Array.from(
          head.matchAll(/<meta (?:property|name)="([^"]*)" content="([^"]*)"/g),
          ([, name, value]) => [name, value],
        ),
      )
      expect(meta).toMatchObject({
        'og:type': 'website',
        'og:title': 'A &quot;title&quot;',
        'og:url': url,
        'og:image': `${url}/logo`,
        'og:description': `First. Second. ${'x'.repeat(185)}`,
        description: `First. Second. ${'x'.repeat(185)}`,
        robots: 'noindex',
      })
      expect(head).not.toContain(token)
    }
  })

  it('is kept by a snapshot; one without it still loads, a damaged one does not', async () => {
    const form = await startForm(QUESTIONS, { form: { intro: 'Hello', accent: '#0f6b5c' } })
    const snapshot = JSON.parse(JSON.stringify(form.server.app.snapshot.take()))
    const restored = createReferenceServer({ snapshot })
    expect(restored.app.forms.get(form.form.id)).toMatchObject({ intro: 'Hello', accent: '#0f6b5c' })
    const [record] = snapshot.state.forms.forms
    record.publication.appearance.accent = '#fff}'
    expect(() => createReferenceServer({ snapshot })).toThrow(
      'state.forms.forms[0].publication.appearance.accent must be a valid accent or null',
    )
    delete record.appearance
    delete record.publication.appearance
    delete snapshot.state.submitTokens
    const old = createReferenceServer({ snapshot })
    expect(old.app.forms.get(form.form.id)).toMatchObject({ intro: null, accent: null })
    await Promise.all([restored.close(), old.close()])
  })

  it('comes from a seed, which is validated', async () => {
    const seed = (look: object) => ({
      version: 1 as const,
      users: [{ name: 'Ann', email: 'ann@example.com' }],
      workspaces: [
        {
          name: 'W',
          members: [{ user: 'ann@example.com', role: 'owner' as const }],
          forms: [{ id: 'formsurvey01', slug: 'survey', title: 'Survey', ...look }],
        },
      ],
    })
    const server = createReferenceServer({ seed: seed({ intro: 'Hello', language: 'ar' }) })
    await server.ready
    expect(server.app.forms.get('formsurvey01')).toMatchObject({ intro: 'Hello', language: 'ar', logo: null })
    expect(await (await server.fetch('http://formwire.test/f/survey')).text()).toContain('dir="rtl"')
    const wrong = createReferenceServer({ seed: seed({ accent: 'red' }) })
    await expect(wrong.ready).rejects.toThrow(
      'workspaces[0].forms[0].accent: must be a colour, such as "#3b49cf", or null.',
    )
    await Promise.all([server.close(), wrong.close()])
  })
})

function largePng(size: number): string {
  const bytes = Buffer.alloc(size)
  Buffer.from(PIXEL, 'base64').copy(bytes)
  return bytes.toString('base64')
}
