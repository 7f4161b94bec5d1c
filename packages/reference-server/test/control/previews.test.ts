import { beforeEach, describe, expect, it } from 'vitest'
import type { ReferenceServer } from '../../src/index.ts'
import { everyQuestion } from '../../src/testing/index.ts'
import { ask, openServer } from '../support/server.ts'

let server: ReferenceServer
beforeEach(() => {
  server = openServer()
})

const create = (body: object) => ask(server, 'POST', '/_app/previews', body)
/** Without a token. */
const open = (path: string) => ask(server, 'GET', `/_app/${path}`, undefined, { authorization: '' })

describe('a preview', () => {
  it('shows questions that are not published, without a token and without accepting anything', async () => {
    const created = await create({ title: 'Not <yet> published', questions: everyQuestion() })
    expect(created.status).toBe(201)
    const { path } = created.json.data
    expect(path).toMatch(/^previews\/[0-9A-Za-z]{24}$/)
    const page = await open(path)
    const html = page.text
    expect(page.status).toBe(200)
    expect(html).toContain('Not &lt;yet&gt; published')
    expect(html).toContain('Preview: this page accepts no responses.')
    for (const [button] of html.matchAll(/<button type="submit"[^>]*>/g))
      expect(button).toContain(' disabled')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).toContain("form-action 'none'")
    expect(policy).toContain("connect-src 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(server.app.forms.list()).toEqual([])
    expect(html).toContain('<script')
    expect((await open(`${path}?static`)).text).not.toContain('<script')
  })

  it('is in the language of the form', async () => {
    const { path } = (await create({ title: 'Survey', questions: [], language: 'ar' })).json.data
    expect((await open(path)).text).toContain('<html lang="ar" dir="rtl">')
  })

  it('is refused as the builder refuses a form, naming the field', async () => {
    const cases: [object, string][] = [
      [{ title: '', questions: [] }, 'title'],
      [
        {
          title: 'T',
          questions: [
            { type: 'short_text', title: 'Q' },
            { type: 'dropdown', title: 'D' },
          ],
        },
        'questions[1].options',
      ],
      [{ title: 'T', questions: {} }, 'questions'],
      [{ title: 'T', questions: [], language: 'no_such' }, 'language'],
      [{ title: 'T', questions: [], more: 1 }, 'more'],
    ]
    for (const [body, field] of cases) {
      const response = await create(body)
      expect([response.status, response.json.error.details.field]).toEqual([422, field])
    }
  })

  it('needs the admin token to be created, and is dropped once 50 are newer', async () => {
    const refused = await ask(server, 'POST', '/_app/previews', {}, { authorization: '' })
    expect(refused.status).toBe(401)
    const paths: string[] = []
    for (let index = 0; index < 51; index++)
      paths.push((await create({ title: `T${index}`, questions: [] })).json.data.path)
    expect((await open(paths[0] as string)).status).toBe(404)
    expect((await open(paths[1] as string)).status).toBe(200)
    expect((await open(paths[50] as string)).status).toBe(200)
  })
})
