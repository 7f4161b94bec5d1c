// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOSTILE_FORMS, hostileSeed } from '../../../../test/support/hostile-seed.ts'
import { ALL_HOSTILE_TEXTS } from '../../../../test/support/hostile-texts.ts'
import { PATIENT } from '../../../../test/support/patience.ts'
import { createMockReceiver } from '../../src/index.ts'
import { cutOff, eventually, launchChromium, openConsole } from './console-kit.ts'

const SCRIPT = '"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'
/** The end of an isolate that it did not start, an unclosed right-to-left override, and Hebrew. */
const TURNED = '\u2069\u202eabc שלום \u2067'
const LONG = 'unbroken'.repeat(1_280)

describe('untrusted texts in the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it('stay text in every view, without markup, reversed layout or overflow', async () => {
    const receiver = await createMockReceiver({
      script: [{ status: 500, body: `${SCRIPT}\u202e\t!` } as never],
    }).listen()
    let formId = ''
    let [deliveryId, webhookId] = ['', 0]
    const open = await openConsole(browser, {
      server: { limits: 'off' },
      path: '/forms',
      prepare: async (server, url) => {
        const { forms, webhooks, responses, users, workspaces, keys } = server.app
        forms.create({ title: 'Plain' })
        forms.create({ title: TURNED })
        formId = forms.create({
          title: SCRIPT,
          questions: [
            { id: 'a', type: 'long_text', title: SCRIPT },
            { id: 'b', type: 'long_text', title: TURNED },
            { id: 'c', type: 'long_text', title: LONG },
          ],
        }).id
        forms.publish(formId)
        const { id } = await webhooks.create(formId, {
          url: `${receiver.url}?x=${encodeURIComponent(SCRIPT)}`,
        })
        responses.create(formId, {
          answers: [
            { question_id: 'a', value: SCRIPT },
            { question_id: 'b', value: TURNED },
            { question_id: 'c', value: LONG },
          ],
          meta: { ref: SCRIPT },
          deliver: true,
        })
        await receiver.waitFor(1, PATIENT)
        await server.clock.advance(0)
        webhookId = id
        deliveryId = server.app.deliveries.list(formId, id)[0]?.id ?? ''
        users.create({ name: SCRIPT, email: 'x@example.com' })
        workspaces.create({ name: `${TURNED}${LONG.slice(0, 100)}` })
        keys.create({ name: SCRIPT.slice(0, 60), scope: 'read' })
        await fetch(`${url}/api/v1/${encodeURIComponent(SCRIPT)}?q=${encodeURIComponent(TURNED)}`, {
          headers: { 'user-agent': SCRIPT },
        })
      },
    })
    const { page } = open

    const left = async (title: string, cell: string) => {
      const box = await page
        .locator('.grid-body [role=row]', { hasText: title })
        .locator(`.cell.${cell}`)
        .boundingBox()
      return box?.x
    }
    await page.getByText('Plain').waitFor()
    for (const cell of ['status', 'title', 'id', 'count', 'when']) {
      expect(await left(TURNED, cell)).toBe(await left('Plain', cell))
    }

    for (const path of [
      '/forms',
      `/forms/${formId}`,
      `/forms/${formId}/responses/1`,
      `/forms/${formId}/questions`,
      '/deliveries',
      `/deliveries/${deliveryId}`,
      '/endpoints',
      `/endpoints/${webhookId}`,
      '/requests',
      '/requests/1',
      '/server/access',
    ]) {
      await open.goTo(path)
      await page.locator('main bdi', { hasText: 'onerror' }).filter({ visible: true }).first().waitFor()
      const state = () =>
        page.evaluate(() => ({
          pwned: 'pwned' in window,
          markup: document.querySelectorAll('main img, main script').length,
          overflow: document.documentElement.scrollWidth - innerWidth,
        }))
      await eventually(async () => ({ path, ...(await state()), cutOff: await cutOff(page) })).toEqual({
        path,
        pwned: false,
        markup: 0,
        overflow: 0,
        cutOff: [],
      })
    }

    await open.goTo(`/forms/${formId}/responses/1`)
    const answer = page.getByRole('group', { name: 'Answer to c' })
    expect(await answer.innerText()).toBe(LONG)
    expect((await answer.boundingBox())?.height).toBeLessThan(320)
    await open.goTo(`/deliveries/${deliveryId}`)
    expect(await page.getByRole('group', { name: 'Response body' }).innerText()).toBe(`${SCRIPT}\\u202e\t!`)
    expect(open.errors).toEqual([])
    await open.close()
    await receiver.close()
  })
  it('stay text nodes in console and public form, without scripts, dialogs, links or requests elsewhere, for each of the corpus', async () => {
    const { answers, places } = HOSTILE_FORMS
    const open = await openConsole(browser, {
      server: { seed: hostileSeed(), limits: 'off' },
      path: '/forms',
    })
    const { page, url, context, server } = open
    const elsewhere: string[] = []
    const dialogs: string[] = []
    context.on('request', (request) => {
      if (!request.url().startsWith(url)) elsewhere.push(request.url())
    })
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    const shown = (texts: readonly string[]) =>
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
    const response = ALL_HOSTILE_TEXTS.length + 1

    await open.goTo(`/forms/${places}/responses/${response}`)
    await eventually(() => shown(texts)).toEqual(harmless)
    await open.goTo(`/forms/${places}/summary`)
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
      await open.goTo(path)
      await page.locator('main bdi, main input').filter({ visible: true }).first().waitFor()
      expect({ path, ...(await shown([])) }).toEqual({ path, ...harmless })
    }
    await page.goto(`${url}/f/${server.app.forms.get(places)?.slug}`)
    await eventually(() => shown([]).then(({ markup, links }) => ({ markup, links }))).toEqual({
      markup: 0,
      links: [],
    })
    expect({ dialogs, elsewhere, errors: open.errors }).toEqual({ dialogs: [], elsewhere: [], errors: [] })
    await open.close()
  })
})
