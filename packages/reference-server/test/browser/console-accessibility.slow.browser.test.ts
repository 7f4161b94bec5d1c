import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  axeFaults,
  type Console,
  chooseSetting,
  consoleTests,
  hasChromium,
  toggleSection,
} from './console-kit.ts'
import { demo } from './console-scene.ts'

const PHONE = { colorScheme: 'dark', width: 390, height: 844 } as const
const DESKTOP = { colorScheme: 'light', width: 1440, height: 900 } as const
const SMALL_LIGHT = { colorScheme: 'light', width: 1024, height: 768 } as const
const SMALL_DARK = { ...SMALL_LIGHT, colorScheme: 'dark' } as const

/** How what opens is looked at. */
const LOOKS = [
  ['on a dark phone', PHONE],
  ['in a light window', DESKTOP],
  ['in a small light window', SMALL_LIGHT],
  ['in a small dark window', SMALL_DARK],
] as const

/** How views are looked at. */
const LOOKS_OF_VIEWS = LOOKS.filter(([, look]) => look !== DESKTOP)

const rows = (page: Page) => page.locator('.grid-body [role=row]')
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const choose = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true }).click()

/** A place in the console, its path and how to get to what is tested there. */
type Place = readonly [name: string, path: string, reach: (page: Page) => Promise<unknown>]

const VIEWS: readonly Place[] = [
  ['forms', '/forms', (page) => rows(page).nth(4).waitFor()],
  [
    'summary',
    '/forms/guestvoice01/summary',
    (page) => page.getByText('net promoter score', { exact: true }).waitFor(),
  ],
  ['questions', '/forms/guestvoice01/questions', (page) => page.getByLabel('Title of question 3').click()],
  ['server', '/server', (page) => page.getByRole('region', { name: 'Snapshots' }).waitFor()],
  ['log and overview', '/deliveries', (page) => page.getByRole('region', { name: 'Overview' }).waitFor()],
  ['no match', '/deliveries?q=nothing-like-it', (page) => page.getByText('No matching deliveries').waitFor()],
  ['responses', '/forms/guestvoice01', (page) => rows(page).nth(4).waitFor()],
  ['table', '/forms/retreatform1/table', (page) => page.getByRole('table').waitFor()],
  ['drafts', '/forms/winterdinner/drafts', (page) => page.getByText('No saved drafts').waitFor()],
  ['endpoints of a form', '/forms/guestvoice01/endpoints', (page) => rows(page).first().waitFor()],
  ['endpoints', '/endpoints', (page) => rows(page).nth(2).waitFor()],
  ['requests', '/requests', (page) => rows(page).nth(4).waitFor()],
  ['keys', '/keys', (page) => page.getByRole('table').waitFor()],
  ['people', '/people', (page) => page.getByRole('heading', { name: 'Lantern Studio' }).waitFor()],
  ['unknown view', '/nowhere', (page) => page.getByText('Page not found').waitFor()],
  ['unknown form', '/forms/nowhere', (page) => page.getByText('It may have been removed').waitFor()],
]

/** The sections of a delivery and what is beside them: each place builds on the one before. */
const DELIVERY: readonly Place[] = [
  [
    'delivery, response and payload',
    '/deliveries?status=pending',
    async (page) => {
      await rows(page).first().click()
      await page.getByTestId('attempt-3').waitFor()
    },
  ],
  ['delivery, raw payload', '', (page) => press(page, 'Raw')],
  ['delivery, headers', '', (page) => toggleSection(page, 'Headers')],
  ['delivery, signature', '', (page) => toggleSection(page, 'Signature')],
  [
    'delivery, comparison',
    '',
    async (page) => {
      await press(page, 'Compare attempts')
      await page.getByRole('region', { name: 'Comparison' }).waitFor()
    },
  ],
  ['copy menu', '', (page) => press(page, 'Copy as')],
]

