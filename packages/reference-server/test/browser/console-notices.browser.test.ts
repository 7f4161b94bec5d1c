// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import { describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { consoleTests, eventually } from './console-kit.ts'
import { demo } from './console-scene.ts'

describe('notices and figures of the console', () => {
  const { start, receiver } = consoleTests()

  /** Opens the page of an endpoint of a new form. */
  const atEndpoint = (url: string, options = {}) =>
    start({
      path: '/endpoints/1',
      async prepare({ app }) {
        const { id } = app.forms.publish(app.forms.create({ title: 'Survey' }).id)
        await app.webhooks.create(id, { url })
      },
      ...options,
    })

  it.each([
    ['normal', 'Scrubbed copy'],
    [false, 'Copy with personal data'],
  ] as const)('says in every view where pulled data comes from, with scrub %s', async (scrubbed, text) => {
    const source = { base_url: 'https://forms.example.com', pulled_at: '2026-11-21T11:00:00.000Z', scrubbed }
    const users = [{ name: 'Ann', email: 'ann@example.com' }]
    const workspaces = [{ name: 'Team', members: [{ user: 'ann@example.com', role: 'owner' as const }] }]
    const { page } = await start({
      path: '/forms',
      server: { seed: { version: 2, source, users, workspaces } },
    })
    const banner = page.getByRole('complementary', { name: 'Source of the data' })
    await eventually(() => banner.innerText().then((shown) => shown.replace(/\s+/g, ' '))).toBe(
      `${text} of https://forms.example.com. Changes stay on this server.`,
    )
    await page.getByRole('link', { name: 'Deliveries' }).first().click()
    await page.getByRole('heading', { name: 'Your first signed delivery' }).waitFor()
    expect(await banner.isVisible()).toBe(true)
  })

  it('says why a test event failed and when it is sent again, and leads to the delivery', async () => {
    const { url } = await receiver(503)
    const { page } = await atEndpoint(`${url}/hooks`)
    await page.getByRole('button', { name: 'Test event' }).click()
    const notice = page.locator('.notice')
    // On a busy machine, it takes the place of the one that waits for the response.
    await eventually(() => notice.locator('bdi').innerText()).toBe(
      `Test event, first attempt to ${url.slice('http://'.length)}/hooks: The receiver responded with 503. Delivered means a 2xx response. Next attempt in 1 min.`,
    )
    await notice.getByRole('button', { name: 'View delivery' }).click()
    await page.locator('.pane').getByTestId('attempt-1').waitFor()
    expect(await notice.count()).toBe(0)
  })

  it('replaces the notice of a slow test event by its result', async () => {
    const slow = await receiver(200)
    let respond = () => {}
    slow.onDelivery = () =>
      new Promise<void>((resolve) => {
        respond = resolve
      })
    const { page } = await atEndpoint(slow.url, { pageClock: true })
    await page.getByRole('button', { name: 'Test event' }).click()
    await slow.waitFor(1, PATIENT)
    await page.clock.runFor(1_000)
    await page.locator('.notice').getByText('Waiting for the response.').waitFor()
    respond()
    await page
      .locator('.notice')
      .getByText(/^Test event delivered: 200 in /)
      .waitFor()
    expect(await page.locator('.notice').count()).toBe(1)
    await page.getByRole('button', { name: 'View delivery' }).waitFor()
  })

  it('labels the figures of the overview, and those of an endpoint', async () => {
    const { page, goTo } = await start({ server: demo() })
    const figures = page.getByRole('region', { name: 'Overview' }).locator('.figures')
    await figures.getByText('success rate').waitFor()
    const texts = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText.trim()))
    expect(await texts('.figures dt')).toEqual(['success rate', 'p95', 'endpoint failing'])
    const values = await texts('.figures dd')
    // The two pending deliveries have had failed attempts.
    expect(values[0]).toBe('83.3%')
    expect(values[1]).toMatch(/^\d+ ms$|^\d+\.\d s$/)
    expect(values[2]).toBe('1')
    await goTo('/endpoints/1')
    await page.getByText('p50 response time').waitFor()
    expect(await texts('.figures dt')).toEqual([
      'success rate',
      'delivered',
      'pending',
      'failed',
      'p50 response time',
      'p95 response time',
    ])
  })

  it('leads from Save to the question at fault', async () => {
    const { page } = await start({ server: demo(), path: '/forms/retreatform1/edit' })
    const title = page.getByLabel('Title of question 1', { exact: true })
    await title.fill('')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.notice').getByText('Not saved: question 1 has an error.').waitFor()
    expect(await title.evaluate((input) => input === document.activeElement)).toBe(true)
  })
})
