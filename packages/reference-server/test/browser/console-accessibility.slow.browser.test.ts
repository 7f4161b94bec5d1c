import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFaults, type Console, chooseSetting, consoleTests, toggleSection } from './console-kit.ts'
import { demo } from './console-scene.ts'

/** How each place is looked at: each size and both themes, since contrast does not depend on the size. */
const LOOKS = [
  ['a window, dark', { width: 1440, height: 900, colorScheme: 'dark' }],
  ['a small window, light', { width: 1024, height: 768, colorScheme: 'light' }],
  ['a phone, dark', { width: 390, height: 844, colorScheme: 'dark' }],
] as const

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
  [
    'filters and selection',
    '/deliveries?from=2026-11-14T00:00Z&form=guestvoice01&q=e',
    async (page) => {
      await rows(page).first().getByRole('checkbox').click()
      await page.getByRole('toolbar', { name: 'Selected deliveries' }).waitFor()
    },
  ],
  ['responses', '/forms/guestvoice01', (page) => rows(page).nth(4).waitFor()],
  ['responses of many questions', '/forms/retreatform1', (page) => rows(page).nth(4).waitFor()],
  [
    'builder without a matching type',
    '/forms/guestvoice01/edit',
    async (page) => {
      await page.getByRole('combobox', { name: 'Add a question' }).fill('zzz')
      await page.getByText('No type matches').waitFor()
    },
  ],
  ['drafts', '/forms/winterdinner/drafts', (page) => page.getByText('No saved drafts').waitFor()],
  ['endpoints of a form', '/forms/guestvoice01/endpoints', (page) => rows(page).first().waitFor()],
  ['endpoints', '/endpoints', (page) => rows(page).nth(2).waitFor()],
  ['requests', '/requests', (page) => rows(page).nth(4).waitFor()],
  ['access', '/server/access', (page) => page.getByRole('heading', { name: 'Lantern Studio' }).waitFor()],
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
      await page.getByText('success rate', { exact: true }).waitFor()
    },
  ],
]

const OVERLAYS: readonly Place[] = [
  ['menu of an endpoint', '/endpoints', (page) => press(page, /^Actions of endpoint/)],
  ['menu of a form', '/forms', (page) => press(page, /^Actions of form/)],
  ['menu of the page of a form', '/forms/guestvoice01', (page) => press(page, 'More actions')],
  ['filter', '/deliveries', (page) => press(page, 'Filter')],
  ['replay of the failed ones', '/deliveries?status=failed', (page) => press(page, /^Replay failed/)],
  ['new key', '/server/access', (page) => press(page, 'Create a key')],
  ['new user', '/server/access', (page) => press(page, 'Add a user')],
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

describe('accessibility of the console', () => {
  const { start } = consoleTests()

  const inDemo = async (look: (typeof LOOKS)[number][1], visit: (console: Console) => Promise<void>) => {
    const open = await start({
      ...look,
      server: demo(),
      path: '/nothing',
      async prepare(_, url) {
        for (let request = 0; request < 5; request++) await fetch(`${url}/api/v1/forms`)
      },
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

  describe.each(LOOKS)('there is no axe finding in %s', (_look, look) => {
    it.each([...groupsOf(VIEWS), ...WHAT_OPENS])('%s', (_, places) =>
      inDemo(look, async (console) => {
        expect(await findings(console, places)).toEqual([])
      }),
    )

    it('first steps and token prompt', async () => {
      const { page, errors } = await start(look)
      await page.getByRole('region', { name: 'Your first signed delivery' }).waitFor()
      expect(await axeFaults(page)).toEqual([])
      await chooseSetting(page, 'Sign out')
      await page.getByLabel('Admin token').waitFor()
      expect(await axeFaults(page)).toEqual([])
      expect(errors).toEqual([])
    })
  })
})
