import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { eventually, hold, textOf } from './browser-kit.ts'
import { consoleTests, ENDPOINT_MENU, stopClock } from './console-kit.ts'

const FAILS = {
  status: 500,
  contentType: 'application/json',
  body: '{"error":{"code":"server_error","message":"The server broke."}}',
}

/** All of them but the journal. */
const LISTS = /\/_app\/(?:catalog|deliveries)\?/

/** The requests with which the console reads a list: the catalog with this part, or the journal. */
const readOf = (part: string): RegExp =>
  part === 'requests' ? /\/_app\/requests$/ : new RegExp(`/_app/catalog\\?include=[^&]*${part}`)

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

const { start, scene } = consoleTests()

describe('errors in the console', () => {
  it('says that the server cannot be reached when it has to load a view, and opens it once it can', async () => {
    const { page, context, url, rows, goTo, notice } = await scene([], {
      pageClock: true,
      prepare: ({ submit }) => submit('hello'),
    })
    await rows.first().waitFor()
    // No list is read until then: its banner would replace the notice. The clock begins a reading when it stops.
    await page.route(LISTS, () => undefined)
    await stopClock(page)
    await context.setOffline(true)
    await page.keyboard.press('Control+K')
    await notice.getByText(`Can’t reach the server at ${url}.`).waitFor()
    // Lets it go on.
    await page.unroute(LISTS)
    await page.clock.resume()
    await goTo('/endpoints')
    const failed = page.locator('.failed')
    await failed.getByText(`Can’t reach the server at ${url}.`).waitFor()
    expect(await page.getByText('reload the page').count()).toBe(0)
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor()
    await rows.first().waitFor()
    expect(await failed.count()).toBe(0)
  })

  it('asks for a reload when a view cannot be loaded and the server responds, and tries again', async () => {
    // In a browser that has not loaded it yet.
    const { page, rows, goTo } = await scene([], { browser: {}, prepare: ({ submit }) => submit('hello') })
    const chunks = /\/_app\/console\/.*lazy-parts.*\.js$/
    await page.route(chunks, (route) => route.fulfill({ status: 404 }))
    await goTo('/endpoints')
    const hint = page.locator('.failed').getByText('If the server was updated, reload the page.')
    await hint.waitFor()
    await page.unroute(chunks)
    await tryAgain(page)
    await rows.first().waitFor()
    expect(await hint.count()).toBe(0)
  })

  it.each([
    ['/server/access', 'keys', '.card li'],
    ['/requests', 'requests', '.grid-body [role=row]'],
  ])('%s keeps its data and shows that it is stale when its %s cannot be read', async (path, part, shown) => {
    const { page, goTo, shows } = await scene([], {
      path,
      prepare: async ({ url }) => void (await fetch(`${url}/api/v1/me`)),
    })
    const rows = page.locator(`main ${shown}`)
    await rows.first().waitFor()
    const before = await rows.count()
    await page.route(readOf(part), (route) => route.fulfill(FAILS))
    // Leaving the view and returning makes it refresh, unless it is still reading the list for the first time.
    await eventually(async () => {
      await goTo('/server')
      await page.getByRole('heading', { name: 'Connect' }).waitFor()
      await goTo(path)
      const stale = page.getByText('Showing stale data')
      await stale.waitFor({ timeout: 2_000 }).catch(() => undefined)
      return stale.count()
    }).toBe(1)
    await shows('The server broke.')
    expect(await rows.count()).toBe(before)
    await page.unroute(readOf(part))
    await tryAgain(page)
    await page.getByText('Showing stale data').waitFor({ state: 'detached' })
    expect(await rows.count()).toBe(before)
  })

  it('shows an error instead of an empty list when nothing can be read', async () => {
    const { page, rows, goTo, shows } = await scene([], {
      path: '/server',
      prepare: ({ submit }) => submit('hello'),
    })
    await page.route(LISTS, (route) => route.fulfill(FAILS))
    await page.reload()
    await page.getByRole('heading', { name: 'Connect' }).waitFor()
    for (const path of ['/endpoints', '/deliveries', '/forms']) {
      await goTo(path)
      await shows('Could not load')
      expect(await page.getByText(/^No (active )?(endpoint|form)/).count()).toBe(0)
    }
    await page.unroute(LISTS)
    for (const path of ['/forms', '/deliveries', '/endpoints']) {
      await goTo(path)
      await tryAgain(page)
      await rows.first().waitFor()
    }
  })
})

describe('secrets in the console that were not saved', () => {
  it.each([
    ['Back', (page: Page) => page.goBack()],
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ])('[HOOK-08] stay after %s until they are confirmed as saved', async (_, leave) => {
    const { page, goTo, choose, confirm, press, dialog } = await scene([], { path: '/forms' })
    await goTo('/endpoints')
    await choose(ENDPOINT_MENU, 'Rotate secret')
    await confirm('Rotate secret')
    const secret = await textOf(page.getByTestId('revealed'))
    await leave(page)
    // Twice: some browsers close a dialog at the second one whatever the page says.
    await page.keyboard.press('Escape')
    expect(await textOf(page.getByTestId('revealed'))).toBe(secret)
    await press('I’ve saved it')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(secret)
  })

  it('[AUTH-06] are asked about before the page is left', async () => {
    const { page, press, confirm, dialog } = await start({ path: '/server/access' })
    const asked: string[] = []
    page.on('dialog', async (question) => {
      await question.dismiss()
      asked.push(question.type())
    })
    const leave = () => page.evaluate(() => location.reload())
    await press('Create a key')
    await dialog.getByLabel('Name').fill('Robot')
    await confirm('Create')
    await page.getByTestId('revealed').waitFor()
    await leave()
    await eventually(() => asked).toEqual(['beforeunload'])
    await press('I’ve saved it')
    await page.reload()
    await page.getByRole('listitem').filter({ hasText: 'Robot' }).waitFor()
    expect(asked).toHaveLength(1)
  })

  /** Creates a key and goes back before the response arrives. `reply` then handles the held request. */
  const goBackWhileKeyIsCreated = async (reply: (route: Route) => Promise<void>): Promise<Page> => {
    const { page, goTo, press, confirm, dialog } = await start({ path: '/forms' })
    await page.getByText('No forms yet').waitFor()
    await goTo('/server/access')
    await press('Create a key')
    await dialog.getByLabel('Name').fill('Robot')
    const { held, release } = await hold(page, '**/_app/keys', (request) => request.method() === 'POST')
    await confirm('Create')
    await eventually(() => held.length).toBe(1)
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await release(reply)
    return page
  }

  it('[AUTH-06] are shown when the back button was pressed while they were created', async () => {
    const page = await goBackWhileKeyIsCreated((route) => route.continue())
    expect(await textOf(page.getByTestId('revealed'))).toMatch(/^svc_/)
    expect(page.url()).toContain('#/forms')
  })

  it('[AUTH-08] leave an error when they could not be created, also after the back button', async () => {
    const page = await goBackWhileKeyIsCreated((route) => route.fulfill(FAILS))
    await eventually(() => page.getByRole('alert').getByText('The server broke.').count()).toBe(1)
  })
})
