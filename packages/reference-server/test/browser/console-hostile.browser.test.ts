import { describe, expect, it } from 'vitest'
import { HOSTILE_FORMS, hostileSeed } from '../../../../test/support/hostile-seed.ts'
import { ALL_HOSTILE_TEXTS } from '../../../../test/support/hostile-texts.ts'
import { PATIENT } from '../../../../test/support/patience.ts'
import { eventually, textOf } from './browser-kit.ts'
import { consoleTests, cutOff } from './console-kit.ts'

const SCRIPT = '"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'
/** The end of an isolate that it did not start, an unclosed right-to-left override, and Hebrew. */
const TURNED = '\u2069\u202eabc שלום \u2067'
const LONG = 'unbroken'.repeat(1_280)

describe('untrusted texts in the console', () => {
  const { start, receiver } = consoleTests()

  it('stay text in every view, without markup, reversed layout or overflow', async () => {
    const target = await receiver({ status: 500, body: `${SCRIPT}\u202e\t!` })
    let formId = ''
    let deliveryId = ''
    const { page, rows, goTo } = await start({
      path: '/forms',
      prepare: async (server, url) => {
        const { forms, webhooks, responses, users, workspaces, keys } = server.app
        forms.create({ title: 'Plain' })
        forms.create({ title: TURNED })
        const texts = [SCRIPT, TURNED, LONG]
        formId = forms.create({
          title: SCRIPT,
          questions: texts.map((title, at) => ({ id: `q${at}`, type: 'long_text', title })),
        }).id
        forms.publish(formId)
        const { id } = await webhooks.create(formId, { url: `${target.url}?x=${encodeURIComponent(SCRIPT)}` })
        responses.create(formId, {
          answers: texts.map((value, at) => ({ question_id: `q${at}`, value })),
          meta: { ref: SCRIPT },
          deliver: true,
        })
        await target.waitFor(1, PATIENT)
        await server.clock.advance(0)
        deliveryId = server.app.deliveries.list(formId, id)[0]?.id ?? ''
        users.create({ name: SCRIPT, email: 'x@example.com' })
        workspaces.create({ name: `${TURNED}${LONG.slice(0, 100)}` })
        keys.create({ name: SCRIPT.slice(0, 60), scope: 'read' })
        await fetch(`${url}/api/v1/${encodeURIComponent(SCRIPT)}?q=${encodeURIComponent(TURNED)}`, {
          headers: { 'user-agent': SCRIPT },
        })
      },
    })
    await page.getByText('Plain').waitFor()
    const starts = (title: string) =>
      rows
        .filter({ hasText: title })
        .locator('.cell')
        .evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().x))
    expect(await starts(TURNED)).toEqual(await starts('Plain'))

    for (const path of [
      '/forms',
      `/forms/${formId}`,
      `/forms/${formId}/responses/1`,
      `/forms/${formId}/questions`,
      '/deliveries',
      `/deliveries/${deliveryId}`,
      '/endpoints',
      '/endpoints/1',
      '/requests',
      '/requests/1',
      '/server/access',
    ]) {
      await goTo(path)
      await page.locator('main bdi', { hasText: 'onerror' }).filter({ visible: true }).first().waitFor()
      const state = () =>
        page.evaluate(() => ({
          pwned: 'pwned' in window,
          markup: document.querySelectorAll('main img, main script').length,
        }))
      await eventually(async () => ({ path, ...(await state()), cutOff: await cutOff(page) })).toEqual({
        path,
        pwned: false,
        markup: 0,
        cutOff: [],
      })
    }

    await goTo(`/forms/${formId}/responses/1`)
    expect(await textOf(page.getByRole('group', { name: 'Answer to q2' }))).toBe(LONG)
    await goTo(`/deliveries/${deliveryId}`)
    const body = page.getByRole('group', { name: 'Response body' })
    expect(await textOf(body)).toBe(`${SCRIPT}\\u202e\t!`)
  })

  it('stay text nodes in console and public form, without scripts, dialogs, links or requests elsewhere, for each of the corpus', async () => {
    const { answers, places } = HOSTILE_FORMS
    const { page, url, context, server, goTo } = await start({
      server: { seed: hostileSeed() },
      browser: {},
      path: '/forms',
    })
    const elsewhere: string[] = []
    const dialogs: string[] = []
    context.on('request', (request) => {
      if (!request.url().startsWith(url)) elsewhere.push(request.url())
    })
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    const shown = (texts: readonly string[] = []) =>
      page.evaluate((all) => {
        const text = document.querySelector('main')?.textContent ?? ''
        const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href]')]
        return {
          missing: all.filter((one) => !text.includes(one)).map((one) => one.slice(0, 40)),
          // The frame of the preview runs no scripts.
          markup: document.querySelectorAll(
            'main :is(script, img, iframe:not(.frames > iframe), base, meta, link, style, math, object, embed)',
          ).length,
          links: links
            .map(({ href }) => href)
            .filter((href) => !/^https?:/.test(href) || href.includes('evil.example')),
        }
      }, texts)
    // A lone surrogate does not reach the page in a call.
    const texts = ALL_HOSTILE_TEXTS.filter((text) => !/\p{Cs}/u.test(text))
    const harmless = { missing: [], markup: 0, links: [] }

    await goTo(`/forms/${places}/responses/${ALL_HOSTILE_TEXTS.length + 1}`)
    await eventually(() => shown(texts)).toEqual(harmless)
    await goTo(`/forms/${places}/summary`)
    // Titles are cut there, perhaps inside an emoji.
    const starts = texts.map((text) => text.slice(0, 200)).filter((text) => !/\p{Cs}/u.test(text))
    await eventually(() => shown(starts)).toEqual(harmless)
    for (const path of [
      '/forms',
      `/forms/${answers}`,
      `/forms/${answers}/summary`,
      `/forms/${places}`,
      `/forms/${places}/edit`,
    ]) {
      await goTo(path)
      await page.locator('main bdi, main input').filter({ visible: true }).first().waitFor()
      expect({ path, ...(await shown()) }).toEqual({ path, ...harmless })
    }
    await page.goto(`${url}/f/${server.app.forms.get(places)?.slug}`)
    await eventually(() => shown()).toEqual(harmless)
    expect({ dialogs, elsewhere }).toEqual({ dialogs: [], elsewhere: [] })
  })
})
