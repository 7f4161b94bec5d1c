import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { COLOUR_RULES } from './axe.ts'
import {
  axeFaults,
  type Console,
  type ConsoleOptions,
  cutOff,
  eventually,
  hasChromium,
  launchChromium,
  openConsole,
} from './console-kit.ts'
import { demo, demoScene } from './console-scene.ts'
import { screenshot } from './screenshot.ts'

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const row = (page: Page, index: number) => page.locator('.grid-body [role=row]').nth(index)

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** A view, its path and how to wait until it is loaded. */
type View = readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>]

/** The views of deliveries, and what is opened in them. */
const VIEWS: readonly View[] = [
  ['deliveries', '/deliveries', (page) => row(page, 5).waitFor()],
  [
    'delivery',
    '/deliveries',
    async (page) => {
      await row(page, 3).waitFor()
      // Beyond the rows that a small window renders.
      await page.locator('.grid').evaluate((grid) => grid.scrollTo(0, 300))
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
      await page.getByRole('dialog').getByText('Go to Endpoints').waitFor()
    },
  ],
  ['keys', '/keys', (page) => page.getByRole('row', { name: /Reporting/ }).waitFor()],
  ['people', '/people', (page) => page.getByRole('heading', { name: 'Lantern Studio' }).waitFor()],
  ['server', '/server', (page) => page.getByText('version').waitFor()],
]

/** Views with figures, tables and tools. */
const MORE_VIEWS: readonly View[] = [
  [
    'summary',
    '/forms/guestvoice01/summary',
    (page) => page.getByText('net promoter score', { exact: true }).waitFor(),
  ],
  ['summary-grids', '/forms/retreatform1/summary', (page) => page.locator('.grid-tally').first().waitFor()],
  ['table', '/forms/retreatform1/table', (page) => page.getByRole('table').waitFor()],
  [
    'builder',
    '/forms/retreatform1/edit',
    // Behind a button on a phone.
    (page) => page.locator('iframe:not(.is-loading)').waitFor({ state: 'attached' }),
  ],
  ['tools', '/server', (page) => page.getByRole('region', { name: 'Faults' }).waitFor()],
  ['overview', '/deliveries', (page) => page.getByRole('region', { name: 'Overview' }).waitFor()],
]

describe.skipIf(!hasChromium)('console views', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  /** One console for the tests of a look. */
  const shareConsole = (options: () => ConsoleOptions) => {
    let open: Console
    beforeAll(async () => {
      open = await openConsole(browser, options())
    })
    // The builder asks the server whether edits are valid.
    afterEach(() =>
      expect(open.errors.splice(0).filter((text) => !text.includes('status of 422'))).toEqual([]),
    )
    afterAll(() => open?.close())
    /** Goes to a view from another one, which closes what is open. */
    return async ([, path, ready]: View): Promise<Page> => {
      const { page, goTo } = open
      await goTo('/nowhere')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await goTo(path)
      await ready(page)
      return page
    }
  }

  const shareScene = (look: ConsoleOptions) => {
    let scene: Awaited<ReturnType<typeof demoScene>>
    beforeAll(async () => {
      scene = await demoScene()
    })
    afterAll(() => scene?.close())
    return shareConsole(() => ({ ...look, server: scene.options, prepare: scene.prepare }))
  }

  describe.each([
    ['light', {}],
    ['dark', { only: COLOUR_RULES }],
  ] as const)('have no accessibility violations, %s', (colorScheme, rules) => {
    const show = shareScene({ colorScheme })

    it.each(VIEWS.map((view) => [view[0], view] as const))('%s', async (name, view) => {
      const page = await show(view)
      await eventually(() => cutOff(page)).toEqual([])
      expect(await axeFaults(page, rules)).toEqual([])
      await screenshot(page, `console-${name}-${colorScheme}`)
    })

    it('menus and dialogs', async () => {
      const menu = await show(['menu', '/endpoints', (page) => press(page, /^Actions of endpoint/)])
      await menu.getByRole('menu').waitFor()
      expect(await axeFaults(menu, rules)).toEqual([])
      await menu.keyboard.press('Escape')
      const page = await show(['dialog', '/keys', (page) => press(page, 'Create a key')])
      await page.getByRole('dialog').getByLabel('Name').fill('CI')
      expect(await axeFaults(page, rules)).toEqual([])
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByTestId('revealed').waitFor()
      expect(await axeFaults(page, rules)).toEqual([])
    })
  })

  describe.each([
    ['a phone', 390],
    ['a small tablet', 768],
    ['a small window', 1100],
  ] as const)('fit %s without horizontal scrolling', (_, width) => {
    const show = shareScene({ colorScheme: 'light', width, height: 844 })

    it.each(VIEWS.map((view) => [view[0], view] as const))('%s', async (name, view) => {
      const page = await show(view)
      await eventually(() => cutOff(page)).toEqual([])
      await eventually(() => overflow(page)).toBe(0)
      if (width === 390) await screenshot(page, `console-${name}-phone`)
    })
  })

  describe.each([
    ['light', 1440, '', {}],
    // The colours are those of the wide window.
    ['light', 390, '-phone', { without: COLOUR_RULES }],
    ['dark', 1440, '', { only: COLOUR_RULES }],
    ['light', 1100, '-small', { without: COLOUR_RULES }],
  ] as const)(
    'fit, and have no accessibility violations: %s, %d pixels wide',
    (colorScheme, width, suffix, rules) => {
      const show = shareConsole(() => ({
        server: demo(),
        colorScheme,
        width,
        height: 900,
        prepare: async ({ app }) => {
          app.faults.add({ status: 503, path: '/api/v1/forms/*/responses', times: 3 })
        },
      }))

      it.each(MORE_VIEWS.map((view) => [view[0], view] as const))('%s', async (name, view) => {
        const page = await show(view)
        await eventually(() => cutOff(page)).toEqual([])
        await eventually(() => overflow(page)).toBe(0)
        expect(await axeFaults(page, rules)).toEqual([])
        if (suffix !== '-small')
          await screenshot(page, `console-${name}-${suffix === '' ? colorScheme : 'phone'}`)
      })
    },
  )
})
