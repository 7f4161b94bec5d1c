/**
 * Opens the pages of the built documentation site in Chromium, on loopback: on a phone in dark and on a wide screen in light, one of each
 * kind with axe. Of pages that one generator or template makes alike, only these are opened. Fails on a page wider than the screen, code
 * wider than its column, an error of a page, a finding of axe, or a search that does not find its page first. Needs `pnpm run docs`.
 */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { chromium, type Page } from 'playwright-core'
import { axeViolations } from '../packages/reference-server/test/browser/axe.ts'
import { CHROMIUM, CHROMIUM_FLAGS } from '../test/support/chromium.ts'

const built = fileURLToPath(new URL('../docs/.vitepress/dist', import.meta.url))
/** Far more than a page takes, because a loaded machine can be ten times slower. */
const TIMEOUT_MS = 120_000
/** Pages that are open at the same time. */
const TABS = 2

/** A page of every kind, for axe. */
const FOR_AXE: ReadonlySet<string> = new Set([
  '404.html',
  'index.html',
  'decisions/0001-page-past-the-end.html',
  'examples/receivers.html',
  'explanation/webhook-delivery.html',
  'how-to/troubleshooting.html',
  'project/security.html',
  'reference/commands/webhooks.html',
  'reference/console.html',
  'reference/rules.html',
  'reference/api/index.html',
  'reference/api/sync.html',
  'reference/http-api/index.html',
  'reference/http-api/webhooks.html',
  'reference/packages/sync.html',
  'tutorials/any-language.html',
])

/** Pages that differ in their text alone. */
const ALIKE = /^(?:decisions|project|reference\/(?:api|control-api))\//

/** What fits the first one fits all. */
const SCREENS = [
  { name: 'phone, dark', width: 360, height: 740, colorScheme: 'dark' },
  { name: 'wide, light', width: 1440, height: 900, colorScheme: 'light' },
] as const

/** What readers search for, and the page that they must find first. */
const SEARCHES: Readonly<Record<string, string>> = {
  'signature mismatch': 'how-to/signature-mismatch.html',
  'rotating a secret': 'how-to/rotate-secret.html',
  'duplicate deliveries': 'how-to/dedupe.html',
  'retry schedule': 'explanation/webhook-delivery.html',
  'fake timers': 'how-to/test-environments.html',
  'receive webhooks': 'tutorials/receive-webhooks.html',
  no_match: 'how-to/troubleshooting.html',
}

let problems = 0
const report = (problem: string): void => {
  problems += 1
  console.error(problem)
}

const started = performance.now()
const server = express().use(express.static(built)).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const pages = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.html'),
)
for (const path of FOR_AXE) if (!pages.includes(path)) report(`there is no page ${path} for axe`)
const queue = pages.filter((path) => FOR_AXE.has(path) || !ALIKE.test(path))
const opened = queue.length

// Nothing is loaded from elsewhere, and no other host is found.
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: [...CHROMIUM_FLAGS, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
})
try {
  await Promise.all(Array.from({ length: TABS }, checkPages))
  await checkSearch()
  await checkTabs()
} finally {
  await browser.close()
  server.close()
}
const seconds = Math.round((performance.now() - started) / 1000)
console.log(
  `${opened} of ${pages.length} pages on ${SCREENS.length} screens, ${FOR_AXE.size} of them with axe: ${problems} problems in ${seconds} s`,
)
if (problems > 0) process.exitCode = 1

async function openTab(): Promise<Page> {
  // Without transitions, in which axe would see colours of neither theme.
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(TIMEOUT_MS)
  const tab = await context.newPage()
  tab.on('pageerror', (error) => report(`${tab.url()}: ${error.message}`))
  tab.on('console', (message) => {
    if (message.type() === 'error') report(`${tab.url()}: ${message.text()}`)
  })
  tab.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(`${url}/`))
      report(`${tab.url()} loads ${request.url()}`)
  })
  return tab
}

async function checkPages() {
  const tab = await openTab()
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    await tab.goto(`${url}/${path}`)
    for (const screen of SCREENS) await checkScreen(tab, path, screen)
  }
  await tab.context().close()
}

async function checkScreen(tab: Page, path: string, screen: (typeof SCREENS)[number]) {
  const { name, width, height, colorScheme } = screen
  await tab.setViewportSize({ width, height })
  await tab.emulateMedia({ colorScheme })
  // Which shows that the scripts of the page run, too.
  await tab.waitForFunction(
    (isDark) => document.documentElement.classList.contains('dark') === isDark,
    colorScheme === 'dark',
  )
  const excess = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  if (excess > 0) report(`${path} (${name}) is ${excess} pixels wider than the screen`)
  if (width > 1000 && (await tab.evaluate(hasCutCode)))
    report(`${path} (${name}) has code wider than its column`)
  if (!FOR_AXE.has(path)) return
  for (const violation of await axeViolations(tab)) report(`${path} (${name}): ${violation}`)
}

function hasCutCode(): boolean {
  return [...document.querySelectorAll('.vp-doc pre')].some((code) => code.scrollWidth > code.clientWidth)
}

/** Opens a page, and waits until Vue has mounted it, which can be after it has loaded: keys and clicks have no effect before, or a wrong one. */
async function openMounted(tab: Page, path: string) {
  await tab.goto(`${url}/${path}`)
  await tab.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}))
}

async function checkSearch() {
  const tab = await openTab()
  await openMounted(tab, '')
  await tab.keyboard.press('Control+k')
  const first = tab.locator('.VPLocalSearchBox .result').first()
  for (const [query, path] of Object.entries(SEARCHES)) {
    await tab.locator('#localsearch-input').fill(query)
    await first
      .and(tab.locator(`[href*="/${path}"]`))
      .waitFor({ timeout: 20_000 })
      .catch(async () => report(`a search for "${query}" finds ${await first.getAttribute('href')} first`))
  }
  for (const violation of await axeViolations(tab, { within: '.VPLocalSearchBox' }))
    report(`the search: ${violation}`)
  await tab.context().close()
}

/** The language that a reader has chosen is shown on the next page and after a reload. */
async function checkTabs() {
  const tab = await openTab()
  const check = async (page: string, when: string) => {
    await tab.locator('h1', { hasText: page }).waitFor()
    const isChosen = () =>
      scrollY === 0 &&
      [...document.querySelectorAll('.operation-code input:checked + label')].every((label) =>
        /^(?:Python|Response \d+)$/.test(label.textContent),
      )
    await tab
      .waitForFunction(isChosen, undefined, { timeout: 20_000 })
      .catch(() => report(`after Python was chosen, ${when} does not show it, or is scrolled`))
  }
  await openMounted(tab, 'reference/http-api/key.html')
  await tab.locator('.operation-code label', { hasText: 'Python' }).click()
  await tab.locator('.VPSidebar a[href$="/webhooks.html"]').click()
  await check('Webhooks', 'the next page')
  await tab.reload()
  await check('Webhooks', 'a page that is loaded again')
  await tab.context().close()
}
