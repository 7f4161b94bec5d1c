import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import type { MockReceiver, ReferenceServer } from '../../src/index.ts'
import { seededRandom } from '../../src/random.ts'
import { DeadlineClock } from '../delivery/deadline-clock.ts'
import { axeViolations } from './axe.ts'
import { eventually, screenshot } from './browser-kit.ts'
import { consoleTests, cutOff, toggleSection } from './console-kit.ts'

/** What the receiver does with each attempt: a mix of successes and failures. */
const SCRIPT = [200, 500, 302, 'timeout', 'reset', 200, 404, 200, 503, 200]

/**
 * The demo with endpoints that succeed, fail and recover, and a few API requests. Host overrides send public names to a local receiver, so
 * that it always shows the same texts.
 */
function demoAt(receiver: MockReceiver) {
  const origin = new URL(receiver.url).origin
  const clock = new DeadlineClock(Date.parse('2026-11-21T12:00:00Z'))
  return {
    server: {
      seed: 'demo' as const,
      random: seededRandom(20_261_121),
      publicUrl: 'http://127.0.0.1:8787',
      clock,
      now: undefined,
      routes: { 'https://hooks.harbourpine.example': origin, 'https://crm.harbourpine.example': origin },
    },
    async prepare(server: ReferenceServer, url: string) {
      const { webhooks, responses, deliveries } = server.app
      const formId = 'guestvoice01'
      const inFlight = () =>
        webhooks
          .list(formId)
          .flatMap(({ id }) => deliveries.list(formId, id))
          .filter(({ next_attempt_at: next }) => next !== null && Date.parse(next) <= clock.now())
      /** The other attempts of this instant get their responses first. */
      const passDeadline = async () => {
        await vi.waitUntil(() => inFlight().length === 1, { timeout: WAIT_MS })
        clock.passDeadlines()
      }
      receiver.onDelivery = () => {
        if (SCRIPT[receiver.deliveries.length - 1] === 'timeout') void passDeadline()
      }
      const first = await webhooks.create(formId, { url: 'https://hooks.harbourpine.example/formwire' })
      const second = await webhooks.create(formId, { url: 'https://crm.harbourpine.example/guests/feedback' })
      webhooks.test(formId, first.id)
      await server.clock.advance('3m')
      const written = responses.list(formId, 'submitted', 0, 4).items.map(({ json }) => JSON.parse(json))
      for (const { answers, email, meta } of written) {
        responses.create(formId, { answers, email, meta, deliver: true })
        await server.clock.advance('40s')
      }
      webhooks.test(formId, second.id)
      await server.clock.advance('2m')
      const ask = (path: string, method = 'GET', key = server.writeKey) =>
        fetch(`${url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${key}` } })
      await ask('/me')
      await ask('/forms?status=published')
      await ask(`/forms/${formId}/responses?per_page=5`)
      await ask(`/forms/${formId}/webhooks/999`, 'DELETE')
      await ask('/me', 'GET', 'none')
    },
  }
}

/** How each place is looked at: each size and both themes, since contrast does not depend on the size. */
const LOOKS = [
  [{ width: 1440, height: 900 }, 'dark'],
  [{ width: 1024, height: 768 }, 'light'],
  [{ width: 390, height: 844 }, 'dark'],
] as const

/** Resizes the page and sets its theme. Lists measure themselves before the next frame. */
async function lookAt(page: Page, size: { width: number; height: number }, colorScheme: 'light' | 'dark') {
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
}

const row = (page: Page, at = 0) => page.locator('.grid-body [role=row]').nth(at)
const shows = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const choose = async (page: Page, menu: string | RegExp, command: string) => {
  await press(page, menu)
  await page.getByRole('menuitem', { name: command, exact: true }).click()
}
/** Opens the first row, and waits for what it shows. */
const opens = (text: string) => async (page: Page) => {
  // The form in the middle of a row is a link of its own.
  await row(page).getByRole('link').first().click()
  await shows(page, text)
}
const preview = (page: Page) => page.locator('iframe:not(.is-loading)').waitFor({ state: 'attached' })

/** A place in the console: its path, or `''` in the place before, and how to get to what is looked at. Its picture has its name. */
type Place = readonly [name: string, path: string, reach: (page: Page) => Promise<unknown>]

