// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { COLOUR_RULES } from './axe.ts'
import {
  axeFaults,
  type Console,
  cutOff,
  hasChromium,
  launchChromium,
  openConsole,
  screenshot,
} from './console-kit.ts'
import { demoScene } from './console-scene.ts'

const row = (page: Page, index: number) => page.locator('.grid-body [role=row]').nth(index)

/** Every view, its path and how to wait until it is loaded. */
const VIEWS: readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
  ['deliveries', '/deliveries', (page) => row(page, 5).waitFor()],
  [
    'delivery',
    '/deliveries',
    async (page) => {
      await page.locator('.grid-body [role=row]', { hasText: 'pending' }).first().click()
      await page.getByTestId('attempt-1').waitFor()
    },
  ],
  [
    'comparison',
    '/deliveries?q=refused',
    async (page) => {
      await row(page, 0).locator('.what a').click()
      await page.getByRole('button', { name: 'Compare attempts' }).click()
      await page.getByRole('region', { name: 'Comparison' }).waitFor()
    },
  ],
  ['forms', '/forms', (page) => row(page, 5).waitFor()],
  ['form', '/forms/guestvoice01', (page) => row(page, 5).waitFor()],
  [
    'response',
    '/forms/guestvoice01/responses',
    async (page) => {
      await row(page, 0).click()
      await page.getByRole('heading', { name: 'Meta' }).waitFor()
    },
  ],
  [
    'questions',
    '/forms/guestvoice01/questions',
    (page) => page.locator('.questions summary').first().waitFor(),
  ],
  ['drafts', '/forms/winterdinner/drafts', (page) => page.getByText('No saved drafts').waitFor()],
  ['endpoints', '/endpoints', (page) => row(page, 3).waitFor()],
  [
    'endpoint',
    '/endpoints',
    async (page) => {
      await page.locator('.grid-body .cell.url a', { hasText: '127.0.0.1:4000' }).first().click()
      await page.getByText('Success rate').waitFor()
    },
  ],
  ['requests', '/requests', (page) => row(page, 3).waitFor()],
  [
    'palette',
    '/requests?status=2',
    async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'View, form' }).fill('guest')
    },
  ],
  [
    'shortcuts',
    '/requests',
    async (page) => {
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.locator('main h1').focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog').getByText('Go to Endpoints').waitFor()
    },
  ],
  ['keys', '/keys', (page) => page.getByRole('row', { name: /Reporting/ }).waitFor()],
  ['people', '/people', (page) => page.getByRole('heading', { name: 'Lantern Studio' }).waitFor()],
  ['server', '/server', (page) => page.getByText('version').waitFor()],
]

