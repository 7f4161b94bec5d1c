// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type Console, chooseFilter, consoleTests, eventually } from './console-kit.ts'
import { demo } from './console-scene.ts'

/** What has the focus: a heading, a row, or the name of a control. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    if (element.getAttribute('role') === 'row') return 'row'
    return element === document.body
      ? 'nothing'
      : `${element.localName} ${element.getAttribute('aria-label') ?? element.innerText.trim()}`
  })

describe('focus in the console', () => {
  const { start, receiver } = consoleTests()

  /** The log with a delivery, open, whose first attempt failed. */
  const openDelivery = async (...script: readonly unknown[]): Promise<Console> => {
    const { url } = await receiver(...script)
    const open = await start({
      async prepare({ app, clock }) {
        const { id } = app.forms.publish(app.forms.create({ title: 'Survey' }).id)
        await app.webhooks.create(id, { url })
        app.responses.create(id, { answers: [], deliver: true })
        await clock.advance(0)
      },
    })
    await open.page.locator('.grid-body [role=row]').first().click()
    await open.page.getByTestId('attempt-1').waitFor()
    return open
  }

  it('moves to the heading of the open delivery when its button goes', async () => {
    const { page } = await openDelivery('500', '200')
    await page.getByRole('button', { name: 'Retry now', exact: true }).press('Enter')
    await page.locator('.pane-head').getByText('delivered').waitFor()
    await eventually(() => focused(page)).toBe('h2 response.submitted #1')
  })

  it('closes the open delivery by Escape wherever the focus is, but not from a menu or the search', async () => {
    const { page } = await openDelivery('200')
    await page.locator('.pane .facts dt').first().click()
    expect(await focused(page)).toBe('nothing')
    await page.getByRole('searchbox').fill('surv')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await page.locator('.pane').count()).toBe(1)
    await page.locator('.pane .facts dt').first().click()
    await page.keyboard.press('Escape')
    await page.locator('.pane').waitFor({ state: 'detached' })
  })

  it('moves to the heading of the previous view when the back button closes a dialog', async () => {
    const { page, goTo } = await start({ path: '/forms' })
    await goTo('/server/access')
    await page.getByRole('link', { name: 'Access' }).focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await eventually(() => focused(page)).toBe('h1 Forms')
  })

  it('stays on Save, and is on the heading of a form that was created', async () => {
    const { page } = await start({ server: demo(), path: '/forms/retreatform1/edit' })
    await page.getByLabel('Title of question 1', { exact: true }).fill('Where to?')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.locator('.notice').getByText('Saved. Publish the form').waitFor()
    expect(await focused(page)).toBe('button Save')
    await page.getByRole('link', { name: 'Back to the form' }).press('Enter')
    await eventually(() => focused(page)).toContain('h1 ')
    await page.getByRole('link', { name: 'Forms' }).first().press('Enter')
    await page.getByRole('button', { name: 'New form' }).press('Enter')
    await page.getByRole('dialog').getByLabel('Title').fill('Lunch')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Edit Lunch' }).waitFor()
    await eventually(() => focused(page)).toBe('h1 Edit Lunch')
  })

  it('moves to the heading of the list when the form of the menu goes to the trash', async () => {
    const { page } = await start({ server: demo(), path: '/forms' })
    const row = page.locator('.grid-body [role=row]').first()
    await row.locator('[aria-haspopup=menu]').press('Enter')
    await page.getByRole('menuitem', { name: 'Move to trash' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).press('Enter')
    await page.getByText('Moved to trash').first().waitFor()
    await eventually(() => focused(page)).toBe('row')
  })

  it('stays on Skip to next attempt when none is pending any more', async () => {
    const { page, server } = await openDelivery('500', '200')
    const skip = page.getByRole('button', { name: 'Skip to next attempt' })
    await skip.press('Enter')
    await page.locator('.pane-head').getByText('delivered').waitFor()
    await eventually(() => skip.getAttribute('aria-disabled')).toBe('true')
    expect(await focused(page)).toBe('button Skip to next attempt')
    const then = server.clock.now()
    await skip.press('Enter')
    expect(await focused(page)).toBe('button Skip to next attempt')
    expect(server.clock.now()).toBe(then)
  })

  it('[FORM-07] has nothing that changes a form where Save and publish was, however late the next click', async () => {
    const { page, server } = await start({ server: demo(), path: '/forms/retreatform1/edit' })
    const box = await page.getByRole('button', { name: 'Save and publish' }).boundingBox()
    const { x = 0, y = 0, width = 0, height = 0 } = box ?? {}
    const before = server.app.responses.list('retreatform1').total
    await page.mouse.click(x + width / 2, y + height / 2)
    await page.locator('.notice').getByText('Saved and published').waitFor()
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
    // Single clicks, as those that come later than a double-click.
    await page.mouse.click(x + width / 2, y + height / 2)
    await page.getByRole('heading', { name: /^Edit / }).waitFor()
    expect(server.app.forms.get('retreatform1').status).toBe('published')
    expect(server.app.responses.list('retreatform1').total).toBe(before)
  })

  it('[FORM-07] closes and archives a form from its menu only, and offers to undo it', async () => {
    const { page, server } = await start({ server: demo(), path: '/forms/retreatform1' })
    const statusOf = () => server.app.forms.get('retreatform1').status
    for (const [command, status] of [
      ['Close form', 'closed'],
      ['Archive', 'archived'],
    ] as const) {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: command }).click()
      await eventually(statusOf).toBe(status)
      await page.locator('.notice').getByRole('button', { name: 'Undo' }).last().click()
      await eventually(statusOf).toBe('published')
    }
  })

  it('[HOOK-07] pauses an endpoint without pending deliveries, and offers to undo it', async () => {
    const { page, server } = await start({ server: demo(), path: '/endpoints/3' })
    await page.getByRole('button', { name: 'Actions of endpoint 3' }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByText('paused since 12:00:00').waitFor()
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click()
    await page.locator('.summary').getByText('healthy').waitFor()
    expect(server.app.webhooks.get('guestvoice01', 3).active).toBe(true)
  })

  it('opens no dialog with its red button where the pointer has just clicked', async () => {
    const { page } = await start({ server: demo(), path: '/endpoints' })
    const openDialog = async () => {
      await page.getByRole('button', { name: 'Actions of endpoint 3' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
      return await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).boundingBox()
    }
    const { x = 0, y = 0, width = 0, height = 0 } = (await openDialog()) ?? {}
    await page.keyboard.press('Escape')
    await page.mouse.click(x + width / 2, y + height / 2)
    const moved = await openDialog()
    expect(moved?.y).toBeGreaterThanOrEqual(y + height)
    expect(moved?.x).toBe(x)
  })

  it('does not put Cancel delivery where Retry now was', async () => {
    const { page } = await openDelivery('500', 'timeout')
    const cancel = page.getByRole('button', { name: 'Cancel delivery' })
    const retry = page.getByRole('button', { name: 'Retry now', exact: true })
    const { x: pressed = 0 } = (await retry.boundingBox()) ?? {}
    await retry.click()
    await retry.waitFor({ state: 'detached' })
    const { x = 0, width = 0 } = (await cancel.boundingBox()) ?? {}
    expect(x + width).toBeLessThan(pressed)
  })

  it('offers to inject a removed fault again, for the requests that it has left', async () => {
    const { page, server } = await start({ server: demo(), path: '/server' })
    server.app.faults.add({ status: 503, times: 3 })
    server.app.faults.add({ status: 500 })
    await page.getByRole('button', { name: 'Remove the fault 503' }).click()
    await eventually(() => server.app.faults.list().map(({ status }) => status)).toEqual([500])
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click()
    await eventually(() => server.app.faults.list()).toEqual([
      { status: 500, id: 2, met: 0 },
      { status: 503, times: 3, id: 3, met: 0 },
    ])
  })

  it('shows a list from its top when the filters change', async () => {
    const { page } = await start({ server: demo() })
    const grid = page.locator('.grid')
    await grid.locator('[role=row]').nth(2).waitFor()
    await grid.evaluate((element) => element.scrollTo(0, 1_200))
    await eventually(() => grid.evaluate((element) => element.scrollTop)).toBe(1_200)
    await chooseFilter(page, 'Status', 'Delivered')
    await eventually(() => page.locator('.tally').last().innerText()).toMatch(/^\d+ of \d+$/)
    await eventually(() => grid.evaluate((element) => element.scrollTop)).toBe(0)
  })
})
