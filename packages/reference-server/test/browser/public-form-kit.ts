import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'
import { seriousFaults, WAIT_MS } from './console-kit.ts'

export interface OpenedForm {
  readonly page: Page
  readonly context: BrowserContext
  readonly server: ReferenceServer
  readonly formId: string
  /** Address of the form. */
  readonly url: string
  /** What the page wrote to its console as an error, CSP reports included. Tests expect none. */
  readonly errors: string[]
  /** The question with this title. */
  question(title: string): Locator
  /** A response as the API shows it. */
  stored(id: number): ReturnType<typeof JSON.parse>
  close(): Promise<void>
}

interface OpenOptions extends BrowserContextOptions {
  readonly title?: string
  readonly query?: string
  readonly limits?: ReferenceServerOptions['limits'] & object
  /** When the form opens, ISO 8601. @default at once */
  readonly opensAt?: string
}

/** A server on a free port with one published form, open in a browser tab. */
export async function openForm(
  browser: Browser,
  questions: readonly object[],
  { title = 'Your stay', query = '', limits = {}, opensAt, ...options }: OpenOptions = {},
): Promise<OpenedForm> {
  const server = createReferenceServer({ clock: 'manual', now: '2026-11-21T12:00:00Z', limits })
  const { url: root } = await server.listen({ port: 0 })
  const form = server.app.forms.publish(
    server.app.forms.create({ title, questions, ...(opensAt && { opens_at: opensAt }) }).id,
  )
  const context = await browser.newContext({
    viewport: { width: 900, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...options,
  })
  // Well below the test's own deadline, so that a failure says which element was not there.
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    // A refused form is a 4xx page, which the browser reports as well.
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

/** Fails on anything that axe-core calls serious or critical. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await seriousFaults(page)).toEqual([])
}

/** Fails when the page has to be scrolled sideways, and names what sticks out. */
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

/** Keeps a picture for the docs, when `FORMWIRE_SCREENSHOTS=1` asks for them. */
export async function screenshot(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.FORMWIRE_SCREENSHOTS !== '1') return
  const folder = fileURLToPath(new URL('../../../../docs/screenshots/', import.meta.url))
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}${name}.png`, fullPage })
}
