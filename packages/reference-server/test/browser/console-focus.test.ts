// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type Console, consoleTests, eventually, hasChromium } from './console-kit.ts'
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

describe.skipIf(!hasChromium)('focus in the console', () => {
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
    await page.getByRole('button', { name: 'Retry now' }).press('Enter')
    await page.locator('.pane-head').getByText('delivered').waitFor()
    await eventually(() => focused(page)).toBe('h2 response.submitted')
  })

  it('moves to the heading of the view when a bulk action replaces its button', async () => {
    const { page } = await openDelivery('500', '200')
    await page.getByLabel('Close the delivery').press('Enter')
    await eventually(() => focused(page)).toBe('row')
    await page.getByRole('button', { name: 'Retry 1 pending' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Retry now' }).press('Enter')
    await page
      .locator('.notice')
      .getByText(/^Retried 1 delivery: /)
      .waitFor()
    await eventually(() => focused(page)).toBe('h1 Deliveries')
  })

  it('stays with nothing after a click beside everything', async () => {
    const { page } = await openDelivery('500', '200')
    await page.getByRole('button', { name: 'Retry now' }).click()
    await page.locator('.pane-head').click({ position: { x: 2, y: 2 } })
    await page.getByTestId('attempt-2').waitFor()
    await page.locator('.pane-head').getByText('delivered').waitFor()
    expect(await focused(page)).toBe('nothing')
  })

  it('closes the open delivery by Escape wherever the focus is, but not from a menu or the search', async () => {
    const { page } = await openDelivery('200')
    await page.locator('.pane .facts dt').first().click()
    expect(await focused(page)).toBe('nothing')
    await page.getByRole('searchbox').fill('surv')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await page.locator('.pane').count()).toBe(1)
    await page.locator('.pane .facts dt').first().click()
    await page.keyboard.press('Escape')
    await page.locator('.pane').waitFor({ state: 'detached' })
  })

  it('stays on Save, and is on the heading of a form that was created', async () => {
    const { page } = await start({ server: demo(), path: '/forms/retreatform1/edit' })
    await page.getByLabel('Title of question 1', { exact: true }).fill('Where to?')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.locator('.notice').getByText('Saved. Publish the form').waitFor()
    expect(await focused(page)).toBe('button Save')
    await page.getByRole('link', { name: 'Back to the form' }).press('Enter')
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

  it('[FORM-07] does not close a form by a double-click on Save and publish', async () => {
    const { page, server } = await start({ server: demo(), path: '/forms/retreatform1/edit' })
    const {
      x = 0,
      y = 0,
      width = 0,
      height = 0,
    } = (await page.getByRole('button', { name: 'Save and publish' }).boundingBox()) ?? {}
    const at = [x + width / 2, y + height / 2] as const
    await page.mouse.click(...at)
    await page.getByRole('button', { name: 'Close form' }).waitFor()
    const under = await page.evaluate(
      ([left, top]) => document.elementFromPoint(left, top)?.closest('button')?.innerText.trim(),
      at,
    )
    expect(under).toBe('Close form')
    // However long the machine took since the first click.
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await page.locator('.notice').getByText('Saved and published').waitFor()
    expect(server.app.forms.get('retreatform1').status).toBe('published')
  })

  it('shows a list from its top when the filters change', async () => {
    const { page } = await start({ server: demo() })
    const grid = page.getByRole('grid', { name: 'Delivery log' })
    await grid.locator('[role=row]').nth(2).waitFor()
    await grid.evaluate((element) => element.scrollTo(0, 1_200))
    await eventually(() => grid.evaluate((element) => element.scrollTop)).toBe(1_200)
    await page.getByLabel('Status').selectOption('delivered')
    await eventually(() => page.locator('.tally').last().innerText()).toMatch(/^\d+ of \d+$/)
    await eventually(() => grid.evaluate((element) => element.scrollTop)).toBe(0)
  })

  it('shows the range of a bar of the overview as the time that is chosen', async () => {
    const { page } = await start({ server: demo() })
    await page.locator('.chart a').last().click()
    await page.getByLabel('From (UTC)').waitFor()
    expect(await page.getByLabel('Created', { exact: true }).inputValue()).toBe('custom')
  })
})