describe.skipIf(!hasChromium)('console views', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  const inScene = async (
    look: { colorScheme: 'light' | 'dark'; width?: number; height?: number },
    visit: (console: Console) => Promise<void>,
  ) => {
    const scene = await demoScene()
    const open = await openConsole(browser, { ...look, server: scene.options, prepare: scene.prepare })
    try {
      await visit(open)
      expect(open.errors).toEqual([])
    } finally {
      await open.close()
      await scene.close()
    }
  }

  /** One console for the tests of a look. */
  const shareScene = (look: Parameters<typeof inScene>[0]) => {
    let scene: Awaited<ReturnType<typeof demoScene>>
    let open: Console
    beforeAll(async () => {
      scene = await demoScene()
      open = await openConsole(browser, { ...look, server: scene.options, prepare: scene.prepare })
    })
    afterEach(() => expect(open.errors.splice(0)).toEqual([]))
    afterAll(async () => {
      await open?.close()
      await scene?.close()
    })
    /** Goes to a view from another one, which closes what is open. */
    return async ([, path, ready]: (typeof VIEWS)[number]): Promise<Page> => {
      const { page, goTo } = open
      await goTo('/nowhere')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await goTo(path)
      await ready(page)
      return page
    }
  }

  describe.each([
    ['light', {}],
    ['dark', { only: COLOUR_RULES }],
  ] as const)('have no accessibility violations, %s', (colorScheme, rules) => {
    const show = shareScene({ colorScheme })

    it.each(VIEWS.map((view) => [view[0], view] as const))('%s', async (name, view) => {
      const page = await show(view)
      expect(await axeFaults(page, rules)).toEqual([])
      expect(await cutOff(page)).toEqual([])
      await screenshot(page, `console-${name}-${colorScheme}`)
    })
  })

  it.each(['light', 'dark'] as const)(
    'have no accessibility violations in menus and dialogs, %s',
    (colorScheme) =>
      inScene({ colorScheme }, async ({ page, goTo }) => {
        await goTo('/endpoints')
        await page
          .getByRole('button', { name: /^Actions of endpoint/ })
          .first()
          .click()
        await page.getByRole('menu').waitFor()
        expect(await axeFaults(page)).toEqual([])
        await page.keyboard.press('Escape')
        await goTo('/keys')
        await page.getByRole('button', { name: 'Create a key' }).click()
        await page.getByRole('dialog').getByLabel('Name').fill('CI')
        expect(await axeFaults(page)).toEqual([])
        await page.getByRole('button', { name: 'Create', exact: true }).click()
        await page.getByTestId('revealed').waitFor()
        expect(await axeFaults(page)).toEqual([])
      }),
  )

  describe.each([
    ['a phone', 390],
    ['a small tablet', 768],
    ['a small window', 1100],
  ])('fit %s without horizontal scrolling', (_, width) => {
    const show = shareScene({ colorScheme: 'light', width, height: 844 })

    it.each(VIEWS.map((view) => [view[0], view] as const))('%s', async (name, view) => {
      const page = await show(view)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      expect(await cutOff(page)).toEqual([])
      if (name === 'deliveries') expect(await axeFaults(page)).toEqual([])
      if (width === 390) await screenshot(page, `console-${name}-phone`)
    })
  })

  it('have deep links: the URL restores the view, its filters and the open delivery', () =>
    inScene({ colorScheme: 'light' }, async ({ page }) => {
      await page.getByLabel('Status').selectOption('pending')
      await page.getByRole('searchbox').fill('guestvoice01')
      await row(page, 0).click()
      await page.getByTestId('attempt-1').waitFor()
      const url = page.url()
      const id = await page.locator('.pane-id code').innerText()
      await page.goto('about:blank')
      await page.goto(url)
      await page.getByTestId('attempt-1').waitFor()
      expect(await page.locator('.pane-id code').innerText()).toBe(id)
      expect(await page.getByLabel('Status').inputValue()).toBe('pending')
      expect(await page.getByRole('searchbox').inputValue()).toBe('guestvoice01')
      expect(url).not.toContain('token')
    }))

  it('show what to do when they are empty, with a command that works', async () => {
    const open = await openConsole(browser, { path: '/forms' })
    const { page, url, server } = open
    await page.getByText('No forms yet').waitFor()
    const command = () => page.locator('.empty .command pre').innerText()
    for (const [path, title, begins] of [
      ['/deliveries', 'No active endpoints', `FORMWIRE_BASE_URL=${url} formwire listen --form FORM_ID`],
      ['/endpoints', 'No endpoints yet', `FORMWIRE_BASE_URL=${url} formwire webhooks create FORM_ID http`],
    ] as const) {
      await open.goTo(path)
      await page.getByText(title).waitFor()
      expect((await command()).startsWith(begins)).toBe(true)
    }
    // The other commands are complete: they fill the view as they are.
    const paste = async () =>
      promisify(execFile)('sh', ['-c', await command()], {
        env: { ...process.env, FORMWIRE_ADMIN_TOKEN: server.adminToken, FORMWIRE_API_KEY: server.readKey },
      })
    await open.goTo('/requests')
    await page.getByText('No API requests yet').waitFor()
    await paste()
    await page.getByText('/api/v1/me').first().waitFor()
    await open.goTo('/forms')
    await page.getByText('No forms yet').waitFor()
    await paste()
    await page.getByText('First form').waitFor()
    const formId = server.app.forms.list()[0]?.id ?? ''
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('button', { name: 'Close' }).waitFor()
    for (const [tab, title] of [
      ['drafts', 'No saved drafts'],
      ['responses', 'No responses yet'],
    ] as const) {
      await open.goTo(`/forms/${formId}/${tab}`)
      await page.getByText(title).waitFor()
      await paste()
      await page.locator('.grid-body [role=row]').first().waitFor()
    }
    // The command for a form with required questions answers them.
    await server.app.webhooks.create(formId, { url: `${url}/nowhere` })
    server.app.forms.update(formId, {
      questions: [
        { type: 'nps', title: 'Again?', required: true },
        { type: 'short_text', title: "It's", required: true, min: 20 },
      ],
    })
    server.app.forms.publish(formId)
    await open.goTo('/deliveries')
    await page.reload()
    await page.getByText('No deliveries yet').waitFor()
    await paste()
    await page.locator('.grid-body [role=row]').first().waitFor()
    expect(open.errors).toEqual([])
    await open.close()
  })
})
