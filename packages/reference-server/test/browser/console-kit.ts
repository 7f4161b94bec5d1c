import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import {
  createMockReceiver,
  createReferenceServer,
  type MockReceiver,
  type ReferenceServer,
} from '../../src/index.ts'
import type { ReferenceServerOptions } from '../../src/options.ts'
import { browserTests, type Tab } from './browser-kit.ts'

export interface ConsoleOptions {
  /** Options of a server of its own. @default the server of the block, as it started */
  readonly server?: ReferenceServerOptions
  /** Options of a browser of its own, such as its size. @default light, 1440 × 900 */
  readonly browser?: BrowserContextOptions
  /** First view. @default '/deliveries' */
  readonly path?: string
  /** Whether the timers of the page run on `page.clock`, which the test can advance. @default false */
  readonly pageClock?: boolean
  /** What the page connects to in place of the server. */
  readonly proxy?: (url: string) => Promise<string>
  /** Fills the server before the page is opened. */
  readonly prepare?: (server: ReferenceServer, url: string) => unknown
}

export type Console = Tab & ReturnType<typeof controlsOf> & { server: ReferenceServer; url: string }
type Workspace = Awaited<ReturnType<typeof workspaceOf>>
export type Scene = Console & Workspace & { /** Opens the newest delivery. */ openFirst(): Promise<void> }

interface SceneOptions extends Omit<ConsoleOptions, 'prepare'> {
  readonly prepare?: (workspace: Workspace) => unknown
}

const ORIGIN = { clock: 'manual', now: '2026-11-21T12:00:00Z', limits: 'off' } as const

/** Registers the hooks of a block of tests of the console, which share a browser and a server. Call it in `describe`. */
export function consoleTests() {
  const { tab, after } = browserTests()
  const shared = createReferenceServer(ORIGIN)
  let listening: Promise<{ url: string }> | undefined
  afterAll(() => shared.close())

  const serverOf = async (options?: ReferenceServerOptions): Promise<[ReferenceServer, string]> => {
    const server = options ? createReferenceServer({ ...ORIGIN, ...options }) : shared
    after(() => (options ? server.close() : server.app.reset()))
    if (options) return [server, (await server.listen({ port: 0 })).url]
    listening ??= server.listen({ port: 0 })
    return [server, (await listening).url]
  }

  /** Opens the console of a server. */
  const start = async (options: ConsoleOptions = {}): Promise<Console> => {
    const [server, root] = await serverOf(options.server)
    await options.prepare?.(server, root)
    const { browser, pageClock = false, path = '/deliveries' } = options
    const open = await tab(browser ?? (pageClock ? {} : undefined))
    const { page } = open
    if (pageClock) await page.clock.install()
    const url = (await options.proxy?.(root)) ?? root
    await Promise.all([
      // From then on, the page misses no delivery.
      page.waitForResponse(/\/deliveries\/stream$/),
      // The lists come in one response.
      page.waitForResponse(/\/catalog\?include=[^&]*keys/).then((response) => response.finished()),
      page.goto(`${url}/_app/console#token=${server.adminToken}&to=${path}`),
    ])
    return { ...open, server, url, ...controlsOf(page) }
  }

  const receiver = async (...script: readonly unknown[]): Promise<MockReceiver> => {
    const started = await createMockReceiver({ script: script as never }).listen()
    after(() => started.close())
    return started
  }

  return {
    start,
    receiver,
    /** Opens the console of a server with a form and an endpoint, whose receiver follows the script. */
    async scene(script: readonly unknown[] = [], { prepare, ...options }: SceneOptions = {}): Promise<Scene> {
      const target = await receiver(...script)
      let workspace: Workspace | undefined
      const open = await start({
        ...options,
        async prepare(server, url) {
          workspace = await workspaceOf(server, url, target)
          await prepare?.(workspace)
        },
      })
      return {
        ...(workspace as Workspace),
        ...open,
        async openFirst() {
          await open.rows.first().click()
          await open.pane.locator('.facts').waitFor()
        },
      }
    },
  }
}

/** A published form with one question, and an endpoint at a receiver. */
async function workspaceOf(server: ReferenceServer, url: string, receiver: MockReceiver) {
  const { forms, webhooks, responses } = server.app
  const { id: formId } = forms.create({
    title: 'Feedback',
    questions: [{ id: 'say', type: 'long_text', title: 'What do you say?' }],
  })
  forms.publish(formId)
  const { id: webhookId } = await webhooks.create(formId, { url: receiver.url })
  return {
    server,
    url,
    formId,
    webhookId,
    receiver,
    /** Submits responses and waits for their first attempts. */
    async submit(...texts: string[]): Promise<void> {
      for (const value of texts)
        responses.create(formId, { answers: [{ question_id: 'say', value }], deliver: true })
      await server.clock.advance(0)
    },
  }
}

function controlsOf(page: Page) {
  const dialog = page.getByRole('dialog')
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  return {
    /** The rows of the list. */
    rows: page.locator('.grid-body [role=row]'),
    /** What is open beside the list. */
    pane: page.locator('.pane'),
    dialog,
    notice: page.locator('.notice'),
    /** Opens a view, such as `/forms`. */
    async goTo(view: string) {
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
    button,
    press: (name: string | RegExp) => button(name).click(),
    /** Presses a button of the dialog. */
    confirm: (name: string) => dialog.getByRole('button', { name, exact: true }).click(),
    /** Opens the menu with this name and chooses a command. */
    async choose(menu: string | RegExp, command: string) {
      await button(menu).click()
      await page.getByRole('menuitem', { name: command }).click()
    },
    shows: (text: string | RegExp) => page.getByText(text).first().waitFor(),
    /** Waits until the page has copied this, such as `the payload`, and returns the text. */
    async copied(what: string) {
      await page.locator('[aria-live=polite]').getByText(`Copied ${what}`).waitFor()
      return page.evaluate(() => navigator.clipboard.readText())
    },
  }
}

/** The menu of the only endpoint in the list, or of the one on the page. */
export const ENDPOINT_MENU = /^Actions of endpoint/

/** Stops the clock of a page with `pageClock`. Its timers then run only with `page.clock.runFor`. */
export async function stopClock(page: Page): Promise<void> {
  // Ahead of the page, whose clock goes on until then.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
}

/** Opens or closes a section of the open delivery, such as `Headers`. */
export const toggleSection = (page: Page, name: string): Promise<void> =>
  page.locator('.section > summary', { hasText: name }).click()

/** Chooses a view of the palette, or does what it offers, and waits until it is closed. */
export async function chooseInPalette(page: Page, words: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'View, form' }).fill(words)
  await page.getByRole('listbox').getByRole('option', { name: option }).first().waitFor()
  await page.keyboard.press('Enter')
}

/** Returns what needs horizontal scrolling: boxes that overflow, and cells that are cut off at the start. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = [
      // A table with a column for each question scrolls sideways by itself.
      ...document.querySelectorAll(
        'html, .frame, main, main .scroll, main .pane, main .grid:not(.responses), main :not(.responses) > * > .grid-body',
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
        // A menu is over the page.
        const isMenu = child instanceof HTMLElement && child.popover !== null
        return box.width > 0 && box.left < own.left - 1 && !isMenu
      })
    })
    return [...wide, ...cut].map((box) => `${box.className}: ${box.textContent?.slice(0, 40)}`)
  })
