// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import { describe, expect, it } from 'vitest'
import { type ConsoleOptions, consoleTests, eventually } from './console-kit.ts'

describe('the clock of the console', () => {
  const { start, receiver: startReceiver } = consoleTests()

  /** A console with three deliveries whose first attempt has failed. The second attempt of each is due in a minute, two minutes and three minutes. */
  async function scene(script: readonly unknown[] = ['500', '500', '500'], options: ConsoleOptions = {}) {
    const receiver = await startReceiver(...script)
    const open = await start({
      ...options,
      async prepare({ app, clock }) {
        const { id } = app.forms.create({ title: 'Lunch', questions: [] })
        app.forms.publish(id)
        await app.webhooks.create(id, { url: receiver.url })
        for (let at = 0; at < 3; at += 1) {
          app.responses.create(id, { answers: [], deliver: true })
          await clock.advance(at < 2 ? '19s' : 0)
        }
      },
    })
    const { page } = open
    const time = page.getByTestId('clock')
    await eventually(() => time.innerText()).toBe('21 Nov 2026 12:00:38 UTC')
    return {
      ...open,
      receiver,
      outlook: () => page.getByTestId('outlook').innerText(),
      rows: page.locator('.grid-body [role=row]'),
    }
  }

  it('says what an advance has done, and lists these deliveries with one click', async () => {
    const { page, outlook, rows, server, goTo } = await scene(['500', '500', '500', '200', '500'])
    await page.getByLabel('Advance by').fill('45s')
    await page.keyboard.press('Enter')
    await eventually(outlook).toBe('+45 s: 2 attempts, 1 delivered, 1 failed · view')
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
    expect(await outlook()).toBe('2 attempts ahead, next at 12:01:38')
  })

  it('is a chip if it is real', async () => {
    const { page, errors } = await start({ server: { clock: 'real' } })
    await page
      .getByTestId('clock')
      .getByText(/^\d\d:\d\d:\d\d UTC$/)
      .waitFor()
    expect(await page.locator('.clock-bar').count()).toBe(0)
    await page.getByTestId('clock').click()
    await page.getByText('--clock manual').waitFor()
    expect(errors).toEqual([])
  })

  it('has keys to retry and replay the open delivery', async () => {
    const { page, rows, receiver } = await scene()
    await rows.first().click()
    await page.locator('.pane').getByRole('button', { name: 'Retry now' }).waitFor()
    await page.keyboard.press('r')
    await receiver.waitFor(4)
    await page.locator('.pane .pane-head').getByText('delivered').waitFor()
    await page.keyboard.press('p')
    await receiver.waitFor(5)
    await eventually(() => rows.count()).toBe(4)
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(await dialog.locator('dt').count()).toBe(12)
  })
})
