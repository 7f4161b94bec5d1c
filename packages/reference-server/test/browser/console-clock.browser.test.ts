// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import { describe, expect, it } from 'vitest'
import { allDeliveries, type ConsoleOptions, consoleTests, eventually, hasChromium } from './console-kit.ts'

describe.skipIf(!hasChromium)('the clock of the console', () => {
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
    const slider = page.getByRole('slider', { name: 'Advance the clock to' })
    const time = page.getByTestId('clock')
    await eventually(() => time.innerText()).toBe('21 Nov 2026 12:00:38 UTC')
    await eventually(() => page.locator('.clock-track .tick').count()).toBe(3)
    return {
      ...open,
      receiver,
      slider,
      time: () => time.innerText(),
      outlook: () => page.getByTestId('outlook').innerText(),
      said: () => slider.getAttribute('aria-valuetext'),
      rows: page.locator('.grid-body [role=row]'),
    }
  }

  it('advances to a pending attempt that the handle is dragged to, once it is released', async () => {
    const { page, slider, time, said, outlook } = await scene()
    expect(await outlook()).toBe('3 attempts ahead, next at 12:01:00')
    const track = await slider.boundingBox()
    const tick = await page.locator('.clock-track .tick').nth(1).boundingBox()
    if (!track || !tick) throw new Error('no timeline')
    const y = track.y + track.height / 2
    await page.mouse.move(track.x + 1, y)
    await page.mouse.down()
    // Close to the tick is enough.
    await page.mouse.move(tick.x + tick.width / 2 + 3, y, { steps: 4 })
    expect(await said()).toBe('+41 s, 12:01:19 UTC, 2 attempts due')
    await page.locator('.clock-line').getByText('+41 s, 12:01:19 UTC, 2 attempts due').waitFor()
    expect(await time()).toBe('21 Nov 2026 12:00:38 UTC')
    await page.mouse.up()
    await eventually(time).toBe('21 Nov 2026 12:01:19 UTC')
    await eventually(outlook).toBe('+41 s: 2 attempts, 2 delivered · view')
    await eventually(() => page.locator('.clock-track .tick').count()).toBe(1)
  })

  it('stays where it is when the handle is dragged back, and when the drag is cancelled', async () => {
    const { page, slider, time, said } = await scene()
    const { x = 0, y = 0, width = 0 } = (await slider.boundingBox()) ?? {}
    await page.mouse.move(x + width / 2, y + 8)
    await page.mouse.down()
    await page.mouse.move(x - 200, y + 8)
    expect(await said()).toBe('12:00:38 UTC, now')
    await page.mouse.up()
    await page.mouse.move(x + width / 2, y + 8)
    await page.mouse.down()
    await page.mouse.move(x + width / 2 + 20, y + 8)
    expect(await said()).toContain('3 attempts due')
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await page.getByTestId('outlook').getByText('3 attempts ahead').waitFor()
    expect(await time()).toBe('21 Nov 2026 12:00:38 UTC')
  })

  it('stays where it is when the line is only clicked', async () => {
    const { page, slider, time, said } = await scene()
    const { x = 0, y = 0, width = 0 } = (await slider.boundingBox()) ?? {}
    await page.mouse.move(x + width * 0.9, y + 8)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.9 + 2, y + 8)
    expect(await said()).toBe('12:00:38 UTC, now')
    await page.mouse.up()
    // A click takes back what was chosen with keys.
    await slider.press('ArrowRight')
    await slider.click()
    expect(await said()).toBe('12:00:38 UTC, now')
    await page.getByTestId('outlook').getByText('3 attempts ahead').waitFor()
    expect(await time()).toBe('21 Nov 2026 12:00:38 UTC')
  })

  it('moves by keys from stop to stop, says the time, and advances with Enter', async () => {
    const { page, slider, time, said, outlook } = await scene()
    await slider.focus()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      return said()
    }
    expect(await press('ArrowLeft')).toBe('12:00:38 UTC, now')
    expect(await press('ArrowRight')).toBe('+22 s, 12:01:00 UTC, 1 attempt due')
    expect(await press('ArrowUp', 'ArrowUp')).toBe('+1 min, 12:01:38 UTC, 3 attempts due')
    expect(await press('ArrowRight')).toBe('+5 min, 12:05:38 UTC, 3 attempts due')
    expect(await press('End')).toBe('+1 d, 22 Nov 12:00 UTC, 3 attempts due')
    expect(await press('ArrowLeft')).toBe('+12 h, 22 Nov 00:00 UTC, 3 attempts due')
    expect(await press('Escape')).toBe('12:00:38 UTC, now')
    expect(await time()).toBe('21 Nov 2026 12:00:38 UTC')
    await press('ArrowRight', 'Enter')
    await eventually(time).toBe('21 Nov 2026 12:01:00 UTC')
    await eventually(outlook).toBe('+22 s: 1 attempt, 1 delivered · view')
    expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('says what an advance has done, and marks these deliveries in the log with one click', async () => {
    const { page, outlook, rows, server, goTo } = await scene(['500', '500', '500', '200', '500'])
    await page.getByLabel('Advance by').fill('45s')
    await page.keyboard.press('Enter')
    await eventually(outlook).toBe('+45 s: 2 attempts, 1 delivered, 1 failed · view')
    await page.getByRole('link', { name: 'view' }).click()
    const marked = () =>
      rows.evaluateAll((all) => all.map((row) => row.textContent?.includes('marked') === true))
    // Newest first, among the others.
    await eventually(marked).toEqual([false, true, true])
    const tints = await rows.evaluateAll((all) => all.map((row) => getComputedStyle(row).backgroundColor))
    expect(tints[1]).not.toBe(tints[0])
    expect(tints[1]).toBe(tints[2])
    await page.emulateMedia({ forcedColors: 'active' })
    const outlines = await rows.evaluateAll((all) => all.map((row) => getComputedStyle(row).outlineStyle))
    expect(outlines).toEqual(['none', 'dashed', 'dashed'])
    await page.emulateMedia({ forcedColors: 'none' })
    // A link to them shows the same.
    await page.reload()
    await eventually(marked).toEqual([false, true, true])
    await page.getByRole('button', { name: 'Remove the filter Marked: 2 deliveries' }).click()
    await eventually(marked).toEqual([false, false, false])
    await page.goBack()
    await eventually(marked).toEqual([false, true, true])
    await page.getByRole('link', { name: 'Only these' }).click()
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

  it('scrolls to the first delivery that an advance has attempted, also in a collapsed group', async () => {
    const { page, server, rows, receiver, goTo } = await scene()
    const [{ id = '' } = {}] = server.app.forms.list()
    await server.app.webhooks.create(id, { url: `${receiver.url}/other` })
    for (let at = 0; at < 20; at += 1) server.app.responses.create(id, { answers: [], deliver: true })
    await server.clock.advance(0)
    await allDeliveries(page, 43).waitFor()
    await page.getByRole('link', { name: 'Pending 3' }).waitFor()
    await page.getByRole('button', { name: 'Next attempt' }).click()
    await page.getByRole('link', { name: 'view' }).click()
    const marked = rows.filter({ hasText: 'marked' })
    await eventually(() => marked.count()).toBe(1)
    // All of it is visible.
    const { y = 900, height = 0 } = (await marked.boundingBox()) ?? {}
    expect(y + height).toBeLessThan(901)
    // A group has the mark of what is collapsed in it.
    const [group] = server.app.deliveries.list(id, 2)
    await goTo(`/deliveries?marked=${group?.id}`)
    await marked.waitFor()
    await page.getByRole('button', { name: '2 endpoints' }).first().click()
    await eventually(() => marked.getByRole('button', { name: '2 delivered' }).count()).toBe(1)
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

  it('has keys to retry, replay and copy the open delivery, in groups of the help', async () => {
    const { page, rows, receiver } = await scene()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await rows.first().click()
    await page.locator('.pane').getByRole('button', { name: 'Retry now' }).waitFor()
    await page.keyboard.press('r')
    await receiver.waitFor(4)
    await page.locator('.pane .pane-head').getByText('delivered').waitFor()
    await page.keyboard.press('c')
    await page.getByRole('menuitem', { name: 'curl, as sent' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('p')
    await receiver.waitFor(5)
    await eventually(() => rows.count()).toBe(4)
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByText('Retry the delivery now').waitFor()
    expect(await dialog.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Everywhere',
      'Views',
      'Lists',
      'Open delivery or request',
      'Builder',
      'Manual clock',
    ])
  })
})
