import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { CHROMIUM, CHROMIUM_FLAGS } from '../../test/support/chromium.ts'

/** Far longer than the page needs on the slowest machine. */
const DEADLINE_MS = 600_000

/** Runs the packed webhook-verify, unbundled, in headless Chromium. The title of the page becomes its result. */
export async function runInBrowser(app: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_FLAGS] })
  try {
    const page = await browser.newPage()
    // Without a server. WebCrypto needs https.
    await page.route('https://app.test/**', (route) => {
      const path = join(app, new URL(route.request().url()).pathname)
      return route.fulfill(existsSync(path) ? { path } : { status: 404 })
    })
    await page.goto('https://app.test/webhook-browser.html')
    await page.waitForFunction(() => document.title !== 'running', undefined, { timeout: DEADLINE_MS })
    const result = await page.title()
    if (result !== 'passed') throw new Error(`Chromium: ${result}`)
  } finally {
    await browser.close()
  }
}
