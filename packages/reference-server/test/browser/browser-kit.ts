import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
  type Route,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { CHROMIUM, CHROMIUM_FLAGS } from '../../../../test/support/chromium.ts'
import { WAIT_MS } from '../../../../test/support/patience.ts'

/** Waits until a value, read again and again, is as expected. */
export const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)

export interface Tab {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors in the console of the page, including CSP violations. Only requests that failed may be among them after a test. */
  readonly errors: string[]
}

/**
 * Registers the hooks of a block of tests that share a browser, and a context, whose cache has the files of the server after the first test.
 * Call it in `describe`.
 */
export function browserTests() {
  let browser: Browser
  let shared: BrowserContext
  const closing: (() => unknown)[] = []
  const errors: string[] = []
  const contextWith = async (options: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext({
      colorScheme: 'light',
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    })
    // Well below the timeout of a test, so that a failure reports the missing element.
    context.setDefaultTimeout(WAIT_MS)
    return context
  }
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_FLAGS] })
    shared = await contextWith({})
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    expect(errors.splice(0).filter((text) => !/^(TypeError: )?Failed to (load|fetch)/.test(text))).toEqual([])
  })
  afterAll(() => browser?.close())
  return {
    /** Opens a tab. With options it has a context of its own. */
    async tab(options?: BrowserContextOptions): Promise<Tab> {
      const context = options ? await contextWith(options) : shared
      closing.push(async () => {
        if (options) return context.close()
        await context.setOffline(false)
        for (const page of context.pages()) await page.close()
      })
      const page = await context.newPage()
      const own: string[] = []
      const add = (text: string) => {
        own.push(text)
        errors.push(text)
      }
      page.on('console', (message) => message.type() === 'error' && add(message.text()))
      page.on('pageerror', (error) => add(String(error)))
      return { page, context, errors: own }
    },
    /** Registers what is done after the test, the latest first. */
    after: (close: () => unknown) => closing.push(close),
  }
}

/** The visible text of an element. */
// biome-ignore lint/performance/useDomNodeTextContent: What is hidden is not read.
export const textOf = (locator: Locator): Promise<string> => locator.innerText()

export const isFocused = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement)

/** What has the focus: a row, or the kind and the name of an element. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    if (element.getAttribute('role') === 'row') return `row ${element.getAttribute('aria-rowindex')}`
    const name =
      element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent.trim()
    return element === document.body ? 'nothing' : `${element.localName} ${name}`
  })

/** Holds the requests that match, from now on, until they are released. */
export async function hold(
  page: Page,
  url: RegExp | string,
  matches: (request: Request) => boolean = () => true,
): Promise<{ readonly held: Route[]; release(how?: (route: Route) => unknown): Promise<void> }> {
  const held: Route[] = []
  let released: ((route: Route) => unknown) | undefined
  await page.route(url, async (route) => {
    if (!matches(route.request())) return route.continue()
    if (released) await released(route)
    else held.push(route)
  })
  return {
    held,
    async release(how = (route) => route.continue()) {
      released = how
      for (const route of held.splice(0)) await how(route)
    },
  }
}

/** Takes a picture of the docs again if `FORMWIRE_SCREENSHOTS=1`. To add one, create an empty file with its name first. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../../../docs/screenshots/${name}.png`, import.meta.url))
  if (process.env.FORMWIRE_SCREENSHOTS !== '1' || !existsSync(path)) return
  // No row is highlighted under the pointer.
  await page.mouse.move(0, 0)
  await page.screenshot({ path })
}
