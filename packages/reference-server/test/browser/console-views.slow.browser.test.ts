import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Console, cutOff, eventually, launchChromium, openConsole } from './console-kit.ts'
import { demoScene } from './console-scene.ts'
import { screenshot } from './screenshot.ts'

const row = (page: Page, index: number) => page.locator('.grid-body [role=row]').nth(index)

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** A view, its path and how to wait until it is loaded. */
type View = readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>]

/** The views, and what is opened in them. */
const VIEWS: readonly View[] = [
  ['deliveries', '/deliveries', (page) => row(page, 5).waitFor()],
  [
    'delivery',
    '/deliveries',
    async (page) => {
      await row(page, 3).waitFor()
      await page.locator('.grid-body [role=row]', { hasText: 'pending' }).first().click()
      await page.getByTestId('attempt-1').waitFor()
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
  ['questions', '/forms/guestvoice01/questions', (page) => page.getByLabel('Title of question 3').click()],
  ['drafts', '/forms/winterdinner/drafts', (page) => page.getByText('No saved drafts').waitFor()],
  ['endpoints', '/endpoints', (page) => row(page, 3).waitFor()],
  [
    'endpoint',
    '/endpoints',
    async (page) => {
      await page.locator('.grid-body .cell.url a', { hasText: '127.0.0.1:4000' }).first().click()
      await page.getByText('success rate', { exact: true }).waitFor()
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
      await page.getByRole('dialog').getByText('Open the next row').waitFor()
    },
  ],
  ['access', '/server/access', (page) => page.getByRole('heading', { name: 'Lantern Studio' }).waitFor()],
  [
    'summary',
    '/forms/guestvoice01/summary',
    (page) => page.getByText('net promoter score', { exact: true }).waitFor(),
  ],
  ['summary-grids', '/forms/retreatform1/summary', (page) => page.locator('.grid-tally').first().waitFor()],
  ['table', '/forms/retreatform1', (page) => row(page, 5).waitFor()],
  [
    'builder',
    '/forms/retreatform1/edit',
    // Behind a button on a phone.
    (page) => page.locator('iframe:not(.is-loading)').waitFor({ state: 'attached' }),
  ],
  ['tools', '/server', (page) => page.getByRole('region', { name: 'Faults' }).waitFor()],
]

describe('console views', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  describe.each([
    ['a window', 1440],
    ['a small window', 1100],
    ['a small tablet', 768],
    ['a phone', 390],
  ])('fit %s without horizontal scrolling', (_, width) => {
    let open: Console
    let scene: Awaited<ReturnType<typeof demoScene>>
    beforeAll(async () => {
      scene = await demoScene()
      open = await openConsole(browser, { width, height: 900, server: scene.options, prepare: scene.prepare })
    })
    // The builder asks the server whether edits are valid.
    afterEach(() =>
      expect(open.errors.splice(0).filter((text) => !text.includes('status of 422'))).toEqual([]),
    )
    afterAll(async () => {
      await open?.close()
      await scene?.close()
    })

    it.each(VIEWS)('%s', async (name, path, ready) => {
      const { page, goTo } = open
      // From another view, which closes what is open.
      await goTo('/nowhere')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await goTo(path)
      await ready(page)
      await eventually(() => cutOff(page)).toEqual([])
      await eventually(() => overflow(page)).toBe(0)
      if (width !== 1440) return
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await screenshot(page, `console-${name}-${colorScheme}`)
      }
    })
  })
})
