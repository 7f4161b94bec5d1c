import { describe, expect, it } from 'vitest'
import { eventually, focused, isFocused } from './browser-kit.ts'
import { chooseInPalette, consoleTests, ENDPOINT_MENU } from './console-kit.ts'

const { start, scene } = consoleTests()

describe('first steps in the console', () => {
  it('lead from an empty server to a signed delivery with four clicks, three of them on the next step', async () => {
    const { page, server, pane, rows } = await start()
    const steps = page.getByRole('region', { name: 'Your first signed delivery' })
    const step = (name: string) => steps.getByRole('button', { name })
    await steps.getByText('0 of 4 done').waitFor()
    expect(await step('Use the built-in receiver').getAttribute('title')).toBe('First: publish a form')
    await step('Create a sample form').click()
    await steps.getByText('1 of 4 done').waitFor()
    await step('Use the built-in receiver').click()
    await steps.getByText('2 of 4 done').waitFor()
    // Another one than the first.
    expect(await step('Submit another').getAttribute('title')).toBe('First: submit a response')
    await steps.getByRole('button', { name: 'Submit', exact: true }).click()
    // The response is the third step, and its delivery the fourth.
    await steps.waitFor({ state: 'detached' })
    await rows.first().click()
    await pane.getByText('Breakfast could start earlier.').first().waitFor()
    expect(server.app.forms.list()).toMatchObject([{ status: 'published', response_count: 1 }])
    expect(server.app.webhooks.all()).toMatchObject([{ active: true }])
  })

  it('are ticked by what another program did, and hidden when they are dismissed', async () => {
    const { page, rows, server, url } = await start({ pageClock: true })
    const steps = page.getByRole('region', { name: 'Your first signed delivery' })
    await steps.getByText('0 of 4 done').waitFor()
    const { id, slug } = server.app.forms.create({ title: 'Lunch', questions: [] })
    server.app.forms.publish(id)
    await page.clock.runFor(5_000)
    await steps.getByText('1 of 4 done').waitFor()
    await server.app.webhooks.create(id, { url: 'http://127.0.0.1:9/' })
    const headers = { 'content-type': 'application/json' }
    const submitted = await fetch(`${url}/f/${slug}`, { method: 'POST', headers, body: '{"answers":[]}' })
    expect(submitted.status).toBe(201)
    // The delivery, which fails, comes with the stream, and brings its form and its endpoint.
    await page.clock.runFor(5_000)
    await steps.getByText('3 of 4 done').waitFor()
    await steps.getByRole('button', { name: 'Dismiss' }).click()
    await steps.waitFor({ state: 'detached' })
    await rows.first().waitFor()
  })
})

describe('the frame of the console', () => {
  it('has keyboard shortcuts: help, and a palette of views, forms, endpoints, deliveries and commands', async () => {
    const { page, server, receiver, dialog, formId, webhookId, submit } = await scene()
    await submit('hello')
    const heading = (name: string) => page.getByRole('heading', { name }).waitFor()
    await page.locator('main h1').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Open the next row').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await chooseInPalette(page, 'back feed', /Feedback/)
    await heading('Feedback')
    await chooseInPalette(page, new URL(receiver.url).host, /./)
    await heading(receiver.url)
    const [delivery] = server.app.deliveries.list(formId, webhookId)
    await chooseInPalette(page, ` ${delivery?.id} `, /^dlv_/)
    await heading('response.submitted #1')
    await chooseInPalette(page, 'theme dark', /Dark theme/)
    await eventually(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'View, form' })
    await box.fill('keys')
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
    expect(await page.locator('dialog[open]').count()).toBe(0)
    await chooseInPalette(page, 'new form', /New form/)
    await page.getByRole('dialog', { name: 'New form' }).waitFor()
  })

  it('shows one notice at a time, which names its object and is beside the selection, which ends with its view', async () => {
    const { page, rows, notice, goTo, press } = await scene([], {
      path: '/server',
      prepare: ({ submit }) => submit('hello'),
    })
    await press('429')
    await press('503 (proxy page)')
    await notice.getByText('Injected 503 for the next 3 requests, any path').waitFor()
    expect(await notice.count()).toBe(1)
    await goTo('/deliveries')
    await rows.first().getByRole('checkbox').click()
    const bar = page.getByRole('toolbar', { name: 'Selected deliveries' })
    const [selection, shown] = await Promise.all([bar.boundingBox(), notice.boundingBox()])
    expect((selection?.x ?? 0) + (selection?.width ?? 0)).toBeLessThanOrEqual(shown?.x ?? 0)
    await goTo('/forms')
    await goTo('/deliveries')
    await rows.first().waitFor()
    expect(await bar.count()).toBe(0)
  })

  it('shows every view in the navigation of a phone', async () => {
    const { page } = await scene([], { browser: { viewport: { width: 390, height: 844 } } })
    const links = page.getByRole('navigation', { name: 'Views' }).getByRole('listitem')
    const boxes = await Promise.all((await links.all()).map((one) => one.boundingBox()))
    expect(boxes.map((box) => box && box.x >= 0 && box.width > 44 && box.x + box.width <= 390)).toEqual(
      Array(5).fill(true),
    )
  })

  it('closes a dialog on the back button, and is then on the heading of the view before, without a request', async () => {
    const { page, server, goTo, choose, dialog } = await scene([], { path: '/forms' })
    await goTo('/endpoints')
    await choose(ENDPOINT_MENU, 'Delete')
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => focused(page)).toBe('h1 Forms')
    expect(server.app.webhooks.all()).toHaveLength(1)
  })

  it('switches the theme, and keeps the choice', async () => {
    const { page, choose } = await start({ path: '/forms', browser: {} })
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    await choose('Settings', 'Dark theme')
    await eventually(ground).not.toBe(light)
    const dark = await ground()
    await page.reload()
    await page.getByRole('button', { name: 'Settings' }).waitFor()
    expect(await ground()).toBe(dark)
    await choose('Settings', 'System theme')
    await eventually(ground).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    await eventually(ground).toBe(dark)
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })

  it('closes an open dialog and asks for the token when it is rejected', async () => {
    const { page, press, dialog } = await start({ path: '/server/access', pageClock: true })
    await press('Create a key')
    await dialog.getByLabel('Name').fill('CI')
    await page.route('**/_app/catalog?*', (route) =>
      route.fulfill({ status: 401, contentType: 'application/json', body: '{"error":{"message":"no"}}' }),
    )
    await page.clock.runFor(5_000)
    const prompt = page.getByLabel('Admin token')
    await prompt.waitFor()
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => isFocused(prompt)).toBe(true)
  })
})
