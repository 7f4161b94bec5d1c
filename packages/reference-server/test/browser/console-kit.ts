import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import type { ReferenceServerOptions } from '../../src/options.ts'

/** Real milliseconds that a test waits for the page: a loaded machine is slow, a broken page stays broken. */
export const WAIT_MS = 8_000

const CHROMIUM = process.env.FORMWIRE_CHROMIUM ?? '/usr/bin/chromium'

/** CI installs it; a machine without it skips these tests and says why. */
export const hasChromium = existsSync(CHROMIUM)

if (!hasChromium) {
  console.warn(
    `No Chromium at ${CHROMIUM}: the browser tests are skipped. Install it (apt-get install -y chromium) or name it in FORMWIRE_CHROMIUM.`,
  )
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** `expect.poll` with the patience of the page's own waits. */
export const eventually = <Value>(read: () => Value | Promise<Value>) =>
  expect.poll(read, { timeout: WAIT_MS })

export interface Console {
  readonly page: Page
  readonly context: BrowserContext
  readonly server: ReferenceServer
  readonly url: string
  /** What the page wrote to its console as an error, CSP reports included. Tests expect none. */
  readonly errors: string[]
  /** Goes to a view: `/forms`. */
  goTo(path: string): Promise<void>
  close(): Promise<void>
}

export interface ConsoleOptions {
  readonly server?: ReferenceServerOptions
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  /** First view. @default '/deliveries' */
  readonly path?: string
  /** Fills the server before the page is opened. */
  readonly prepare?: (server: ReferenceServer, url: string) => Promise<void>
}

/** A server on a free port, and the console of it in a browser tab that nothing else is in. */
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
  })
  // Well below the test's own deadline, so that a failure says which element was not there.
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  const path = options.path ?? '/deliveries'
  await page.goto(`${url}/_app/console#token=${server.adminToken}&to=${path}`)
  await page.locator('main h1').waitFor()
  return {
    page,
    context,
    server,
    url,
    errors,
    async goTo(view) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, view)
    },
    async close() {
      await context.close()
      await server.close()
    },
  }
}

/**
 * What axe finds that is serious or critical, as short lines.
 *
 * @param rules Only these; all by default. Only contrast changes with the colour scheme.
 */
export async function seriousFaults(page: Page, rules?: string[]): Promise<string[]> {
  // Legacy mode runs in this page alone; there are no frames to visit.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(' | ')}`,
    )
}

/** What cannot be seen whole without scrolling sideways: boxes wider than their place, cells cut off at their beginning. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = [...document.querySelectorAll('main, main .scroll, main .pane, main .grid-body')].filter(
      (box) => box.scrollWidth > box.clientWidth,
    )
    const cut = [...document.querySelectorAll('main .grid-body .cell')].filter((cell) => {
      const own = cell.getBoundingClientRect()
      // Rows paint nothing beyond their own box.
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

const SCREENSHOTS = fileURLToPath(new URL('../../../../docs/screenshots/', import.meta.url))

/** Writes a screenshot for the docs, only when FORMWIRE_SCREENSHOTS=1 asks for it. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env.FORMWIRE_SCREENSHOTS !== '1') return
  await mkdir(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: `${SCREENSHOTS}${name}.png` })
}
