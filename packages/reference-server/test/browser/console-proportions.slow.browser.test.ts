// biome-ignore-all lint/performance/useDomNodeTextContent: the visible text.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type ConsoleOptions, consoleTests, eventually, hasChromium } from './console-kit.ts'
import { demo as demoOptions } from './console-scene.ts'

describe.skipIf(!hasChromium)('proportions of the console', () => {
  const { start } = consoleTests()
  const demo = (options: ConsoleOptions) => start({ server: demoOptions(), ...options })
  const rows = (page: Page) => page.locator(':is(.grid-body, tbody) :is([role=row], tr)')

  const TABLES = [
    '/deliveries',
    '/endpoints',
    '/endpoints/5',
    '/forms',
    '/forms/guestvoice01',
    '/forms/retreatform1/table',
    '/requests',
    '/keys',
    '/people',
  ]

  it.each(TABLES)('has at most two type sizes in each column of a table: %s', async (path) => {
    const { page } = await demo({ path })
    await rows(page).nth(1).waitFor()
    const sizes = await page.locator('.grid-body [role=row], tbody tr').evaluateAll((all) => {
      const ofColumn = new Map<number, Set<string>>()
      for (const row of all) {
        for (const [column, cell] of [...row.children].entries()) {
          const found = ofColumn.get(column) ?? new Set()
          const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
          while (texts.nextNode()) {
            const parent = texts.currentNode.parentElement
            const isShown = parent?.checkVisibility() === true && !parent.closest('.off-screen')
            if (isShown && texts.currentNode.nodeValue?.trim()) found.add(getComputedStyle(parent).fontSize)
          }
          ofColumn.set(column, found)
        }
      }
      return [...ofColumn.values()].map((found) => [...found])
    })
    expect(sizes.flat().length).toBeGreaterThan(1)
    for (const column of sizes) expect(column.length, column.join()).toBeLessThanOrEqual(2)
  })

  it.each([
    ['/forms', '.cell:is(.count, .hooks)', 2],
    ['/forms/guestvoice01', '.cell:is(.elapsed, .score)', 1],
    ['/forms/retreatform1/table', 'td.number', 1],
  ])(
    'has narrow columns of numbers, with the numbers in line at their ends: %s',
    async (path, cells, least) => {
      const { page } = await demo({ path })
      await rows(page).nth(1).waitFor()
      const columns = await page.locator('.grid-body [role=row], tbody tr').evaluateAll(
        (all, selector) =>
          all.flatMap((row) =>
            [...row.querySelectorAll(selector)].map((cell) => {
              const range = document.createRange()
              // The number, which a limit may follow.
              range.selectNodeContents(
                document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode() ?? cell,
              )
              const { left, width } = cell.getBoundingClientRect()
              return { left, width, end: Math.round(range.getBoundingClientRect().right) }
            }),
          ),
        cells,
      )
      const lefts = [...new Set(columns.map(({ left }) => left))]
      expect(lefts.length).toBeGreaterThanOrEqual(least)
      for (const place of lefts) {
        const column = columns.filter(({ left }) => left === place)
        expect(Math.max(...column.map(({ width }) => width))).toBeLessThanOrEqual(112)
        // An empty cell has no number.
        expect(new Set(column.filter(({ end }) => end > 0).map(({ end }) => end)).size).toBe(1)
      }
    },
  )

  it('shows name, prefix, access and command of each key on a phone', async () => {
    const { page } = await demo({ width: 390, height: 844, path: '/keys' })
    await rows(page).nth(3).waitFor()
    const keys = await page.locator('tbody tr').evaluateAll((all) =>
      all.map((row) => ({
        height: row.getBoundingClientRect().height,
        text: (row as HTMLElement).innerText,
        cut: [...row.querySelectorAll('.badge, .line, button, td')].filter((part) => {
          const { left, right, width } = part.getBoundingClientRect()
          return width > 0 && (left < 0 || right > innerWidth || part.scrollWidth > part.clientWidth + 1)
        }).length,
      })),
    )
    expect(keys).toHaveLength(5)
    for (const { height, text, cut } of keys) {
      expect(text).toMatch(/^(?:active|revoked)\s[\w ]+\s+svc_\w{6}…\s+(?:read|write)/)
      expect(height).toBeLessThan(56)
      expect(cut).toBe(0)
    }
    expect(keys.filter(({ text }) => text.endsWith('Revoke'))).toHaveLength(4)
  })

  it.each([
    [1440, 900],
    [390, 844],
  ])(
    'has Clear selection first in a bar over the end of the log, which moves nothing: %d × %d',
    async (width, height) => {
      const { page } = await demo({ width, height })
      await rows(page).nth(4).waitFor()
      const boxes = () =>
        page
          .locator('main h1, .filters .switch, .grid-body [role=row]')
          .evaluateAll((all) => all.slice(0, 6).map((one) => one.getBoundingClientRect().y))
      const before = await boxes()
      for (const index of [0, 1, 2, 3]) await rows(page).nth(index).getByRole('checkbox').click()
      const bar = page.getByRole('toolbar', { name: 'Selected deliveries' })
      await eventually(() => bar.getByRole('button').first().textContent()).toBe('Clear selection of 4')
      expect(await boxes()).toEqual(before)
      expect(await page.locator('main .heading, .filters').getByText('Clear selection').count()).toBe(0)
      const [grid, box] = await Promise.all([page.locator('.grid').boundingBox(), bar.boundingBox()])
      const end = (grid?.y ?? 0) + (grid?.height ?? 0)
      expect(end - (box?.y ?? 0) - (box?.height ?? 0)).toBeLessThan(16)
      expect(box?.y).toBeGreaterThan(height / 2)
    },
  )

  it('has one message for a server that cannot be reached, also after a call that fails', async () => {
    const { page, context, goTo } = await demo({ path: '/endpoints' })
    await rows(page).first().waitFor()
    await context.setOffline(true)
    const messages = () =>
      page.locator(':is(.frame, .notices)').getByText('Can’t reach the server').filter({ visible: true })
    await page.getByRole('button', { name: '+1 min' }).click()
    await eventually(() => messages().count()).toBe(1)
    await page.getByText('Showing stale data').waitFor()
    await page.getByRole('button', { name: '+5 min' }).click()
    // Said, but not shown once more.
    const said = page.locator('[aria-live=polite]').getByText('Can’t reach the server')
    await said.waitFor({ state: 'attached' })
    expect(await messages().count()).toBe(1)
    await goTo('/forms')
    await page.getByRole('heading', { name: 'Forms' }).waitFor()
    await page.getByText('Showing stale data').waitFor()
    expect(await page.locator('.notice').count()).toBe(0)
    expect(await page.locator(':is(.note, .notice, .field-error, .failed):visible').count()).toBe(1)
    await context.setOffline(false)
    await page.getByText('Showing stale data').waitFor({ state: 'detached' })
  })
})
