// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import {
  createMockReceiver,
  createReferenceServer,
  type MockReceiver,
  type ReferenceServer,
} from '../../src/index.ts'
import { allDeliveries, chooseSetting, eventually, launchChromium, stopClock } from './console-kit.ts'
import { type Network, networkTo } from './tcp-proxy.ts'

/** Holds requests until it is opened. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('the live console', () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let server: ReferenceServer
  let receiver: MockReceiver
  let network: Network
  let formId = ''
  let webhookId = 0
  /** `Last-Event-ID` of each stream that the page opened. */
  let resumedFrom: (string | undefined)[]

  beforeAll(async () => {
    browser = await launchChromium()
  })
  beforeEach(async () => {
    receiver = await createMockReceiver().listen()
    server = createReferenceServer({ clock: 'manual', limits: 'off' })
    network = await networkTo((await server.listen({ port: 0 })).url)
    formId = server.app.forms.create({ title: 'Feedback' }).id
    server.app.forms.publish(formId)
    webhookId = (await server.app.webhooks.create(formId, { url: receiver.url })).id
    context = await browser.newContext()
    context.setDefaultTimeout(WAIT_MS)
    page = await context.newPage()
    resumedFrom = []
    page.on('request', (request) => {
      if (request.url().endsWith('/stream')) resumedFrom.push(request.headers()['last-event-id'])
    })
  })
  afterEach(async () => {
    await context.close()
    await network.close()
    await server.close()
    await receiver.close()
  })
  afterAll(() => browser?.close())

  const openPage = async (fragment = `#token=${server.adminToken}`) => {
    await page.goto(`${network.url}/_app/console${fragment}`)
  }
  const isLive = () => page.getByTestId('stream').getByText('Live').waitFor()
  const rows = () => page.locator('.grid-body [role=row]').count()
  const ping = async (times = 1) => {
    for (let sent = 0; sent < times; sent++) server.app.webhooks.test(formId, webhookId)
    await server.clock.advance(0)
  }

  it('resumes after the last event when the connection is lost, without gaps', async () => {
    await openPage()
    await isLive()
    await ping(2)
    await eventually(rows).toBe(2)
    network.cut()
    await page.getByTestId('stream').getByText('Reconnecting').waitFor()
    await ping(3)
    network.mend()
    await isLive()
    await eventually(rows).toBe(5)
    // The first stream begins where the logs were read, the second after the last event.
    expect(resumedFrom[0]).toMatch(/-0$/)
    expect(resumedFrom.at(-1)).toMatch(/-[1-9]\d*$/)
    await eventually(() => page.locator('.grid-body').getByText('pending').count()).toBe(0)
  })

  it("shows the current state where the browser's translator is on", async () => {
    await openPage()
    await isLive()
    server.app.webhooks.test(formId, webhookId)
    const pending = page.locator('.grid-body').getByText('pending')
    await eventually(() => pending.count()).toBe(1)
    // As translators do: an element in place of each text, unless the page forbids it.
    await page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const texts: Node[] = []
      while (walker.nextNode())
        if (walker.currentNode.parentElement?.translate) texts.push(walker.currentNode)
      for (const text of texts) {
        const translated = document.createElement('font')
        translated.textContent = text.textContent
        text.parentNode?.replaceChild(translated, text)
      }
    })
    await server.clock.advance(0)
    await eventually(() => page.locator('.grid-body').getByText('delivered').count()).toBe(1)
    expect(await pending.count()).toBe(0)
  })

  it('reloads the logs when it missed more events than the stream keeps', async () => {
    await openPage()
    await isLive()
    await ping()
    await eventually(rows).toBe(1)
    network.cut()
    // Each delivery is at least two events; the stream keeps 1,000.
    await ping(600)
    network.mend()
    await eventually(() => allDeliveries(page, 50).count()).toBe(1)
    const newest = server.app.deliveries.list(formId, webhookId)[0]
    await page.locator('.grid-body [role=row]').first().click()
    expect(await page.locator('.pane-id code').innerText()).toBe(newest?.id)
  })

  it('shows what was delivered after it read the logs and before its stream began', async () => {
    const held = gate()
    await page.route('**/_app/deliveries/stream', async (route) => {
      await held.opened
      await route.continue()
    })
    await openPage()
    await page.getByRole('heading', { name: 'Your first signed delivery' }).waitFor()
    await ping()
    held.open()
    await isLive()
    await eventually(rows).toBe(1)
  })

  it('[HOOK-03] shows no delivery of an endpoint that was deleted before the lists were read again', async () => {
    await openPage()
    await isLive()
    const { id } = await server.app.webhooks.create(formId, { url: `${receiver.url}/short-lived` })
    const held = gate()
    await page.route('**/_app/catalog?*endpoints*', async (route) => {
      await held.opened
      await route.continue()
    })
    server.app.webhooks.test(formId, id)
    await ping()
    await eventually(rows).toBe(2)
    await server.app.webhooks.delete(formId, id)
    held.open()
    await eventually(rows).toBe(1)
  })

  it('resumes after sleep, when the old connection is dead without an error', async () => {
    await page.clock.install()
    await openPage()
    await isLive()
    await ping()
    await eventually(rows).toBe(1)
    network.freeze()
    await ping(2)
    await page.clock.fastForward('30:00')
    await eventually(rows).toBe(3)
    await isLive()
  })

  it('keeps its data while the server is unreachable, shows in every view that it is stale, and recovers', async () => {
    await page.clock.install()
    await openPage()
    await isLive()
    await ping(2)
    await eventually(rows).toBe(2)
    // Their code is loaded when they are first opened.
    for (const [view, heading] of [
      ['Server', 'Server'],
      ['Access', 'Users'],
      ['Deliveries', 'Deliveries'],
    ] as const) {
      await page.getByRole('link', { name: view, exact: true }).click()
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    }
    await eventually(rows).toBe(2)
    network.cut()
    await page.getByTestId('stream').getByText('Reconnecting').waitFor()
    expect(await rows()).toBe(2)
    await page.getByRole('button', { name: '+1 min' }).click()
    await page.getByRole('alert').getByText('Can’t reach the server').waitFor()
    // The view before was stale too: its notice says nothing until the heading has changed.
    for (const [view, heading] of [
      ['Forms', 'Forms'],
      ['Endpoints', 'Endpoints'],
    ] as const) {
      await page.getByRole('link', { name: view, exact: true }).click()
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await page.getByText('Showing stale data').waitFor()
    }
    // One message for one fact, also after another call that fails.
    await eventually(() => page.getByText('Can’t reach the server').count()).toBe(1)
    await page.getByRole('button', { name: '+1 min' }).click()
    await page
      .locator('[aria-live=polite]')
      .getByText('Can’t reach the server')
      .waitFor({ state: 'attached' })
    expect(await page.locator('.frame').getByText('Can’t reach the server').count()).toBe(1)
    expect(await page.locator('.notice').count()).toBe(0)
    await page.getByRole('link', { name: 'Forms', exact: true }).click()
    await page.getByRole('link', { name: 'Feedback', exact: true }).click()
    for (const part of ['Responses', 'Endpoints', 'Drafts']) {
      await page.getByLabel('Form sections').getByRole('link', { name: part }).click()
      await page.getByLabel('Form sections').locator('[aria-current="page"]', { hasText: part }).waitFor()
      await page.getByText('Showing stale data').waitFor()
      expect(await page.getByText('Showing stale data').count()).toBe(1)
    }
    // Mended between the click and its request: before the click, the page might read the list by itself.
    await stopClock(page)
    await page.route('**/_app/catalog?*', (route) => {
      network.mend()
      return route.continue()
    })
    await page.locator('.stale').getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Showing stale data').waitFor({ state: 'detached' })
    await page.clock.resume()
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await isLive()
    await eventually(rows).toBe(2)
  })

  it('shows a form and an endpoint that another program created, and removes an endpoint that it deleted', async () => {
    // The page polls its lists: on its own clock, however slow the machine is.
    await page.clock.install()
    await openPage()
    await isLive()
    await ping()
    await eventually(rows).toBe(1)
    const otherId = server.app.forms.create({ title: 'Created elsewhere' }).id
    server.app.forms.publish(otherId)
    const other = await server.app.webhooks.create(otherId, { url: `${receiver.url}/elsewhere` })
    server.app.webhooks.test(otherId, other.id)
    await server.clock.advance(0)
    await eventually(rows).toBe(2)
    const newest = page.locator('.grid-body [role=row]').first()
    await newest.getByText('Created elsewhere').waitFor()

    await page.getByRole('link', { name: /^Endpoints/ }).click()
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor()
    await eventually(rows).toBe(2)
    await server.app.webhooks.delete(otherId, other.id)
    await page.clock.runFor(30_000)
    await eventually(rows).toBe(1)
    await page.getByRole('link', { name: /^Deliveries/ }).click()
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor()
    await eventually(rows).toBe(1)
    await eventually(() => page.locator('.grid-body').getByText('Created elsewhere').count()).toBe(0)
  })

  it('[HOOK-03] removes the log of an endpoint that another program deletes while the deliveries are shown', async () => {
    await page.clock.install()
    await openPage()
    await isLive()
    await ping()
    await eventually(rows).toBe(1)
    await server.app.webhooks.delete(formId, webhookId)
    await page.clock.runFor(10_000)
    await eventually(rows).toBe(0)
    await page.getByRole('heading', { name: 'Your first signed delivery' }).waitFor()
  })

  it('[DLV-09] removes deliveries from the list when the clock passes their retention period', async () => {
    await page.clock.install()
    await openPage()
    await isLive()
    await ping(2)
    await eventually(rows).toBe(2)
    await server.clock.advance('31d')
    await page.clock.runFor(5_000)
    await eventually(rows).toBe(0)
  })

  it('[HOOK-03] shows that an open delivery no longer exists when another program deletes its endpoint', async () => {
    await page.clock.install()
    await openPage()
    await isLive()
    await ping()
    await page.locator('.grid-body [role=row]').first().click()
    await page.getByTestId('attempt-1').waitFor()
    await server.app.webhooks.delete(formId, webhookId)
    await page.clock.runFor(30_000)
    await page.getByText('This delivery no longer exists').waitFor()
    expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0)
    // The rest of the log is deleted too.
    await eventually(rows).toBe(0)
  })

  it('[HOOK-03] shows that a delivery no longer exists when it is replayed after its endpoint was deleted', async () => {
    await openPage()
    await isLive()
    await ping()
    await page.locator('.grid-body [role=row]').first().click()
    await page.getByTestId('attempt-1').waitFor()
    // Deleted between the click and the request: before the click the page might notice it by itself.
    await page.route('**/replay', async (route) => {
      await server.app.webhooks.delete(formId, webhookId)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Replay' }).click()
    await eventually(() => page.getByText('This delivery no longer exists').count()).toBe(1)
  })

  it('[RESP-04] shows that an open response no longer exists when another program deletes it', async () => {
    // The page polls an open response: on its own clock, however slow the machine is.
    await page.clock.install()
    const { id } = server.app.responses.create(formId, { answers: [] })
    await openPage(`#token=${server.adminToken}&to=/forms/${formId}/responses/${id}`)
    await page.getByRole('button', { name: /^Actions of response/ }).waitFor()
    server.app.responses.delete(formId, id)
    await page.clock.runFor(30_000)
    await page.getByText('This response no longer exists').waitFor()
    expect(await page.getByRole('button', { name: /^Actions of response/ }).count()).toBe(0)
  })

  it('refreshes slow lists less often, so that many forms do not slow down the API', async () => {
    await page.clock.install()
    let [reads, ended] = [0, 0]
    const ofEndpoints = /\/_app\/catalog\?include=[^&]*endpoints/
    // Each reading of the endpoints takes 900 ms on the page's clock.
    page.on('request', (request) => {
      if (ofEndpoints.test(request.url())) reads++
    })
    // With its body: a reading that ends after the clock was moved would count as a slow one.
    page.on('requestfinished', (request) => {
      if (ofEndpoints.test(request.url())) ended++
    })
    await page.route(ofEndpoints, async (route) => {
      await page.clock.runFor(900)
      await route.continue()
    })
    await openPage(`#token=${server.adminToken}&to=/endpoints`)
    await eventually(rows).toBe(1)
    await stopClock(page)
    const readsAfter = async (ms: number) => {
      await page.clock.runFor(ms)
      // Queued behind the requests that the page sent meanwhile.
      await page.evaluate(() => fetch('/_app/health').then((response) => response.text()))
      return reads
    }
    // From the end of a reading on.
    const first = await readsAfter(0)
    await eventually(() => readsAfter(500)).toBe(first + 1)
    await eventually(() => ended).toBe(first + 1)
    expect(await readsAfter(0)).toBe(first + 1)
    expect(await readsAfter(5_500)).toBe(first + 1)
    expect(await readsAfter(20_000)).toBeGreaterThan(first + 1)
  })

  it('reloads after a reset', async () => {
    await openPage()
    await isLive()
    await ping(2)
    await eventually(rows).toBe(2)
    server.app.reset()
    await page.getByRole('heading', { name: 'Your first signed delivery' }).waitFor()
    await page.getByRole('link', { name: 'Forms', exact: true }).click()
    await page.getByText('No forms yet').waitFor()
  })

  it('asks for the token when it is missing or rejected, and says which', async () => {
    await openPage('')
    await page.getByText('The server prints a URL').waitFor()
    await page.getByLabel('Admin token').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('rejected this admin token').waitFor()
    await page.getByLabel('Admin token').fill(server.adminToken)
    await page.keyboard.press('Enter')
    await isLive()
    expect(await page.getByLabel('Admin token').count()).toBe(0)
  })

  it('rejects a token with invalid characters, such as an ellipsis, instead of reporting an unreachable server', async () => {
    await openPage('')
    await page.getByLabel('Admin token').fill(`${server.adminToken.slice(0, 8)}…`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('rejected this admin token').waitFor()
    expect(await page.getByText('Can’t reach the server').count()).toBe(0)
    await page.getByLabel('Admin token').fill(server.adminToken)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await isLive()
  })

  it('signs in with the code of a link, once, and removes it from the URL', async () => {
    const link = `#code=${server.signInCode()}&to=/forms`
    await openPage(link)
    await page.getByText('Feedback').waitFor()
    expect(page.url()).toBe(`${network.url}/_app/console#/forms`)
    // Again in the same tab, which stays signed in, then in another one.
    await page.goto('about:blank')
    await openPage(link)
    await page.getByText('Feedback').waitFor()
    const other = await context.newPage()
    await other.goto(`${network.url}/_app/console${link}`)
    await other.getByRole('alert').getByText('This link has been used or has expired').waitFor()
    expect(other.url()).toBe(`${network.url}/_app/console#/forms`)
    await other.getByLabel('Admin token').fill(server.adminToken)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByText('Feedback').waitFor()
  })

  it('keeps the token for its tab only: not in URLs or cookies, and in no other header than Authorization', async () => {
    const urls: string[] = []
    const referrers: (string | undefined)[] = []
    page.on('request', (request) => {
      urls.push(request.url())
      referrers.push(request.headers().referer)
    })
    await openPage(`#token=${server.adminToken}&to=/forms`)
    await page.getByRole('heading', { name: 'Forms' }).waitFor()
    await page.getByText('Feedback').waitFor()
    expect(page.url()).toBe(`${network.url}/_app/console#/forms`)
    expect(urls.length).toBeGreaterThan(5)
    expect(urls.filter((url) => url.includes(server.adminToken))).toEqual([])
    expect(referrers.filter(Boolean)).toEqual([])
    expect(await context.cookies()).toEqual([])
    expect(await page.evaluate(() => localStorage.length)).toBe(0)

    await page.reload()
    await page.getByText('Feedback').waitFor()
    await chooseSetting(page, 'Sign out')
    await page.getByLabel('Admin token').waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    const other = await context.newPage()
    await other.goto(`${network.url}/_app/console`)
    await other.getByLabel('Admin token').waitFor()
  })

  /** Opens the forms in a new tab. */
  const openTab = async (how: Parameters<Page['click']>[1]) => {
    const link = page.locator('nav').getByRole('link', { name: 'Forms' })
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click(how)])
    return tab
  }

  it('opens a link in a new tab without asking for the token again, and signs out of all tabs', async () => {
    await openPage(`#token=${server.adminToken}&to=/endpoints/${webhookId}`)
    const middle = await openTab({ button: 'middle' })
    await middle.getByText('Feedback').waitFor()
    const other = await openTab({ modifiers: ['Control'] })
    await other.getByText('Feedback').waitFor()
    expect(other.url()).toBe(`${network.url}/_app/console#/forms`)
    await chooseSetting(other, 'Sign out')
    for (const tab of [page, middle, other]) {
      await tab.getByLabel('Admin token').waitFor()
      expect(await tab.evaluate(() => sessionStorage.length)).toBe(0)
    }
    await other.reload()
    await other.getByLabel('Admin token').waitFor()
  })

  it('closes an open secret for good when another tab signs out', async () => {
    await openPage(`#token=${server.adminToken}&to=/endpoints/${webhookId}`)
    const other = await openTab({ modifiers: ['Control'] })
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByTestId('revealed').waitFor()
    await chooseSetting(other, 'Sign out')
    await page.getByLabel('Admin token').waitFor()
    await page.getByTestId('revealed').waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Show again' }).count()).toBe(0)
  })

  it('tells its token to no other page of the origin', async () => {
    await openPage()
    await isLive()
    const other = await context.newPage()
    await other.goto(`${network.url}/f/none`)
    await other.evaluate(() => {
      const heard: unknown[] = []
      Object.assign(globalThis, { heard })
      const tabs = new BroadcastChannel('formwire.console /_app/console')
      tabs.onmessage = ({ data }) => heard.push(data)
      tabs.postMessage({ kind: 'ask' })
    })
    await page.reload()
    await isLive()
    await chooseSetting(page, 'Sign out')
    const heard = () => other.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)
    await eventually(heard).toEqual(['leave'])
  })

  it('reads the logs again when the first reading after signing in again has failed', async () => {
    await openPage()
    await isLive()
    await ping()
    await eventually(rows).toBe(1)
    await chooseSetting(page, 'Sign out')
    let failed = false
    await page.route('**/_app/catalog?*deliveries*', (route) => {
      if (failed) return route.continue()
      failed = true
      return route.abort()
    })
    await page.getByLabel('Admin token').fill(server.adminToken)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await isLive()
    await eventually(rows).toBe(1)
    expect(failed).toBe(true)
    // And goes on with the stream.
    await ping()
    await eventually(rows).toBe(2)
  })

  it('returns nothing to a page of another origin, even with the token', async () => {
    await openPage()
    await isLive()
    const other = await context.newPage()
    await other.route('http://attacker.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>hello' }),
    )
    await other.goto('http://attacker.example/')
    const outcomes = await other.evaluate(
      async ([origin, token]) => {
        const attempts = [
          fetch(`${origin}/_app/forms`, { headers: { authorization: `Bearer ${token}` } }),
          fetch(`${origin}/_app/console`, { mode: 'no-cors' }),
          fetch(`${origin}/_app/health`),
        ]
        const settled = await Promise.allSettled(attempts.map(async (one) => (await one).text()))
        return settled.map((one) => (one.status === 'fulfilled' ? one.value : 'refused'))
      },
      [network.url, server.adminToken] as const,
    )
    expect(outcomes.filter((text) => text !== 'refused' && text !== '')).toEqual([])
    await other.evaluate((origin) => {
      const frame = document.createElement('iframe')
      frame.src = `${origin}/_app/console`
      document.body.append(frame)
    }, network.url)
    await eventually(() => other.frames().length).toBe(2)
    await eventually(() => other.frames()[1]?.url()).toMatch(/^chrome-error:/)
    expect(await other.frames()[1]?.locator('#console').count()).toBe(0)
  })

  it('keeps the scroll position while deliveries arrive, and follows them at the top', async () => {
    await openPage()
    await isLive()
    await ping(40)
    await eventually(() => allDeliveries(page, 40).count()).toBe(1)
    const body = page.locator('.grid')
    const firstSeen = () =>
      body.evaluate((element) => {
        const top = element.querySelector('.grid-head')?.getBoundingClientRect().bottom ?? 0
        const row = [...element.querySelectorAll('.grid-body [role=row]')].find(
          (one) => one.getBoundingClientRect().top >= top,
        )
        return row?.querySelector('a')?.getAttribute('href')
      })
    const atTop = await firstSeen()
    await ping()
    await eventually(firstSeen).not.toBe(atTop)
    // The list, which listens first, has then seen it.
    await body.evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          element.addEventListener('scroll', () => resolve(), { once: true })
          element.scrollTop = 380
        }),
    )
    const reading = await firstSeen()
    await ping(3)
    await eventually(() => allDeliveries(page, 44).count()).toBe(1)
    expect(await firstSeen()).toBe(reading)
  })
})
