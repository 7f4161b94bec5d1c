import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { createReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'
import { axeViolations, COLOUR_RULES } from './axe.ts'
import { browserTests } from './browser-kit.ts'

export type OpenedForm = Awaited<ReturnType<ReturnType<typeof formTests>>>

interface OpenOptions extends BrowserContextOptions {
  readonly title?: string
  readonly query?: string
  /** Limits of a server of its own. */
  readonly limits?: ReferenceServerOptions['limits'] & object
  /** Fields of the form, such as its language. */
  readonly form?: object
}

/**
 * Registers the hooks of a block of tests of the public form, which share a browser and a server, and returns a function that opens a
 * published form. Call it in `describe`.
 */
export function formTests() {
  const { tab, after } = browserTests()
  const start = (limits = {}) =>
    createReferenceServer({ clock: 'manual', now: '2026-11-21T12:00:00Z', limits })
  const shared = start()
  let listening: Promise<{ url: string }> | undefined
  afterAll(() => shared.close())
  return async (
    questions: readonly object[],
    { title = 'Your stay', query = '', limits, form: fields, ...browser }: OpenOptions = {},
  ) => {
    const server = limits ? start(limits) : shared
    after(() => (limits ? server.close() : server.app.reset()))
    if (!limits) listening ??= server.listen({ port: 0 })
    const { url: root } = await (limits
      ? server.listen({ port: 0 })
      : (listening as typeof listening & object))
    const { forms, responses } = server.app
    const { id: formId, slug } = forms.publish(forms.create({ title, questions, ...fields }).id)
    const open = await tab(Object.keys(browser).length > 0 ? browser : undefined)
    const { page } = open
    const url = `${root}/f/${slug}`
    await page.goto(url + query)
    const stored = (id: number) => JSON.parse(responses.get(formId, id).json)
    return {
      ...open,
      server,
      formId,
      url,
      /** Returns the question with this title. */
      question: (name: string) => page.locator('[data-question]').filter({ hasText: name }),
      /** Returns a response, as the API returns it. */
      stored,
      values: (id: number) => stored(id).answers.map(({ value }: { value: unknown }) => value),
      /** Returns the number of responses. */
      total: () => responses.list(formId).total,
      submit: () => page.getByRole('button', { name: 'Submit' }).click(),
      save: () => page.getByRole('button', { name: 'Save and finish later' }).click(),
      /** Waits until a page with this text has come, and its script has run. */
      shows: (text: string) => arrived(page, page.getByText(text)),
      /** Waits for the page that follows a submission. */
      thanks: () => arrived(page, page.getByRole('heading', { name: 'Thank you' })),
    }
  }
}

async function arrived(page: Page, what: Locator): Promise<void> {
  await what.waitFor()
  await page.waitForLoadState()
}

/** Fails on any violation that axe-core finds, of any impact, and on a contrast that is too low in the other colour scheme. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([])
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const [scheme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
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
