import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type ConsoleOptions, consoleTests, hasChromium } from './console-kit.ts'

/** How many elements are on each line, from the top. */
const lines = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => {
    const tops = all.map((element) => Math.round(element.getBoundingClientRect().top))
    return [...new Set(tops)].map((top) => tops.filter((one) => one === top).length)
  })

describe.skipIf(!hasChromium)('the layout of the console', () => {
  const { start } = consoleTests()
  const demo = (options: ConsoleOptions) => start({ server: { seed: 'demo', limits: 'off' }, ...options })

  it.each([
    [1440, [6]],
    [1280, [6]],
    [1216, [6]],
    [1100, [6]],
    [820, [3, 3]],
  ])('puts the filters of the log on even lines at a width of %d', async (width, expected) => {
    const { page } = await demo({ width, height: 900 })
    await page.locator('.grid-body [role=row]').first().waitFor()
    expect(await lines(page, '.filters select')).toEqual(expected)
    // The number of matches shares a line with the search.
    const [search, tally] = await Promise.all(
      ['.search', '.tally'].map((name) => page.locator(`.filters ${name}`).boundingBox()),
    )
    const middle = (box: typeof search) => (box?.y ?? 0) + (box?.height ?? 0) / 2
    expect(Math.abs(middle(search ?? null) - middle(tally ?? null))).toBeLessThan(2)
    // A filter is wide enough for its name.
    const cut = await page.locator('.filters select').evaluateAll((all) =>
      all
        .filter((select) => {
          const style = getComputedStyle(select)
          const context = document.createElement('canvas').getContext('2d')
          if (!context) return true
          context.font = style.font
          const text = (select as HTMLSelectElement).selectedOptions[0]?.text ?? ''
          return (
            context.measureText(text).width + Number.parseFloat(style.paddingLeft) * 2 > select.clientWidth
          )
        })
        .map((select) => select.getAttribute('aria-label')),
    )
    expect(cut).toEqual([])
  })

  it('shows the filters of the log on a phone when they are asked for', async () => {
    const { page } = await demo({ width: 390, height: 844, path: '/deliveries?status=failed' })
    await page.locator('.grid-body [role=row]').first().waitFor()
    const toggle = page.getByRole('button', { name: 'Filters (1)' })
    expect(await page.getByLabel('Status').isVisible()).toBe(false)
    await toggle.click()
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    expect(await lines(page, '.filters select')).toEqual([2, 2, 2])
    await page.getByLabel('Status').selectOption('')
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    expect(await page.getByLabel('Status').isVisible()).toBe(false)
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

  it.each([820, 390])(
    'has the preview of the builder below the questions at a width of %d',
    async (width) => {
      const { page } = await demo({ width, height: 900, path: '/forms/retreatform1/edit' })
      await page.frameLocator('iframe').locator('h1').waitFor()
      // All at one time: what the server says of the questions may come in between.
      const [fields, lastCard, preview] = await page.evaluate(() =>
        ['.editor-fields', '.question-card:last-of-type', '.preview'].map((selector) =>
          [...document.querySelectorAll(selector)].at(-1)?.getBoundingClientRect(),
        ),
      )
      expect(preview?.top).toBeGreaterThan(lastCard?.bottom ?? Number.NaN)
      expect(preview?.top).toBeGreaterThanOrEqual(fields?.bottom ?? Number.NaN)
    },
  )

  it('draws a full bar for all answers, so that a bar of a summary has the length of its share', async () => {
    const { page } = await demo({ path: '/forms/guestvoice01/summary' })
    await page.getByText('net promoter score').waitFor()
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

  it('names the colours of the chart beside the figures', async () => {
    const { page } = await demo({})
    const overview = page.getByRole('region', { name: 'Overview' })
    await overview.locator('.chart .delivered').first().waitFor()
    for (const status of ['delivered', 'failed']) {
      const inChart = await overview
        .locator(`.chart .${status}`)
        .first()
        .evaluate((bar) => getComputedStyle(bar).fill)
      const inLegend = await overview
        .locator(`.metric-label .${status}`)
        .evaluate((mark) => getComputedStyle(mark).backgroundColor)
      expect(inLegend).toBe(inChart)
    }
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
})
