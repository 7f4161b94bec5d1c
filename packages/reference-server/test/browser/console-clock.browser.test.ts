import type { Page } from 'playwright-core'
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
    await shows('Only 2 deliveries')
    const ids = new URLSearchParams(page.url().split('?')[1]).get('ids')?.split(',') ?? []
    const states = ids.map((id) => server.app.deliveries.get(id).status)
    expect(states.sort()).toEqual(['delivered', 'pending'])
    await page.reload()
    await eventually(() => rows.count()).toBe(2)
    await goTo('/deliveries')
    await eventually(() => rows.count()).toBe(3)
    expect(await textOf(outlook)).toBe('2 attempts ahead, next at 12:01:38')
  })

  it('[DLV-05] shows an attempt in flight, for which an advance waits', async () => {
    const { page, rows, submit, choose, shows, receiver } = await scene([500, 'timeout'], {
      server: { deliveryTimeoutMs: TEST_TIMEOUT_MS },
    })
    await submit('hello')
    await shows('in 1 min')
    await choose('Advance', '+2 h')
    await receiver.waitFor(2, PATIENT)
    await rows.first().getByText('in flight').waitFor()
    await shows('Advancing…')
    // Ends the attempt.
    await receiver.close()
    await eventually(() => textOf(page.getByTestId('clock'))).toBe('21 Nov 2026\n14:00:00 UTC')
    // Each of them, though one delivery had them all.
    await eventually(() => textOf(page.getByTestId('outlook'))).toBe('+2 h: 3 attempts, 3 failed · view')
  })

  it('cannot be advanced if it is real', async () => {
    const { page, button } = await start({ server: { clock: 'real', now: undefined } })
    const clock = page.getByTestId('clock')
    await clock.getByText(/\d\d:\d\d:\d\d UTC$/).waitFor()
    expect(await button('Advance').count()).toBe(0)
    await page.getByTitle('start the server with --clock manual').waitFor()
  })

  /** Returns by how much what is shown moves while the page of a server loads, until `loaded`. */
  const shiftOf = async (page: Page, loaded: () => Promise<unknown>): Promise<number> => {
    await page.addInitScript(() => {
      Object.assign(globalThis, { shift: 0 })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) Object(globalThis).shift += Object(entry).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.reload()
    await loaded()
    await page.getByTestId('outlook').waitFor()
    // The entries of a frame come after it.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
    return await page.evaluate(() => Object(globalThis).shift)
  }

  it.each([1440, 390])(
    'moves nothing in a window of %i pixels when it arrives with the log, or with the first steps',
    async (width) => {
      const browser = { viewport: { width, height: 844 } }
      const empty = await start({ browser })
      const steps = empty.page.getByRole('region', { name: 'Your first signed delivery' })
      expect(await shiftOf(empty.page, () => steps.waitFor())).toBeLessThanOrEqual(0.02)
      const { page, rows } = await scene(Array(6).fill(500), {
        browser,
        async prepare({ submit, server }) {
          await submit('one')
          await server.clock.advance('1d')
        },
      })
      const loaded = async () => {
        await rows.first().waitFor()
        await page.getByRole('button', { name: 'Replay failed' }).waitFor()
      }
      expect(await shiftOf(page, loaded)).toBeLessThanOrEqual(0.02)
    },
  )
})
