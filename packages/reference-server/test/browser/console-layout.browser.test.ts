import { describe, expect, it } from 'vitest'
import { type ConsoleOptions, consoleTests, cutOff, eventually, hasChromium } from './console-kit.ts'

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
    const foot = page.locator('.nav-foot')
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
      main.lastElementChild?.scrollIntoView({ block: 'end' })
      return Math.min(main.lastElementChild?.getBoundingClientRect().bottom ?? 0, innerHeight)
    })
    expect(end).toBeLessThanOrEqual(Math.ceil(box?.y ?? 0))
  })
})