const VIEWS: readonly Place[] = [
  ['deliveries', '/deliveries', (page) => row(page, 5).waitFor()],
  ['delivery', '/deliveries?status=retrying', opens('Attempt 1')],
  ['headers', '', (page) => toggleSection(page, 'Headers')],
  ['no match', '/deliveries?q=nothing-like-it', (page) => shows(page, 'No matching deliveries')],
  [
    'filters and selection',
    '/deliveries?form=guestvoice01&q=e',
    async (page) => {
      await row(page).getByRole('checkbox').click()
      await page.getByRole('toolbar', { name: 'Selected deliveries' }).waitFor()
    },
  ],
  ['forms', '/forms', (page) => row(page, 4).waitFor()],
  ['responses', '/forms/guestvoice01', (page) => row(page, 5).waitFor()],
  ['table', '/forms/retreatform1', (page) => row(page, 5).waitFor()],
  ['response', '/forms/guestvoice01/responses', opens('JSON')],
  ['summary', '/forms/guestvoice01/summary', (page) => shows(page, 'net promoter score')],
  [
    'summary of grids',
    '/forms/retreatform1/summary',
    (page) => page.locator('.grid-tally').first().waitFor(),
  ],
  ['builder', '/forms/retreatform1/edit', preview],
  [
    'selected question',
    '/forms/guestvoice01/edit',
    async (page) => {
      await page.getByLabel('Title of question 3').click()
      await page.getByLabel('Option 1', { exact: true }).focus()
    },
  ],
  [
    'question types without a match',
    '',
    async (page) => {
      await page.getByRole('textbox', { name: 'Add a question' }).fill('zzz')
      await page.getByText('No type matches').waitFor()
    },
  ],
  [
    'preview',
    '/forms/guestvoice01/edit',
    async (page) => {
      await preview(page)
      await page.frameLocator('iframe:not(.is-loading)').locator('[data-question]').first().waitFor()
    },
  ],
  ['drafts', '/forms/winterdinner?status=in_progress', (page) => shows(page, 'No saved drafts')],
  ['endpoints of a form', '/forms/guestvoice01/endpoints', (page) => row(page).waitFor()],
  ['endpoints', '/endpoints', (page) => row(page, 3).waitFor()],
  ['endpoint', '/endpoints?q=127.0.0.1:4000', opens('View in the log')],
  ['requests', '/requests', (page) => row(page, 4).waitFor()],
  ['request', '/requests?status=4', opens('Request headers')],
  ['tools', '/server', (page) => page.getByRole('region', { name: 'Snapshots' }).waitFor()],
  ['access', '/server/access', (page) => page.getByRole('heading', { name: 'Lantern Studio' }).waitFor()],
  ['unknown view', '/nowhere', (page) => shows(page, 'Page not found')],
  ['unknown form', '/forms/nowhere', (page) => page.getByText('It may have been removed').waitFor()],
]

const ENDPOINT = /^Actions of endpoint/
const OVERLAYS: readonly Place[] = [
  ['menu of an endpoint', '/endpoints', (page) => press(page, ENDPOINT)],
  ['menu of a form', '/forms', (page) => press(page, /^Actions of form/)],
  ['menu of the page of a form', '/forms/guestvoice01', (page) => press(page, 'More actions')],
  ['replay of the failed ones', '/deliveries?status=failed', (page) => press(page, /^Replay failed/)],
  ['new key', '/server/access', (page) => press(page, 'Create a key')],
  ['new user', '/server/access', (page) => press(page, 'Add a user')],
  ['palette', '/forms', (page) => page.keyboard.press('Control+k')],
  ['settings', '/forms', (page) => press(page, 'Settings')],
  ['keyboard help', '/forms', (page) => choose(page, 'Settings', 'Keyboard shortcuts')],
  ['new form', '/forms', (page) => press(page, 'New form')],
  ['new endpoint', '/forms/guestvoice01/endpoints', (page) => press(page, 'Add an endpoint')],
  ['confirmation', '/endpoints', (page) => choose(page, ENDPOINT, 'Delete')],
  [
    'secret',
    '/endpoints',
    async (page) => {
      await choose(page, ENDPOINT, 'Rotate secret')
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
      await page.getByTestId('revealed').waitFor()
    },
  ],
]

describe('the looks of the console', () => {
  const { start, receiver } = consoleTests()

  it('have no axe finding and need no horizontal scrolling in any window, light and dark', async () => {
    const target = await receiver(...SCRIPT)
    const { page, goTo, errors } = await start({ ...demoAt(target), browser: {}, path: '/nothing' })
    const found: (readonly [place: string, width: number, fault: string])[] = []
    for (const [name, path, reach] of [...VIEWS, ...OVERLAYS]) {
      const isOpenedAbove = OVERLAYS.some(([overlay]) => overlay === name)
      for (const [size, theme] of LOOKS) {
        // What opens above a view has the width of the smallest window, or less, in both others.
        if (isOpenedAbove && size.width === 1024) continue
        await lookAt(page, size, theme)
        // Again on a phone, unless it would close what is open, or lose the secret.
        if (size.width === 1440 || (size.width === 390 && path !== '' && name !== 'secret')) {
          // A hash that is already there would not close what is open.
          if (path !== '') {
            await goTo('/nothing')
            await page.getByRole('dialog').waitFor({ state: 'detached' })
            await goTo(path)
          }
          await reach(page)
        }
        // The code of some is loaded when they are first opened.
        if (isOpenedAbove) await page.locator('.menu:popover-open, dialog[open]').waitFor()
        const faults = [...(await axeViolations(page)), ...(await cutOff(page))]
        for (const fault of faults) found.push([name, size.width, fault])
        if (size.width !== 1440 || process.env.FORMWIRE_SCREENSHOTS !== '1') continue
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await screenshot(page, `console-${name}-${colorScheme}`)
        }
      }
    }
    expect(found).toEqual([])
    expect(errors).toEqual([])
  })

  it('have no axe finding in first steps and token prompt, in any window, light and dark', async () => {
    const { page, errors } = await start({ browser: {} })
    const expectNone = async () => {
      for (const [size, theme] of LOOKS) {
        await lookAt(page, size, theme)
        expect([size.width, await axeViolations(page)]).toEqual([size.width, []])
      }
    }
    await page.getByRole('region', { name: 'Your first signed delivery' }).waitFor()
    await expectNone()
    await choose(page, 'Settings', 'Sign out')
    await page.getByLabel('Admin token').waitFor()
    await expectNone()
    await eventually(() => errors).toEqual([])
  })
})
