import { describe, expect, it } from 'vitest'
import { chooseSetting, consoleTests, eventually, hasChromium } from './console-kit.ts'

describe.skipIf(!hasChromium)('one look in all of the console', () => {
  const { start } = consoleTests()

  it('names itself with one logo, in the navigation, the token prompt and the tab', async () => {
    const { page, url } = await start()
    const logo = page.locator('img[src="console/icon.svg"]')
    expect(await page.locator('nav').getByRole('link', { name: 'Formwire' }).locator(logo).isVisible()).toBe(
      true,
    )
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('console/icon.svg')
    await chooseSetting(page, 'Sign out')
    await page.getByLabel('Admin token').waitFor()
    expect(await page.locator('.prompt').locator(logo).isVisible()).toBe(true)
    const logos = await Promise.all(
      ['/_app/console/icon.svg', '/f/assets/icon.svg'].map(async (path) => (await fetch(url + path)).text()),
    )
    expect(logos[0]).toBe(logos[1])
  })

  it('has controls of two heights, 28 and 34 pixels', async () => {
    const { page, goTo } = await start({ server: { seed: 'demo' } })
    const heights = new Set<number>()
    const add = async () => {
      const all = await page
        .locator('main :is(.button, select, input:not([type=checkbox])), dialog :is(.button, select, input)')
        .evaluateAll((found) => found.map((control) => Math.round(control.getBoundingClientRect().height)))
      for (const height of all) if (height > 0) heights.add(height)
    }
    for (const view of ['/forms', '/endpoints', '/keys', '/people', '/server']) {
      await goTo(view)
      await page.locator('main h1').first().waitFor()
      await add()
    }
    await goTo('/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await add()
    expect([...heights].sort()).toEqual([28, 34])
  })

  it('moves nothing for people who prefer reduced motion, and nothing for longer than 160 ms for others', async () => {
    const { page, goTo } = await start({ server: { seed: 'demo' }, path: '/keys' })
    await page.getByRole('button', { name: 'Create a key' }).click()
    const longest = () =>
      page.evaluate(() =>
        Math.max(
          ...[...document.querySelectorAll('*')].flatMap((element) => {
            const { transitionDuration, animationDuration } = getComputedStyle(element)
            return `${transitionDuration}, ${animationDuration}`
              .split(', ')
              .map((text) => Number.parseFloat(text))
          }),
        ),
      )
    expect(await longest()).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await longest()).toBeGreaterThan(0)
    expect(await longest()).toBeLessThanOrEqual(0.16)
    await goTo('/deliveries')
    expect(await longest()).toBeLessThanOrEqual(0.16)
  })

  it('starts adding an endpoint with its URL', async () => {
    const { page } = await start({
      path: '/endpoints',
      async prepare({ app }) {
        app.forms.publish(app.forms.create({ title: 'Feedback' }).id)
      },
    })
    await page.getByRole('button', { name: 'Add an endpoint' }).first().click()
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('url')
  })

  it('shows no notice of success when the receiver is made to fail, since every view has a note', async () => {
    const { page } = await start({ server: { seed: 'demo' }, path: '/server' })
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.locator('.note').getByText('respond with 500').first().waitFor()
    expect(await page.locator('.notice').count()).toBe(0)
  })

  it('has the theme and signing out two presses away on a phone, and shows that the views go on', async () => {
    const { page } = await start({ width: 390, height: 844 })
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    const { x = 0, width = 0 } = (await page.getByRole('button', { name: 'Settings' }).boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(390)
    await chooseSetting(page, 'Dark theme')
    await eventually(theme).toBe('dark')
    expect(await page.locator('nav ul').evaluate((list) => getComputedStyle(list).maskImage)).toContain(
      'gradient',
    )
    // The present view is not below the fade.
    await page.getByRole('link', { name: 'Server' }).click()
    const [list, link] = await Promise.all([
      page.locator('nav ul').boundingBox(),
      page.locator('nav [aria-current=page]').boundingBox(),
    ])
    expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThanOrEqual((list?.x ?? 0) + (list?.width ?? 0) - 20)
  })

  it('keeps tabs and what is below them in place', async () => {
    const { page, goTo } = await start({ server: { seed: 'demo' } })
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y
    const seen = new Set<number | undefined>()
    for (const part of ['responses', 'summary', 'table', 'drafts', 'endpoints']) {
      await goTo(`/forms/guestvoice01/${part}`)
      await page.locator('.tabs [aria-current=page]').waitFor()
      seen.add(await top('.tabs'))
    }
    expect(seen.size).toBe(1)
  })

  it('has its empty states in the middle', async () => {
    const { page } = await start({ server: { seed: 'empty' }, path: '/forms' })
    const [main, empty] = await Promise.all([
      page.locator('main').boundingBox(),
      page.locator('.empty h2').boundingBox(),
    ])
    const middle = (box: typeof main) => (box?.x ?? 0) + (box?.width ?? 0) / 2
    expect(Math.abs(middle(main) - middle(empty))).toBeLessThan(2)
  })
})
