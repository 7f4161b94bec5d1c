import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'
import { axeViolations, COLOUR_RULES } from './axe.ts'
import { launchChromium } from './console-kit.ts'

export interface OpenedForm {
  readonly page: Page
  readonly context: BrowserContext
  readonly server: ReferenceServer
  readonly formId: string
  /** URL of the form. */
  readonly url: string
  /** Errors in the console of the page, including CSP violations. Tests expect none. */
  readonly errors: string[]
  /** Returns the question with this title. */
  question(title: string): Locator
  /** Returns a response, as the API returns it. */
  stored(id: number): ReturnType<typeof JSON.parse>
  close(): Promise<void>
}

interface OpenOptions extends BrowserContextOptions {
  readonly title?: string
  readonly query?: string
  readonly limits?: ReferenceServerOptions['limits'] & object
  /** When the form opens, ISO 8601. @default now */
  readonly opensAt?: string
  /** Fields of the form, such as its language. */
  readonly form?: object
}

/**
 * Registers the hooks of a block of tests of the public form, which share a browser, and returns a function that opens a form. It is
 * closed after the test. Call it in `describe`.
 */
export function formTests(): (questions: readonly object[], options?: OpenOptions) => Promise<OpenedForm> {
  let browser: Browser
  const opened: OpenedForm[] = []
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterEach(async () => {
    for (const form of opened.splice(0).reverse()) await form.close()
  })
  afterAll(() => browser?.close())
  return async (questions, options) => {
    const form = await openForm(browser, questions, options)
    opened.push(form)
    return form
  }
}

/** Starts a server on a free port with one published form and opens the form in a browser tab. */
async function openForm(
  browser: Browser,
  questions: readonly object[],
  { title = 'Your stay', query = '', limits = {}, opensAt, form: fields = {}, ...options }: OpenOptions = {},
): Promise<OpenedForm> {
  const server = createReferenceServer({ clock: 'manual', now: '2026-11-21T12:00:00Z', limits })
  const { url: root } = await server.listen({ port: 0 })
  const form = server.app.forms.publish(
    server.app.forms.create({ title, questions, ...(opensAt && { opens_at: opensAt }), ...fields }).id,
  )
  const context = await browser.newContext({
    viewport: { width: 900, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...options,
  })
  // Well below the timeout of a test, so that a failure reports the missing element.
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    // The browser also reports pages with a 4xx status.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  const url = `${root}/f/${form.slug}`
  await page.goto(url + query)
  return {
    page,
    context,
    server,
    formId: form.id,
    url,
    errors,
    question: (name) => page.locator('[data-question]').filter({ hasText: name }),
    stored: (id) => JSON.parse(server.app.responses.get(form.id, id).json),
    async close() {
      await context.close()
      await server.close()
    },
  }
}

/** Waits until a page with this text has come, and its script has run. */
export async function pageWith(page: Page, text: string): Promise<void> {
  await page.getByText(text).waitFor()
  await page.waitForLoadState()
}

/** Waits for the page that follows a submission. */
export async function thanks(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await page.waitForLoadState()
}

/** Fails on any violation that axe-core finds, of any impact, and on a contrast that is too low in the other colour scheme. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([])
  const scheme = await page.evaluate(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  )
  const other = scheme === 'dark' ? 'light' : 'dark'
  await page.emulateMedia({ colorScheme: other })
  const found = await axeViolations(page, { only: COLOUR_RULES })
  await page.emulateMedia({ colorScheme: scheme })
  expect({ scheme: other, found }).toEqual({ scheme: other, found: [] })
}

/** Fails if the page needs horizontal scrolling, and reports the elements that overflow. */
export async function expectFits(page: Page): Promise<void> {
  const tooWide = await page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    const sticksOut = (element: Element) => element.getBoundingClientRect().right > width + 0.5
    return [...document.querySelectorAll('body *')]
      .filter(sticksOut)
      .map(({ outerHTML }) => outerHTML.slice(0, 80))
  })
  expect(tooWide).toEqual([])
}