const OPEN_ITEMS: readonly Place[] = [
  [
    'response',
    '/forms/guestvoice01',
    async (page) => {
      await rows(page).first().click()
      await page.getByRole('heading', { name: 'Meta' }).waitFor()
    },
  ],
  [
    'request',
    '/requests?status=4',
    async (page) => {
      await rows(page).first().click()
      await page.locator('.pane').waitFor()
    },
  ],
  [
    'endpoint',
    '/endpoints?q=retreat',
    async (page) => {
      // The form in the middle of the row is a link of its own.
      await rows(page).first().getByRole('link').first().click()
      await page.getByRole('region', { name: 'Last error' }).waitFor()
    },
  ],
]

const OVERLAYS: readonly Place[] = [
  ['menu of an endpoint', '/endpoints', (page) => press(page, /^Actions of endpoint/)],
  ['menu of a form', '/forms', (page) => press(page, /^Actions of form/)],
  ['menu of the page of a form', '/forms/guestvoice01', (page) => press(page, 'More actions')],
  ['palette', '/forms', (page) => page.keyboard.press('Control+k')],
  ['settings', '/forms', (page) => press(page, 'Settings')],
  ['keyboard help', '/forms', (page) => chooseSetting(page, 'Keyboard shortcuts')],
  ['new form', '/forms', (page) => press(page, 'New form')],
  ['new endpoint', '/forms/guestvoice01/endpoints', (page) => press(page, 'Add an endpoint')],
  [
    'rename',
    '/forms/guestvoice01',
    async (page) => {
      await press(page, 'More actions')
      await choose(page, 'Rename')
    },
  ],
  [
    'confirmation',
    '/endpoints',
    async (page) => {
      await press(page, /^Actions of endpoint/)
      await choose(page, 'Delete')
    },
  ],
  [
    'secret',
    '/endpoints',
    async (page) => {
      await press(page, /^Actions of endpoint/)
      await choose(page, 'Rotate secret')
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
      await page.getByTestId('revealed').waitFor()
    },
  ],
]

/** Places of a test: few, since axe takes seconds on a busy machine. */
const GROUP_SIZE = 4

const named = (places: readonly Place[]) => [places.map(([name]) => name).join('; '), places] as const
const groupsOf = (places: readonly Place[]) =>
  Array.from({ length: Math.ceil(places.length / GROUP_SIZE) }, (_, at) =>
    named(places.slice(at * GROUP_SIZE, (at + 1) * GROUP_SIZE)),
  )
/** The code of some is loaded when they are first opened. */
const untilOpen = ([name, path, reach]: Place): Place => [
  name,
  path,
  async (page) => {
    await reach(page)
    await page.locator('[role=menu], dialog[open]').waitFor()
  },
]
const WHAT_OPENS = [named(DELIVERY), ...groupsOf(OPEN_ITEMS), ...groupsOf(OVERLAYS.map(untilOpen))]

/** Tests of the views in a window, light and dark: console-views.slow.browser.test.ts and console-first-look.browser.test.ts. */
describe.skipIf(!hasChromium)('accessibility of the console', () => {
  const { start } = consoleTests()

  const inDemo = async (look: (typeof LOOKS)[number][1], visit: (console: Console) => Promise<void>) => {
    const open = await start({
      ...look,
      server: demo(),
      path: '/nothing',
    })
    await visit(open)
    expect(open.errors).toEqual([])
  }

  /** Goes to each place in turn and returns what axe finds there. */
  const findings = async ({ page, goTo }: Console, places: readonly Place[]) => {
    const found: (readonly [place: string, fault: string])[] = []
    for (const [name, path, reach] of places) {
      // A hash that is already there would not close what is open. A place without a path builds on the one before.
      if (path !== '') {
        await goTo('/nothing')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await goTo(path)
      }
      await reach(page)
      for (const fault of await axeFaults(page)) found.push([name, fault])
    }
    return found
  }

  describe.each(LOOKS_OF_VIEWS)('there is no axe finding %s', (_look, look) => {
    it.each(groupsOf(VIEWS))('%s', (_, places) =>
      inDemo(look, async (console) => {
        expect(await findings(console, places)).toEqual([])
      }),
    )
  })

  describe.each(LOOKS)('there is no axe finding in what opens, %s', (_look, look) => {
    it.each(WHAT_OPENS)('%s', (_, places) =>
      inDemo(look, async (console) => {
        expect(await findings(console, places)).toEqual([])
      }),
    )
  })
})
