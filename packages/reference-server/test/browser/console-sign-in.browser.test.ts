import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { eventually } from './browser-kit.ts'
import { consoleTests, ENDPOINT_MENU } from './console-kit.ts'

const prompt = (page: Page) => page.getByLabel('Admin token')
const isLive = (page: Page) => page.getByTestId('stream').getByText('Live').waitFor()
const signIn = async (page: Page, token: string) => {
  await prompt(page).fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
/** How many entries the tab and the browser store. */
const stored = (page: Page) => page.evaluate(() => [sessionStorage.length, localStorage.length])

describe('signing in to the console', () => {
  const { scene } = consoleTests()

  /** A signed-in tab, and a function that opens another one. */
  const signedIn = async () => {
    const open = await scene([], { path: '/forms' })
    const openTab = async (fragment: string) => {
      const tab = await open.context.newPage()
      await tab.goto(`${open.url}/_app/console${fragment}`)
      return tab
    }
    /** Opens the forms in a new tab, by their link. */
    const openForms = async (how: Parameters<Page['click']>[1]) => {
      const link = open.page.locator('nav').getByRole('link', { name: 'Forms' })
      const [tab] = await Promise.all([open.context.waitForEvent('page'), link.click(how)])
      await tab.getByRole('link', { name: 'Feedback', exact: true }).waitFor()
      return tab
    }
    return { ...open, openTab, openForms }
  }

  it('asks for the token when it is missing or rejected, and says which', async () => {
    const { server, openTab } = await signedIn()
    const tab = await openTab('')
    await tab.getByText('The server prints a URL').waitFor()
    // Not a character of a header, which is no reason to report an unreachable server.
    for (const wrong of ['wrong', `${server.adminToken.slice(0, 8)}…`]) {
      await signIn(tab, wrong)
      await tab.getByRole('alert').getByText('rejected this admin token').waitFor()
    }
    expect(await tab.getByText('Can’t reach the server').count()).toBe(0)
    await prompt(tab).fill(server.adminToken)
    await tab.keyboard.press('Enter')
    await isLive(tab)
    expect(await prompt(tab).count()).toBe(0)
  })

  it('takes the code of a link, once, and removes it from the URL', async () => {
    const { server, url, openTab } = await signedIn()
    const link = `#code=${server.signInCode()}&to=/forms`
    const tab = await openTab(link)
    await tab.getByRole('link', { name: 'Feedback', exact: true }).waitFor()
    expect(tab.url()).toBe(`${url}/_app/console#/forms`)
    // Again in the same tab, which stays signed in, then in another one.
    await tab.goto('about:blank')
    await tab.goto(`${url}/_app/console${link}`)
    await tab.getByRole('link', { name: 'Feedback', exact: true }).waitFor()
    const other = await openTab(link)
    await other.getByRole('alert').getByText('This link has been used or has expired').waitFor()
    expect(other.url()).toBe(`${url}/_app/console#/forms`)
    await signIn(other, server.adminToken)
    await other.getByRole('link', { name: 'Feedback', exact: true }).waitFor()
  })

  it('keeps the token for its tab only: not in URLs or cookies, and in no other header than Authorization', async () => {
    const { page, context, server, url, rows, openTab } = await signedIn()
    const urls: string[] = []
    const referrers: (string | undefined)[] = []
    context.on('request', (request) => {
      urls.push(request.url())
      referrers.push(request.headers().referer)
    })
    await page.goto('about:blank')
    await page.goto(`${url}/_app/console#token=${server.adminToken}&to=/forms`)
    await rows.first().waitFor()
    expect(page.url()).toBe(`${url}/_app/console#/forms`)
    expect(urls.length).toBeGreaterThan(5)
    expect(urls.filter((one) => one.includes(server.adminToken))).toEqual([])
    expect(referrers.filter(Boolean)).toEqual([])
    expect(await context.cookies()).toEqual([])
    expect(await stored(page)).toEqual([expect.any(Number), 0])
    await page.reload()
    await rows.first().waitFor()
    await signOut(page)
    await prompt(page).waitFor()
    expect(await stored(page)).toEqual([0, 0])
    await prompt(await openTab('')).waitFor()
  })

  it('opens a link in a new tab without asking for the token again, and signs out of all tabs', async () => {
    const { page, url, openForms } = await signedIn()
    const middle = await openForms({ button: 'middle' })
    const other = await openForms({ modifiers: ['Control'] })
    expect(other.url()).toBe(`${url}/_app/console#/forms`)
    await signOut(other)
    for (const tab of [page, middle, other]) {
      await prompt(tab).waitFor()
      expect(await stored(tab)).toEqual([0, 0])
    }
    await other.reload()
    await prompt(other).waitFor()
  })

  it('closes an open secret for good when another tab signs out', async () => {
    const { page, goTo, choose, confirm, openForms } = await signedIn()
    await goTo('/endpoints/1')
    const other = await openForms({ modifiers: ['Control'] })
    await choose(ENDPOINT_MENU, 'Rotate secret')
    await confirm('Rotate secret')
    await page.getByTestId('revealed').waitFor()
    await signOut(other)
    await prompt(page).waitFor()
    await eventually(() => page.getByTestId('revealed').count()).toBe(0)
  })

  it('tells its token to no other page of the origin', async () => {
    const { page, context, url } = await signedIn()
    const other = await context.newPage()
    await other.goto(`${url}/f/none`)
    await other.evaluate(() => {
      const heard: unknown[] = []
      Object.assign(globalThis, { heard })
      const tabs = new BroadcastChannel('formwire.console /_app/console')
      tabs.onmessage = ({ data }) => heard.push(data)
      tabs.postMessage({ kind: 'ask' })
    })
    await page.reload()
    await page.getByRole('link', { name: 'Feedback', exact: true }).waitFor()
    await signOut(page)
    const heard = () => other.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)
    await eventually(heard).toEqual(['leave'])
  })
})
