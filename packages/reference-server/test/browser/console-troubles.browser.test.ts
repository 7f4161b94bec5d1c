// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import type { ReferenceServer } from '../../src/index.ts'
import { type Console, chooseInEndpointMenu, consoleTests, eventually, stopClock } from './console-kit.ts'

const FAILS = {
  status: 500,
  contentType: 'application/json',
  body: '{"error":{"code":"server_error","message":"The server broke."}}',
}

/** The requests with which the console reads a list: the catalog with this part, or the journal. */
const readOf = (part: string): RegExp =>
  part === 'requests' ? /\/_app\/requests$/ : new RegExp(`/_app/catalog\\?include=[^&]*${part}`)

/** Returns whether two elements overlap on the screen. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  if (!a || !b) throw new Error('one of the two elements is not visible')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** Clicks the button until it is gone: most views also refresh by themselves. */
async function tryAgain(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Try again' })
  await eventually(async () => {
    if (await button.isVisible()) await button.click({ timeout: 1_000 }).catch(() => undefined)
    // Another click would start the request again.
    await button.waitFor({ state: 'detached', timeout: 2_000 }).catch(() => undefined)
    return button.count()
  }).toBe(0)
}

describe('errors in the console', () => {
  const { start, receiver: receiverOf } = consoleTests()

  /** A form with an endpoint that sent a test event and got 500. */
  const failingEndpoint = async (server: ReferenceServer): Promise<string> => {
    const receiver = await receiverOf('500', '500', '500')
    const { id } = server.app.forms.create({ title: 'Feedback' })
    server.app.forms.publish(id)
    const endpoint = await server.app.webhooks.create(id, { url: receiver.url })
    server.app.webhooks.test(id, endpoint.id)
    await receiver.waitFor(1, PATIENT)
    await server.clock.advance(0)
    return id
  }

  it.each([
    [1440, 900],
    [1024, 500],
  ])('[DLV-07] shows notices without covering an open delivery, at %d x %d', async (width, height) => {
    const open = await start({
      width,
      height,
      pageClock: true,
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
    await page.locator('[aria-live=polite]').getByText('Advanced by 1 min, to 12:01:00 UTC').waitFor()
    // No notice, because the clock shows it.
    expect(await page.locator('.notice').count()).toBe(0)

    const before = await page.locator('main').boundingBox()
    // The notice goes after five seconds.
    await stopClock(page)
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.locator('.notice').getByText('Replayed').waitFor()
    expect(await overlap(page.locator('.notice'), pane)).toBe(false)
    // Nor does it move anything in a large window; a small one has no place beside the delivery.
    if (width > 1088) expect(await page.locator('main').boundingBox()).toEqual(before)
    else expect(await overlap(page.locator('.notice'), page.locator('main'))).toBe(false)
  })

  it('says that the server cannot be reached when it has to load a view, and opens it once it can', async () => {
    const { page, context, url, goTo, errors } = await start({
      pageClock: true,
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    await page.locator('.grid-body [role=row]').first().waitFor()
    // No list is read until then: its banner would replace the notice. The clock begins a reading when it stops.
    await page.route(/\/_app\/catalog/, () => undefined)
    await stopClock(page)
    await context.setOffline(true)
    await page.keyboard.press('Control+K')
    await page.locator('.notice').getByText(`Can’t reach the server at ${url}.`).waitFor()
    // Lets it go on.
    await page.unroute(/\/_app\/catalog/)
    await page.clock.resume()
    await goTo('/endpoints')
    const failed = page.locator('.failed')
    await failed.getByText(`Can’t reach the server at ${url}.`).waitFor()
    expect(await page.getByText('reload the page').count()).toBe(0)
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor()
    await page.locator('.grid-body [role=row]').first().waitFor()
    expect(await failed.count()).toBe(0)
    expect(errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  })

  it('asks for a reload when a view cannot be loaded and the server responds, and tries again', async () => {
    const { page, goTo } = await start({
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const chunks = /\/_app\/console\/.*lazy-parts.*\.js$/
    await page.route(chunks, (route) => route.fulfill({ status: 404 }))
    await goTo('/endpoints')
    await page.locator('.failed').getByText('If the server was updated, reload the page.').waitFor()
    await page.unroute(chunks)
    await tryAgain(page)
    await page.locator('.grid-body [role=row]').first().waitFor()
  })

  it('marks made attempts and the open delivery in forced-colours mode', async () => {
    const open = await start({
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const { page } = open
    await page.emulateMedia({ forcedColors: 'active' })
    const fill = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    expect(await fill('.pips .bad')).not.toBe(await fill('.pips .todo'))
    await page.locator('.grid-body [role=row]').first().click()
    await page.locator('.pane').getByTestId('attempt-1').waitFor()
    expect(await fill('.schedule .bad i')).not.toBe(await fill('.schedule .todo i'))
    const row = page.locator('.grid-body [aria-selected=true]')
    await page.getByRole('button', { name: 'Replay' }).focus()
    expect(await row.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
  })

  it('[HOOK-07] shows an error if the log of a paused endpoint cannot be read, and that the endpoint is paused', async () => {
    const open = await start({
      path: '/endpoints',
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const { page, errors } = open
    await page.getByText('1 pending').waitFor()
    await page.route('**/webhooks/*/deliveries', (route) => route.fulfill(FAILS))
    await chooseInEndpointMenu(page, 'Pause')
    await page.getByRole('button', { name: 'Pause endpoint' }).click()
    await page.getByRole('alert').getByText('The server broke.').waitFor()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(errors.filter((line) => !line.includes('status of 500'))).toEqual([])
  })

  it.each([
    ['/server/access', 'workspaces', (console: Console) => console.page.getByText('Add a workspace')],
    ['/server/access', 'users', (console: Console) => console.page.getByText('Add a workspace')],
    ['/server/access', 'keys', (console: Console) => console.page.getByRole('row', { name: /write/ })],
    ['/forms', 'forms', (console: Console) => console.page.locator('.grid-body [role=row]')],
    ['/requests', 'requests', (console: Console) => console.page.locator('.grid-body [role=row]')],
    ['/endpoints', 'endpoints', (console: Console) => console.page.locator('.grid-body [role=row]')],
  ] as const)(
    '%s keeps its data and shows that it is stale when %s cannot be read',
    async (path, route, shown) => {
      const open = await start({
        path,
        prepare: async (server, url) => {
          await failingEndpoint(server)
          await fetch(`${url}/api/v1/me`)
        },
      })
      const { page } = open
      await shown(open).first().waitFor()
      const request = readOf(route)
      await page.route(request, (one) => one.fulfill(FAILS))
      // Leaving the view and returning makes it refresh, unless it is still reading the list for the first time.
      await eventually(async () => {
        await open.goTo('/server')
        await page.getByRole('heading', { name: 'Connect' }).waitFor()
        await open.goTo(path)
        const stale = page.getByText('Showing stale data')
        await stale.waitFor({ timeout: 2_000 }).catch(() => undefined)
        return stale.count()
      }).toBe(1)
      await page.getByText('The server broke.').first().waitFor()
      expect(await shown(open).count()).toBeGreaterThan(0)

      await page.unroute(request)
      await tryAgain(page)
      await page.getByText('Showing stale data').waitFor({ state: 'detached' })
      expect(await shown(open).count()).toBeGreaterThan(0)
    },
  )

  it.each([
    ['endpoints', '/endpoints'],
    ['deliveries', '/deliveries'],
    ['forms', '/forms'],
  ])('shows an error instead of an empty list when %s cannot be read, in %s', async (part, path) => {
    const open = await start({
      path: '/server',
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const { page } = open
    const request = readOf(part)
    await page.route(request, (one) => one.fulfill(FAILS))
    await page.reload()
    await page.getByRole('heading', { name: 'Connect' }).waitFor()
    await open.goTo(path)
    await page.getByText('Could not load').waitFor()
    expect(await page.getByText(/^No (active )?(endpoint|form)/).count()).toBe(0)
    await page.unroute(request)
    await tryAgain(page)
    await page.locator('.grid-body [role=row]').first().waitFor()
  })

  it('closes a dialog on the back button without a request', async () => {
    const open = await start({
      path: '/forms',
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const { page, server } = open
    await page.locator('.grid-body [role=row]').first().waitFor()
    await open.goTo('/endpoints')
    await chooseInEndpointMenu(page, 'Delete')
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Forms' }).waitFor()
    await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(server.app.webhooks.list(server.app.forms.list()[0]?.id ?? '')).toHaveLength(1)
  })

  it.each([
    ['Back', (console: Console) => console.page.goBack()],
    ['Escape', (console: Console) => console.page.keyboard.press('Escape')],
    ['the close button', (console: Console) => console.page.getByRole('button', { name: 'Close' }).click()],
  ])('[HOOK-08] can show a secret again after %s until it is confirmed as saved', async (_, leave) => {
    const open = await start({
      path: '/forms',
      prepare: async (server) => {
        await failingEndpoint(server)
      },
    })
    const { page } = open
    await page.locator('.grid-body [role=row]').first().waitFor()
    await open.goTo('/endpoints')
    await chooseInEndpointMenu(page, 'Rotate secret')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const secret = await page.getByTestId('revealed').innerText()
    await leave(open)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
      .getByRole('alert')
      .getByText(/^You closed the dialog before saving the secret of endpoint #\d+\.$/)
      .waitFor()
    await page.getByRole('button', { name: 'Show again' }).click()
    expect(await page.getByTestId('revealed').innerText()).toBe(secret)
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(secret)
    expect(await page.getByRole('button', { name: 'Show again' }).count()).toBe(0)
  })

  it('[AUTH-06] asks before the page is left with a key that was not confirmed as saved', async () => {
    const open = await start({ path: '/server/access' })
    const { page } = open
    const asked: string[] = []
    page.on('dialog', async (dialog) => {
      await dialog.dismiss()
      asked.push(dialog.type())
    })
    const leave = () => page.evaluate(() => location.reload())
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Robot')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByTestId('revealed').waitFor()
    await leave()
    await eventually(() => asked).toEqual(['beforeunload'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show again' }).waitFor()
    await leave()
    await eventually(() => asked).toEqual(['beforeunload', 'beforeunload'])
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await page.getByRole('row', { name: /Robot/ }).waitFor()
    expect(asked).toHaveLength(2)
  })

  /** Creates a key and goes back before the response arrives. `reply` then handles the held request. */
  const goBackWhileKeyIsCreated = async (reply: (route: Route) => Promise<void>): Promise<Page> => {
    const open = await start({ path: '/forms' })
    const { page } = open
    await page.getByText('No forms yet').waitFor()
    await open.goTo('/server/access')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Robot')
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
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
    release()
    return page
  }

  it('[AUTH-06] shows a key whose creation was in flight on the back button', async () => {
    const page = await goBackWhileKeyIsCreated((route) => route.continue())
    expect(await page.getByTestId('revealed').innerText()).toMatch(/^svc_/)
    expect(page.url()).toContain('#/forms')
  })

  it('[AUTH-08] shows the error of a key whose creation was in flight on the back button', async () => {
    const page = await goBackWhileKeyIsCreated((route) => route.fulfill(FAILS))
    await eventually(() => page.getByRole('alert').getByText('The server broke.').count()).toBe(1)
  })
})
