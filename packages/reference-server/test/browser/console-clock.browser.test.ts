import { describe, expect, it } from 'vitest'
import { PATIENT, TEST_TIMEOUT_MS } from '../../../../test/support/patience.ts'
import { eventually, textOf } from './browser-kit.ts'
import { consoleTests } from './console-kit.ts'

describe('the clock of the console', () => {
  const { start, scene } = consoleTests()

  it('says what an advance has done, and lists these deliveries with one click', async () => {
    const { page, rows, server, goTo, choose, shows } = await scene([500, 500, 500, 200, 500], {
      async prepare({ submit, server }) {
        for (const text of ['one', 'two', 'three']) {
          await submit(text)
          await server.clock.advance('19s')
        }
      },
    })
    const outlook = page.getByTestId('outlook')
    await eventually(() => textOf(page.getByTestId('clock'))).toBe('21 Nov 2026\n12:00:57 UTC')
    await choose('Advance', 'Other…')
    await page.getByLabel('Advance by').fill('25')
    await page.keyboard.press('Enter')
    await shows('Enter a number with a unit, such as 90s, 5m or 3d.')
    await page.getByLabel('Advance by').fill('25s')
    await page.keyboard.press('Enter')
    await eventually(() => textOf(outlook)).toBe('+25 s: 2 attempts, 1 delivered, 1 failed · view')
    await page.getByRole('link', { name: 'view' }).click()
    await eventually(() => rows.count()).toBe(2)
    await page.getByRole('button', { name: 'Remove the filter Only: 2 deliveries' }).waitFor()
    const ids = new URLSearchParams(page.url().split('?')[1]).get('ids')?.split(',') ?? []
    const states = ids.map((id) => server.app.deliveries.get(id).status)
    expect(states.sort()).toEqual(['delivered', 'pending'])
    await page.reload()
    await eventually(() => rows.count()).toBe(2)
    await goTo('/deliveries')
    await eventually(() => rows.count()).toBe(3)
    expect(await textOf(outlook)).toBe('2 attempts ahead, next at 12:01:38')
  })

  it('[DLV-05] shows an attempt in flight, and how far the advance is that waits for its receiver', async () => {
    const { page, rows, submit, choose, shows, receiver } = await scene([500, 'timeout'], {
      server: { deliveryTimeoutMs: TEST_TIMEOUT_MS },
    })
    await submit('hello')
    await shows('in 1 min')
    await choose('Advance', '+2 h')
    await receiver.waitFor(2, PATIENT)
    await rows.first().getByText('in flight').waitFor()
    const bar = page.getByRole('progressbar', { name: 'Advancing the clock' })
    // One minute of two hours.
    await eventually(() => bar.evaluate((element: HTMLProgressElement) => element.value)).toBeCloseTo(
      1 / 120,
      3,
    )
    await shows('Advancing to 14:00:00, 1 attempt in flight')
    // Ends the attempt.
    await receiver.close()
    await eventually(() => textOf(page.getByTestId('clock'))).toBe('21 Nov 2026\n14:00:00 UTC')
    await bar.waitFor({ state: 'detached' })
  })

  it('cannot be advanced if it is real', async () => {
    const { page, button } = await start({ server: { clock: 'real', now: undefined } })
    const clock = page.getByTestId('clock')
    await clock.getByText(/\d\d:\d\d:\d\d UTC$/).waitFor()
    expect(await button('Advance').count()).toBe(0)
    await page.getByTitle('start the server with --clock manual').waitFor()
  })

  it.each([1440, 390])(
    'moves nothing in a window of %i pixels when it arrives with the log',
    async (width) => {
      const { page, rows } = await scene(Array(6).fill(500), {
        browser: { viewport: { width, height: 844 } },
        async prepare({ submit, server }) {
          await submit('one')
          await server.clock.advance('1d')
        },
      })
      await page.addInitScript(() => {
        Object.assign(globalThis, { shift: 0 })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) Object(globalThis).shift += Object(entry).value
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.reload()
      await rows.first().waitFor()
      await page.getByTestId('outlook').waitFor()
      await page.getByRole('button', { name: 'Replay failed' }).waitFor()
      // The entries of a frame come after it.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
      expect(await page.evaluate(() => Object(globalThis).shift)).toBeLessThanOrEqual(0.02)
    },
  )

  it('shows the local time beside UTC', async () => {
    const { page, submit, openFirst } = await scene([500], { browser: { timezoneId: 'Asia/Tokyo' } })
    await submit('hello')
    await page.locator('.clock').getByText('21:00:00 local').waitFor()
    await openFirst()
    await page.locator('.timeline').getByText('21:01:00 local').waitFor()
    const created = page.locator('.grid-body .when time').first()
    expect(await created.getAttribute('title')).toBe('21 Nov 2026, 12:00:00 UTC (21:00:00 local time)')
  })
})
