import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { CHROMIUM, CHROMIUM_FLAGS } from '../../../../test/support/chromium.ts'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import {
  createMockReceiver,
  createReferenceServer,
  type MockReceiver,
  type ReferenceServer,
} from '../../src/index.ts'
import type { ReferenceServerOptions } from '../../src/options.ts'
import { axeViolations } from './axe.ts'

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [...CHROMIUM_FLAGS],
  })

/** Polls the page until a value is as expected. */
export const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)

export interface Console {
  readonly page: Page
  readonly context: BrowserContext
  readonly server: ReferenceServer
  readonly url: string
  /** Errors in the console of the page, including CSP violations. Tests expect none. */
  readonly errors: string[]
  /** Opens a view, such as `/forms`. */
  goTo(path: string): Promise<void>
  close(): Promise<void>
}

export interface ConsoleOptions {
  readonly server?: ReferenceServerOptions
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  /** Time zone of the browser. @default that of this machine */
  readonly timezoneId?: string
  /** First view. @default '/deliveries' */
  readonly path?: string
  /** Whether the timers of the page run on `page.clock`, which the test can advance. @default false */
  readonly pageClock?: boolean
  /** Fills the server before the page is opened. */
  readonly prepare?: (server: ReferenceServer, url: string) => Promise<void>
}

/** Starts a server on a free port and opens its console in a new browser context. */
export async function openConsole(browser: Browser, options: ConsoleOptions = {}): Promise<Console> {
  const server = createReferenceServer({
    clock: 'manual',
    ...(options.server?.clock === 'real' ? {} : { now: '2026-11-21T12:00:00Z' }),
    ...options.server,
  })
  const { url } = await server.listen({ port: 0 })
  await options.prepare?.(server, url)
  const context = await browser.newContext({
    colorScheme: options.colorScheme ?? 'light',
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    reducedMotion: 'reduce',
    ...(options.timezoneId === undefined ? {} : { timezoneId: options.timezoneId }),
  })
  // Well below the timeout of a test, so that a failure reports the missing element.
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  if (options.pageClock) await page.clock.install()
  const path = options.path ?? '/deliveries'
  await Promise.all([
    // From then on, the page misses no delivery.
    page.waitForResponse(/\/deliveries\/stream$/),
    // The lists come in one response.
    page.waitForResponse(/\/catalog\?include=[^&]*keys/).then((response) => response.finished()),
    page.goto(`${url}/_app/console#token=${server.adminToken}&to=${path}`),
  ])
  return {
    page,
    context,
    server,
    url,
    errors,
    async goTo(view) {
      // The event comes after the assignment. The page, which listens first, has then rendered the view.
      await page.evaluate(
        (hash) =>
          new Promise<void>((resolve) => {
            if (location.hash === `#${hash}`) return resolve()
            addEventListener('hashchange', () => resolve(), { once: true })
            location.hash = hash
          }),
        view,
      )
    },
    async close() {
      await context.close()
      await server.close()
    },
  }
}

/** Stops the clock of a page with `pageClock`. Its timers then run only with `page.clock.runFor`. */
export async function stopClock(page: Page): Promise<void> {
  // Ahead of the page, whose clock goes on until then.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
}

/** Waits until the page has copied this, such as `the payload`, and returns the text. Needs the permission to read it. */
export async function copied(page: Page, what: string): Promise<string> {
  await page.locator('[aria-live=polite]').getByText(`Copied ${what}`).waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** What the tests of a block open. All of it is closed after each test, the latest first. */
export interface ConsoleTests {
  /** Starts a server and opens its console. */
  start(options?: ConsoleOptions): Promise<Console>
  /** Starts a receiver. */
  receiver(...script: readonly unknown[]): Promise<MockReceiver>
}

/** Registers the hooks of a block of tests of the console, which share a browser. Call it in `describe`. */
export function consoleTests(): ConsoleTests {
  let browser: Browser
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  afterAll(() => browser?.close())
  return {
    async start(options) {
      const opened = await openConsole(browser, options)
      closing.push(() => opened.close())
      return opened
    },
    async receiver(...script) {
      const receiver = await createMockReceiver({ script: script as never }).listen()
      closing.push(() => receiver.close())
      return receiver
    },
  }
}

/** Returns the violations that axe finds, of any impact, one line each. */
export const axeFaults = axeViolations

/** Returns what needs horizontal scrolling: boxes that overflow, and cells that are cut off at the start. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = [
      // A table with a column for each question scrolls sideways by itself.
      ...document.querySelectorAll(
        '.frame, main, main .scroll, main .pane, main .grid:not(.responses), main :not(.responses) > * > .grid-body',
      ),
    ].filter((box) => box.scrollWidth > box.clientWidth)
    const cut = [...document.querySelectorAll('main .grid-body .cell')].filter((cell) => {
      const own = cell.getBoundingClientRect()
      // Rows clip their content.
      if (own.right > (cell.closest('.grid-row')?.getBoundingClientRect().right ?? 0) + 1) return true
      return [...cell.childNodes].some((child) => {
        const range = document.createRange()
        range.selectNode(child)
        const box = range.getBoundingClientRect()
        return box.width > 0 && box.left < own.left - 1
      })
    })
    return [...wide, ...cut].map((box) => `${box.className}: ${box.textContent?.slice(0, 40)}`)
  })

/** Chooses an option of a filter of the log. */
export async function chooseFilter(page: Page, filter: string, option: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: filter, exact: true }).click()
  await page.getByRole('menuitemradio', { name: option, exact: true }).click()
}

/** The saved view of the log with all deliveries, which has their number. */
export const allDeliveries = (page: Page, amount: number) =>
  page.getByRole('link', { name: `All ${amount}`, exact: true })

/** Opens or closes a section of the open delivery, such as `Headers`. */
export const toggleSection = (page: Page, name: string): Promise<void> =>
  page.locator('.section > summary', { hasText: name }).click()

/** Opens the menu of the only endpoint in the list and chooses a command. */
export async function chooseInEndpointMenu(page: Page, command: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions of endpoint/ }).click()
  await page.getByRole('menuitem', { name: command }).click()
}

/** Chooses a command of the menu at the end of the navigation. */
export async function chooseSetting(page: Page, command: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: command }).click()
}
