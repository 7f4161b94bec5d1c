// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText; what a reader sees is what is tested.

import type { Browser, Locator, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMockReceiver, type ReferenceServer } from '../../src/index.ts'
import { type Console, eventually, hasChromium, launchChromium, openConsole } from './console-kit.ts'

const FAILS = {
  status: 500,
  contentType: 'application/json',
  body: '{"error":{"code":"server_error","message":"The server broke."}}',
}

/** Whether two elements share a place on the screen. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  if (!a || !b) throw new Error('One of the two is not shown')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** Presses the button, unless the view has read again by itself meanwhile. */
async function tryAgain(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Try again' })
  if (await button.isVisible()) await button.click({ timeout: 1_000 }).catch(() => undefined)
}

describe.skipIf(!hasChromium)('the console in trouble', () => {
  let browser: Browser
  let open: Console | undefined
  const closing: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterEach(async () => {
    await open?.close()
    open = undefined
    for (const close of closing.splice(0)) await close()
  })
  afterAll(() => browser?.close())

  /** A form with an endpoint that sent a test event and got 500. */
  const failingEndpoint = async (server: ReferenceServer): Promise<string> => {
    const receiver = await createMockReceiver({ script: ['500', '500', '500'] }).listen()
    closing.push(() => receiver.close())
    const { id } = server.app.forms.create({ title: 'Feedback' })
    server.app.forms.publish(id)
    const endpoint = await server.app.webhooks.create(id, { url: receiver.url })
    server.app.webhooks.test(id, endpoint.id)
    await receiver.waitFor(1)
    await server.clock.advance(0)
    return id
  }

  it.each([
    [1440, 900],
    [1024, 500],
  ])('[DLV-07] covers no part of an open entry with what it tells, at %d x %d', async (width, height) => {
    open = await openConsole(browser, {
      width,
      height,
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const { page } = open
    await page.locator('.grid-body [role=row]').first().click()
    const pane = page.locator('.pane')
    await pane.getByTestId('attempt-1').waitFor()
    await page.getByRole('button', { name: '+1 min' }).click()
    await pane.getByTestId('attempt-2').waitFor()
    await page.locator('[aria-live=polite]').getByText('Moved on by 1 min, to 12:01:00 UTC').waitFor()
    // The clock itself shows it.
    expect(await page.locator('.notice').count()).toBe(0)

    await page.getByRole('button', { name: 'Replay' }).click()
    await page.locator('.notice').getByText('Replayed').waitFor()
    expect(await overlap(page.locator('.notice'), pane)).toBe(false)
    expect(await overlap(page.locator('.notice'), page.locator('main'))).toBe(false)
  })

  it('tells made attempts from those to come, and the open entry, where the system chooses the colours', async () => {
    open = await openConsole(browser, {
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const { page } = open
    await page.emulateMedia({ forcedColors: 'active' })
    await page.locator('.grid-body [role=row]').first().click()
    await page.locator('.pane').getByTestId('attempt-1').waitFor()
    const fill = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    expect(await fill('.pips .bad')).not.toBe(await fill('.pips .todo'))
    expect(await fill('.schedule .bad i')).not.toBe(await fill('.schedule .todo i'))
    const row = page.locator('.grid-body [aria-selected=true]')
    await page.getByRole('button', { name: 'Replay' }).focus()
    expect(await row.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
  })

  it('[HOOK-07] tells when the log of a paused endpoint could not be read, and that it is paused all the same', async () => {
    open = await openConsole(browser, {
      path: '/endpoints',
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const { page, errors } = open
    await page.getByText('1 pending').waitFor()
    await page.route('**/deliveries?*', (route) => route.fulfill(FAILS))
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('alert').getByText('The server broke.').waitFor()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(errors.filter((line) => !line.includes('status of 500'))).toEqual([])
  })

  it.each([
    ['/people', 'workspaces', (console: Console) => console.page.getByText('Add a workspace')],
    ['/people', 'users', (console: Console) => console.page.getByText('Add a workspace')],
    ['/keys', 'keys', (console: Console) => console.page.getByRole('row', { name: /write/ })],
    ['/forms', 'forms', (console: Console) => console.page.locator('.grid-body [role=row]')],
    ['/requests', 'requests', (console: Console) => console.page.locator('.grid-body [role=row]')],
    ['/endpoints', 'forms/*/webhooks', (console: Console) => console.page.locator('.grid-body [role=row]')],
  ] as const)(
    '%s keeps what it shows when %s cannot be read again, and says so',
    async (path, route, shown) => {
      open = await openConsole(browser, {
        path,
        prepare: async (server, url) => {
          await failingEndpoint(server)
          await fetch(`${url}/api/v1/me`)
        },
      })
      const { page } = open
      await shown(open).first().waitFor()
      await page.route(`**/_app/${route}?*`, (one) => one.fulfill(FAILS))
      // Away and back: the view reads again.
      await open.goTo('/server')
      await page.getByText('Connect').waitFor()
      await open.goTo(path)
      await page.getByText('This is from before').waitFor()
      await page.getByText('The server broke.').first().waitFor()
      expect(await shown(open).count()).toBeGreaterThan(0)

      await page.unroute(`**/_app/${route}?*`)
      await tryAgain(page)
      await page.getByText('This is from before').waitFor({ state: 'detached' })
      expect(await shown(open).count()).toBeGreaterThan(0)
    },
  )

  it.each([
    ['forms', '/endpoints'],
    ['forms', '/deliveries'],
    ['forms/*/webhooks', '/deliveries'],
    ['forms/*/webhooks', '/endpoints'],
  ])('does not take %s that could not be read for none, in %s', async (route, path) => {
    open = await openConsole(browser, {
      path: '/server',
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const { page } = open
    await page.route(`**/_app/${route}?*`, (one) => one.fulfill(FAILS))
    await page.reload()
    await page.getByText('Connect').waitFor()
    await open.goTo(path)
    await page.getByText('This did not load').waitFor()
    expect(await page.getByText(/^No (active )?endpoint/).count()).toBe(0)
    await page.unroute(`**/_app/${route}?*`)
    await tryAgain(page)
    await page.locator('.grid-body [role=row]').first().waitFor()
  })

  it('closes a dialog when the reader goes back, and asks nothing of the server', async () => {
    open = await openConsole(browser, {
      path: '/forms',
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const { page, server } = open
    await page.locator('.grid-body [role=row]').first().waitFor()
    await open.goTo('/endpoints')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Forms' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(server.app.webhooks.list(server.app.forms.list()[0]?.id ?? '')).toHaveLength(1)
  })

  it.each([
    ['Back', (console: Console) => console.page.goBack()],
    ['Escape', (console: Console) => console.page.keyboard.press('Escape')],
    ['the cross', (console: Console) => console.page.getByRole('button', { name: 'Close' }).click()],
  ])(
    '[HOOK-08] does not lose a secret to %s without a word: it can be shown again until it was kept',
    async (_, leave) => {
      open = await openConsole(browser, {
        path: '/forms',
        prepare: async (server) => {
          await failingEndpoint(server)
        },
      })
      const { page } = open
      await page.locator('.grid-body [role=row]').first().waitFor()
      await open.goTo('/endpoints')
      await page.getByRole('button', { name: 'New secret' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
      const secret = await page.getByTestId('revealed').innerText()
      await leave(open)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page
        .getByRole('alert')
        .getByText('The secret was closed before you said that you kept it')
        .waitFor()
      await page.getByRole('button', { name: 'Show it again' }).click()
      expect(await page.getByTestId('revealed').innerText()).toBe(secret)
      expect(await page.getByRole('alert').count()).toBe(0)
      await page.getByRole('button', { name: 'I have kept it' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await page.content()).not.toContain(secret)
      expect(await page.getByRole('button', { name: 'Show it again' }).count()).toBe(0)
    },
  )

  it('[AUTH-06] asks before the page is left with a key that nobody said to have kept', async () => {
    open = await openConsole(browser, { path: '/keys' })
    const { page } = open
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    const leave = () => page.evaluate(() => location.reload())
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Robot')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByTestId('revealed').waitFor()
    await leave()
    await eventually(() => asked).toEqual(['beforeunload'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show it again' }).waitFor()
    await leave()
    await eventually(() => asked).toEqual(['beforeunload', 'beforeunload'])
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await page.getByRole('row', { name: /Robot/ }).waitFor()
    expect(asked).toHaveLength(2)
  })

  /** Asks for a key, goes back before the answer, and lets it come: `reply` answers the held request. */
  const goBackWhileKeyIsMade = async (reply: (route: Route) => Promise<void>): Promise<Page> => {
    open = await openConsole(browser, { path: '/forms' })
    const { page } = open
    await page.getByText('No form yet').waitFor()
    await open.goTo('/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Robot')
    let answer: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/_app/keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await held
      await reply(route)
    })
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await asked
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    answer()
    return page
  }

  it('[AUTH-06] shows a key that is still being made when the reader goes back', async () => {
    const page = await goBackWhileKeyIsMade((route) => route.continue())
    expect(await page.getByTestId('revealed').innerText()).toMatch(/^svc_/)
    expect(page.url()).toContain('#/forms')
  })

  it('[AUTH-08] tells why a key was not made when the reader went back meanwhile', async () => {
    const page = await goBackWhileKeyIsMade((route) => route.fulfill(FAILS))
    await page.getByRole('alert').getByText('The server broke.').waitFor()
  })
})
