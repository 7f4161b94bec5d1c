/**
 * Opens pages of the built documentation site in Chromium, on loopback: in light and dark, on a wide screen and on a phone. Fails on a
 * finding of axe, a page wider than the screen, an error of the page, a search that finds nothing, or a missing file for programs. Needs
 * `pnpm run docs`.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright-core'
import { CHROMIUM, CHROMIUM_FLAGS } from '../test/support/chromium.ts'

const built = fileURLToPath(new URL('../docs/.vitepress/dist', import.meta.url))
/** Far more than a page takes, because a loaded machine can be ten times slower. */
const TIMEOUT_MS = 120_000

/** A page of every kind. */
const PAGES = [
  '',
  'tutorials/read-responses.html',
  'explanation/webhook-delivery.html',
  'reference/http-api/webhooks.html',
  'reference/api/sync.html',
  'reference/packages/sync.html',
  'reference/console.html',
  'how-to/troubleshooting.html',
  'explanation/comparison.html',
]

/** What programs read, and what it must contain. */
const FOR_PROGRAMS: Readonly<Record<string, string>> = {
  'llms.txt': '[Read responses](tutorials/read-responses.md)',
  'llms-full.txt': '<!-- tutorials/read-responses.md -->\n\n# Read responses\n',
  'files/packages/contract/openapi.json': '"openapi"',
}

const SCREENS = [
  { name: 'wide, light', width: 1440, height: 900, colorScheme: 'light' },
  { name: 'phone, dark', width: 360, height: 740, colorScheme: 'dark' },
] as const

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
}

let problems = 0
const report = (problem: string): void => {
  problems += 1
  console.error(problem)
}

const server = createServer((request, response) => {
  const path = join(built, decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname))
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path
  if (!file.startsWith(built) || !existsSync(file)) return response.writeHead(404).end()
  return response
    .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain; charset=utf-8' })
    .end(readFileSync(file))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: [...CHROMIUM_FLAGS],
})
try {
  for (const screen of SCREENS) await checkPages(screen)
  await checkSearch()
  for (const [path, text] of Object.entries(FOR_PROGRAMS)) await checkText(`${url}/${path}`, text)
} finally {
  await browser.close()
  server.close()
}
console.log(`${PAGES.length} pages on ${SCREENS.length} screens: ${problems} problems`)
if (problems > 0) process.exitCode = 1

async function openPage(options: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  page.on('pageerror', (error) => report(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') report(`${page.url()}: ${message.text()}`)
  })
  // Nothing is loaded from elsewhere.
  await context.route(
    (address) => address.origin !== url,
    (route) => {
      report(`${page.url()} loads ${route.request().url()}`)
      return route.abort()
    },
  )
  return page
}

async function checkPages({ name, width, height, colorScheme }: (typeof SCREENS)[number]) {
  const page = await openPage({ viewport: { width, height }, colorScheme })
  for (const path of PAGES) {
    await page.goto(`${url}/${path}`, { waitUntil: 'networkidle' })
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { id, help, nodes } of violations) {
      const where = nodes.slice(0, 3).map(({ target }) => target.join(' '))
      report(`/${path} (${name}): ${id}: ${help}: ${nodes.length} × ${where.join(' · ')}`)
    }
    // Each page is also Markdown, with a link to it.
    const markdown = await page.locator('.as-markdown a').getAttribute('href')
    const heading = await page.locator('h1').first().textContent()
    await checkText(new URL(markdown ?? '', page.url()).href, (heading ?? '').replace(/\W*$/, ''))
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (excess > 0) report(`/${path} (${name}) is ${excess} pixels wider than the screen`)
  }
  await page.context().close()
}

/** Checks a file that programs read. */
async function checkText(address: string, text: string) {
  const response = await fetch(address)
  if (response.status !== 200 || !(await response.text()).includes(text))
    report(`${address} (status ${response.status}) does not contain ${JSON.stringify(text)}`)
}

async function checkSearch() {
  const page = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/`, { waitUntil: 'networkidle' })
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('fileCheckpoint')
  const first = page.locator('.VPLocalSearchBox .result').first()
  await first.waitFor()
  const { violations } = await new AxeBuilder({ page }).include('.VPLocalSearchBox').analyze()
  for (const { id, help } of violations) report(`the search: ${id}: ${help}`)
  await first.click()
  await page.waitForURL((address) => address.pathname !== '/')
  await page.context().close()
}
