import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  axeFaults,
  type ConsoleOptions,
  consoleTests,
  cutOff,
  eventually,
  hasChromium,
} from './console-kit.ts'

describe.skipIf(!hasChromium)('the layout of the console', () => {
  const { start } = consoleTests()
  const demo = (options: ConsoleOptions) => start({ server: { seed: 'demo', limits: 'off' }, ...options })

  it('begins the log above 200 pixels on a desktop, below a strip of 56', async () => {
    const { page } = await demo({ width: 1440, height: 900 })
    const top = page.locator('.grid-body [role=row]').first()
    await page.getByRole('region', { name: 'Overview' }).waitFor()
    await eventually(async () => (await top.boundingBox())?.y).toBeLessThan(200)
    expect((await page.locator('header.heading').boundingBox())?.height).toBeLessThanOrEqual(56)
    // Views, search, filter and actions are on one line.
    const { height } = (await page.locator('.filters').boundingBox()) ?? {}
    expect(height).toBeLessThan(40)
  })

  it('begins the log above 200 pixels in a window of 1024 by 768, with what has no room in a menu', async () => {
    const { page } = await demo({ width: 1024, height: 768 })
    const top = page.locator('.grid-body [role=row]').first()
    await page.getByRole('region', { name: 'Overview' }).waitFor()
    await eventually(async () => (await top.boundingBox())?.y).toBeLessThan(200)
    expect(await page.getByRole('button', { name: /^Resend failed/ }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'More for the listed deliveries' }).click()
    await page.getByRole('menuitem', { name: 'Retry now (2)' }).click()
    await page.getByRole('dialog').getByText('Retry 2 pending deliveries now?').waitFor()
  })

  it('begins the log above 300 pixels on a phone, where six rows fit between the bars of its browser', async () => {
    const { page } = await demo({ width: 390, height: 664 })
    const rows = page.locator('.grid-body [role=row]')
    await page.getByRole('link', { name: '1 endpoint failing' }).waitFor()
    await eventually(async () => (await rows.first().boundingBox())?.y).toBeLessThan(300)
    const { y = 664, height = 0 } = (await rows.nth(5).boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(664)
    // The menu has what the buttons of a larger window do.
    await page.getByRole('button', { name: 'More for the listed deliveries' }).click()
    await page.getByRole('menuitem', { name: 'Resend failed (1 of 21)' }).click()
    await page.getByRole('dialog').getByText('Resend 1 failed delivery?').waitFor()
  })

  it('begins the endpoints and the attempts of all rows at the same place on a phone', async () => {
    const { page } = await demo({ width: 390, height: 844 })
    const rows = page.locator('.grid-body [role=row]')
    await rows.nth(8).waitFor()
    for (const part of ['.cell.endpoint bdi', '.pips'])
      expect(
        await rows.locator(part).evaluateAll((all) => {
          const lefts = all.map((one) => Math.round(one.getBoundingClientRect().left))
          return new Set(lefts).size
        }),
      ).toBe(1)
  })

  it.each(['/deliveries', '/endpoints', '/forms', '/requests', '/forms/guestvoice01'])(
    'fills a phone to its end with the list, without a band below: %s',
    async (path) => {
      const { page } = await demo({ width: 390, height: 844, path })
      await page.locator('.grid-body [role=row]').nth(2).waitFor()
      const end = () =>
        page.locator('.grid').evaluate((grid) => Math.round(grid.getBoundingClientRect().bottom))
      await eventually(end).toBeGreaterThanOrEqual(844)
    },
  )

  it('cuts off neither the view of the navigation, nor a tab, nor the hint of the clock on a phone', async () => {
    const { page, goTo } = await demo({ width: 390, height: 844, path: '/server' })
    const current = page.locator('nav [aria-current=page]')
    // The navigation fades at its end.
    const end = await page.locator('nav ul').evaluate((list) => list.getBoundingClientRect().right - 24)
    await eventually(async () => {
      const { x = 0, width = 0 } = (await current.boundingBox()) ?? {}
      return x + width
    }).toBeLessThanOrEqual(end + 1)
    await goTo('/forms/guestvoice01/endpoints')
    const tabs = page.locator('.tabs')
    await tabs.waitFor()
    expect(await tabs.evaluate((all) => all.scrollWidth - all.clientWidth)).toBe(0)
    const room = await page.getByLabel('Advance by').evaluate((input: HTMLInputElement) => {
      const { paddingLeft, paddingRight } = getComputedStyle(input)
      const { fontSize, fontFamily } = getComputedStyle(input, '::placeholder')
      const context = document.createElement('canvas').getContext('2d')
      if (!context) return 0
      context.font = `${fontSize} ${fontFamily}`
      const inner = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return inner - context.measureText(input.placeholder).width
    })
    expect(room).toBeGreaterThan(0)
  })

  it.each([
    ['/server', 'Download snapshot', 'Restore from a file…'],
    ['/forms/guestvoice01/summary', 'Export CSV', 'Export JSON'],
  ])('leaves the usual distance between buttons: %s', async (path, first, second) => {
    const { page } = await demo({ path })
    const box = (name: string) => page.getByRole('button', { name }).boundingBox()
    await page.getByRole('button', { name: second }).waitFor()
    const [left, right] = await Promise.all([box(first), box(second)])
    expect((right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0)).toBeCloseTo(8, 1)
  })

  it.each(['/deliveries', '/deliveries?result=5xx'])('fits five rows on a phone: %s', async (path) => {
    const { page } = await demo({ width: 390, height: 844, path })
    await page.getByRole('region', { name: 'Overview' }).waitFor()
    const fifth = page.locator('.grid-body [role=row]').nth(4)
    await eventually(async () => {
      const box = await fifth.boundingBox()
      return (box?.y ?? 844) + (box?.height ?? 0)
    }).toBeLessThan(844)
    // Only the visible ones are rendered.
    expect(await page.locator('.grid-body [role=row]').count()).toBeLessThan(40)
    expect(await cutOff(page)).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'has no axe finding in a window of 1024 by 768 pixels, %s',
    async (colorScheme) => {
      const { page, goTo, errors } = await demo({
        colorScheme,
        width: 1024,
        height: 768,
        path: '/deliveries?status=pending',
      })
      await page.locator('.grid-body [role=row]').first().click()
      await page.getByTestId('attempt-3').waitFor()
      expect(await axeFaults(page)).toEqual([])
      await goTo('/endpoints/1')
      await page.getByText('success rate', { exact: true }).waitFor()
      expect(await axeFaults(page)).toEqual([])
      expect(errors).toEqual([])
    },
  )

  it('tints the selected row and the chosen ones', async () => {
    const { page } = await demo({ path: '/deliveries?status=failed' })
    const rows = page.locator('.grid-body [role=row]')
    await rows.nth(2).waitFor()
    const tintOf = (index: number) => rows.nth(index).evaluate((row) => getComputedStyle(row).backgroundColor)
    await rows.nth(0).getByRole('checkbox').check()
    await rows.nth(2).click()
    await page.locator('.pane').waitFor()
    const soft = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.background = 'var(--accent-soft)'
      const { backgroundColor } = getComputedStyle(probe)
      probe.remove()
      return backgroundColor
    })
    await eventually(() => Promise.all([tintOf(0), tintOf(2)])).toEqual([soft, soft])
    expect(await tintOf(1)).not.toBe(soft)
  })

  it('gives each card of a summary the height of its content', async () => {
    const { page } = await demo({ path: '/forms/guestvoice01/summary' })
    await page.getByText('net promoter score', { exact: true }).waitFor()
    const unused = await page.locator('.form-summary .cards > .card').evaluateAll((all) =>
      all.map((card) => {
        const { paddingBottom, borderBottomWidth } = getComputedStyle(card)
        const content = card.lastElementChild?.getBoundingClientRect().bottom ?? 0
        const end = card.getBoundingClientRect().bottom
        return end - content - Number.parseFloat(paddingBottom) - Number.parseFloat(borderBottomWidth)
      }),
    )
    expect(unused.length).toBeGreaterThan(3)
    expect(Math.max(...unused)).toBeLessThan(2)
  })

  it('sets and removes filters by keyboard, on a phone too', async () => {
    const { page } = await demo({ width: 390, height: 844, path: '/deliveries?status=failed' })
    const button = page.getByRole('button', { name: 'Filter', exact: true })
    await button.press('ArrowDown')
    // The first letter of Endpoint, then its third option.
    await page.keyboard.press('e')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'Any', checked: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const chip = page.getByRole('button', { name: 'Remove the filter Endpoint: #4 crm.example.com' })
    await chip.waitFor()
    expect(page.url()).toContain('status=failed&webhook=4')
    await chip.press('Enter')
    await chip.waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/\?status=failed$/)
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  it('keeps the focused row clear of the bar of the selected ones', async () => {
    const { page } = await demo({ width: 1440, height: 900 })
    const rows = page.locator('.grid-body [role=row]')
    const focused = page.locator('.grid-body [role=row]:focus')
    await rows.first().focus()
    // The last row that is visible.
    for (let at = 0; at < 30; at += 1) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    const isClear = async () => {
      const row = await focused.boundingBox()
      const bar = await page.getByRole('toolbar', { name: 'Selected deliveries' }).boundingBox()
      return (row?.y ?? 900) + (row?.height ?? 0) <= (bar?.y ?? 0)
    }
    await eventually(isClear).toBe(true)
    for (let at = 0; at < 5; at += 1) await page.keyboard.press('ArrowDown')
    await eventually(isClear).toBe(true)
  })

  it('shows the whole URL of an endpoint as its heading on a phone', async () => {
    const { page } = await demo({ width: 390, height: 844, path: '/endpoints?q=4000' })
    await page.locator('.grid-body [role=row]').first().click()
    const heading = page.getByRole('heading', { name: 'http://127.0.0.1:4000/webhooks/formwire' })
    await heading.waitFor()
    const isWhole = await heading.locator('.line').evaluate((line) => {
      const range = document.createRange()
      range.selectNodeContents(line)
      const box = line.getBoundingClientRect()
      return [...range.getClientRects()].every(
        ({ right, bottom }) => right <= box.right + 1 && bottom <= box.bottom + 1,
      )
    })
    expect(isWhole).toBe(true)
  })

  it('draws a full bar for all answers, so that a bar of a summary has the length of its share', async () => {
    const { page } = await demo({ path: '/forms/guestvoice01/summary' })
    await page.getByText('net promoter score', { exact: true }).waitFor()
    const bars = await page.locator('.bars:not(.dense) li').evaluateAll((all) =>
      all.map((bar) => {
        const width = (name: string) => bar.querySelector(name)?.getBoundingClientRect().width ?? 0
        const share = Number(/([\d.]+)%/.exec(bar.textContent ?? '')?.[1])
        return { share, drawn: (width('.bar-fill') / width('.bar-track')) * 100 }
      }),
    )
    expect(bars.length).toBeGreaterThan(5)
    for (const { share, drawn } of bars) expect(Math.abs(share - drawn)).toBeLessThan(0.2)
  })

  it.each([
    ['a phone', 390, 844],
    ['a phone on its side', 844, 390],
    ['a desktop', 1440, 900],
  ])('shows a notice on %s at once, and covers nothing with it', async (_, width, height) => {
    const { page } = await start({
      width,
      height,
      path: '/endpoints/1',
      async prepare({ app }) {
        const { id } = app.forms.publish(app.forms.create({ title: 'Survey' }).id)
        await app.webhooks.create(id, { url: 'http://127.0.0.1:9/' })
      },
    })
    const foot = page.locator('nav .settings')
    const footBefore = await foot.boundingBox()
    await page.getByRole('button', { name: 'Test event' }).click()
    const notice = page.locator('.notice.error')
    await notice.waitFor()
    const box = await notice.boundingBox()
    expect(box?.y).toBeGreaterThan(0)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
    // The navigation of a window stays in place.
    if (width === 1440) expect(await foot.boundingBox()).toEqual(footBefore)
    const covered = await page
      .locator('main :is(a, button, input, h1, h2), .clock-bar button, nav a')
      .evaluateAll((all) =>
        all
          .filter((element) => {
            element.scrollIntoView({ block: 'center', inline: 'center' })
            const { x, y, width: wide, height: high } = element.getBoundingClientRect()
            const top = document.elementFromPoint(x + wide / 2, y + high / 2)
            return wide > 1 && !element.contains(top)
          })
          .map((element) => element.textContent),
      )
    expect(covered).toEqual([])
    // The last of the view can be scrolled to.
    const end = await page.locator('main').evaluate((main) => {
      const last = [...main.querySelectorAll('*')].filter(
        (element) => element.children.length === 0 && element.getBoundingClientRect().height > 1,
      )
      last.at(-1)?.scrollIntoView({ block: 'end' })
      return Math.min(last.at(-1)?.getBoundingClientRect().bottom ?? 0, innerHeight)
    })
    expect(end).toBeLessThanOrEqual(Math.ceil(box?.y ?? 0))
  })

  describe('an open item', () => {
    /** Place and size of each rendered row, by its number. */
    const places = (page: Page): Promise<Record<string, readonly number[]>> =>
      page.locator('.grid-body [role=row]').evaluateAll((all) =>
        Object.fromEntries(
          all.map((row) => {
            const { x, y, width, height } = row.getBoundingClientRect()
            return [row.ariaRowIndex, [x, y, width, height]]
          }),
        ),
      )
    const rows = (page: Page) => page.locator('.grid-body [role=row]')
    const opened = (page: Page) => page.locator('.pane .facts').waitFor()

    it.each([
      [1440, 900],
      [1024, 768],
    ])(
      'lies over the right columns of the table at %d × %d: no row moves by a pixel',
      async (width, height) => {
        const { page } = await demo({ width, height })
        await rows(page).nth(8).waitFor()
        const before = await places(page)
        await rows(page)
          .nth(2)
          .click({ position: { x: 200, y: 8 } })
        await opened(page)
        expect(await places(page)).toEqual(before)
        // One at the lower edge of the table, of which some pixels are visible.
        const bottom = await page.locator('.grid').evaluate((grid) => {
          grid.scrollTop += 13
          return grid.getBoundingClientRect().bottom
        })
        await eventually(() => places(page)).not.toEqual(before)
        // The rows that come into view are rendered after the scrolling.
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        )
        const scrolled = await places(page)
        const edge = Object.values(scrolled).find(([, y = 0, , rowHeight = 0]) => y + rowHeight > bottom)
        expect(edge?.[1]).toBeLessThan(bottom)
        await page.mouse.click((edge?.[0] ?? 0) + 200, bottom - 3)
        await eventually(() =>
          page.locator('[aria-selected=true]').evaluate((row) => row.getBoundingClientRect().y),
        ).toBe(edge?.[1])
        await opened(page)
        expect(await places(page)).toEqual(scrolled)
        const [drawer, table] = await Promise.all(
          ['.drawer', '.grid'].map((name) => page.locator(name).boundingBox()),
        )
        expect(drawer?.x).toBeGreaterThan((table?.x ?? 0) + 160)
        expect((drawer?.x ?? 0) + (drawer?.width ?? 0)).toBe((table?.x ?? 0) + (table?.width ?? 0))
      },
    )

    it('is resized with keys and with a pointer, within limits, and keeps its width', async () => {
      const { page, goTo } = await demo({ width: 1440, height: 900 })
      await rows(page).nth(8).waitFor()
      const before = await places(page)
      await rows(page)
        .nth(2)
        .click({ position: { x: 200, y: 8 } })
      await opened(page)
      const edge = page.getByRole('separator', { name: 'Width of the open item' })
      const left = async () => Math.round((await page.locator('.drawer').boundingBox())?.x ?? 0)
      const all = (await page.locator('.split').boundingBox())?.width ?? 0
      /** Left edge of an item with this share of the view. */
      const at = (percent: number) => Math.round(1440 - (all * percent) / 100)
      expect(await left()).toBe(at(48))
      await edge.focus()
      for (const [key, percent] of [
        ['ArrowLeft', 52],
        ['ArrowLeft', 56],
        ['ArrowRight', 52],
        ['Home', 30],
        ['ArrowRight', 30],
        ['End', 80],
        ['ArrowLeft', 80],
      ] as const) {
        await page.keyboard.press(key)
        await eventually(left).toBe(at(percent))
        expect(await edge.getAttribute('aria-valuenow')).toBe(String(percent))
      }
      expect(await places(page)).toEqual(before)
      await page.mouse.move(at(80), 500)
      await page.mouse.down()
      await page.mouse.move(900, 500, { steps: 3 })
      await page.mouse.up()
      await eventually(left).toBe(900)
      await page.mouse.move(1000, 500)
      await page.reload()
      await opened(page)
      expect(await left()).toBe(900)
      await goTo('/requests')
      await rows(page)
        .nth(2)
        .click({ position: { x: 200, y: 8 } })
      await page.locator('.pane').waitFor()
      expect(await left()).toBe(900)
      await edge.dblclick()
      await eventually(left).toBe(at(48))
      expect(await page.evaluate(() => localStorage.length)).toBe(0)
    })

    it('fills a phone, with nothing reachable behind it, and leaves the rows where they were', async () => {
      const { page } = await demo({ width: 390, height: 844 })
      const row = rows(page).nth(2)
      await row.scrollIntoViewIfNeeded()
      const before = await places(page)
      await row.click({ position: { x: 100, y: 8 } })
      await opened(page)
      expect(await page.locator('.drawer').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
      for (let count = 0; count < 12; count++) {
        await page.keyboard.press('Tab')
        expect(await page.evaluate(() => document.activeElement?.closest('.pane, body')?.className)).toBe(
          'pane',
        )
      }
      await page.getByRole('link', { name: 'Close the delivery' }).click()
      await page.locator('.pane').waitFor({ state: 'detached' })
      expect(await places(page)).toEqual(before)
    })
  })
})
