import { describe, expect, it } from 'vitest'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import { startForm } from './helpers.ts'

const QUESTIONS = [{ id: 'q', type: 'short_text', title: 'Name' }]
const LOGO = 'data:image/png;base64,iVBORw0KGgo='
const ACCEPT = { headers: { accept: 'text/html' } }

describe('the language of a form', () => {
  it.each([
    ['ar', 'Dinner', 'lang="ar" dir="rtl"'],
    ['de', 'עברית', 'lang="de" dir="ltr"'],
    [null, 'Dinner مرحبا', 'lang="en" dir="ltr"'],
    [null, 'مرحبا Dinner', 'lang="en" dir="rtl"'],
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
    expect(text).toContain('<button type="submit" class="primary" lang="en" dir="ltr">Submit</button>')
    const british = await startForm(QUESTIONS, { form: { language: 'en-GB' } })
    expect((await british.call('GET', '', ACCEPT)).text).not.toContain('lang="en"')
  })

  it('is kept by a snapshot, also by one of an earlier version, whose logo, accent and introduction are dropped', async () => {
    const form = await startForm(QUESTIONS, { form: { language: 'ar' } })
    const take = ({ app }: ReferenceServer) => JSON.parse(JSON.stringify(app.snapshot.take()))
    const snapshot = take(form.server)
    const restored = createReferenceServer({ snapshot })
    expect(restored.app.forms.get(form.form.id).language).toBe('ar')
    const [record] = snapshot.state.forms.forms
    for (const part of [record, record.publication]) {
      part.appearance = { intro: 'Hello', language: part.language, logo: LOGO, accent: '#0f6b5c' }
      delete part.language
    }
    const earlier = createReferenceServer({ snapshot })
    expect(earlier.app.forms.get(form.form.id)).toEqual(restored.app.forms.get(form.form.id))
    expect(take(earlier).state.forms).toEqual(take(restored).state.forms)
    expect(await (await earlier.fetch(form.form.url)).text()).toContain('<html lang="ar" dir="rtl">')
    await Promise.all([restored.close(), earlier.close()])
  })

  it('comes from a seed, whose logo, accent and introduction of earlier versions are dropped', async () => {
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
    const earlier = { intro: 'Hello', logo: LOGO, accent: '#0f6b5c' }
    const server = createReferenceServer({ seed: seed({ ...earlier, language: 'AR' }) })
    await server.ready
    const form = server.app.forms.get('formsurvey01')
    expect(form.language).toBe('ar')
    for (const dropped of Object.keys(earlier)) expect(form).not.toHaveProperty(dropped)
    const page = await (await server.fetch('http://formwire.test/f/survey')).text()
    expect(page).toContain('dir="rtl"')
    expect(page).not.toContain('Hello')
    const wrong = createReferenceServer({ seed: seed({ language: 'no_such' }) })
    await expect(wrong.ready).rejects.toThrow(
      'workspaces[0].forms[0].language: must be a BCP 47 language tag, such as "en" or "pt-BR", or null.',
    )
    await Promise.all([server.close(), wrong.close()])
  })
})
