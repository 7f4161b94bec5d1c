import { describe, expect, it } from 'vitest'
import { eventually, focused, isFocused, textOf } from './browser-kit.ts'
import { consoleTests, type Scene } from './console-kit.ts'

const BROKEN = { status: 503, body: 'out of order' }
const WORDS = /one|two|three|four/

/** The words of the deliveries that a receiver got, from the one at this place on. */
const wordsOf = ({ receiver }: Scene, from: number) =>
  receiver.deliveries.slice(from).map(({ payload }) => WORDS.exec(JSON.stringify(payload))?.[0])

describe('the delivery log of the console', () => {
  const { start, scene } = consoleTests()

  it('has saved views, a search and filters, which count together and stay in its URL', async () => {
    const { page, rows, goTo } = await scene(
      [200, ...Array(6).fill(BROKEN), { status: 404, body: 'nothing here' }],
      {
        async prepare({ submit, server }) {
          await submit('one', 'two')
          await server.clock.advance('1d')
          await submit('three')
        },
      },
    )
    const views = page.getByRole('navigation', { name: 'Saved views' }).getByRole('link')
    await eventually(() => views.allTextContents()).toEqual(['All 3', 'Retrying 1', 'Failed 1'])
    await views.nth(2).click()
    await eventually(() => rows.locator('.cell.status').allInnerTexts()).toEqual(['failed'])
    expect(await views.nth(2).getAttribute('aria-current')).toBe('true')
    await page.getByRole('searchbox').fill('Nothing HERE')
    await eventually(() => views.allTextContents()).toEqual(['All 1', 'Retrying 1', 'Failed 0'])
    await views.first().click()
    await eventually(() => rows.count()).toBe(1)
    await page.goBack()
    await eventually(() => rows.count()).toBe(0)
    await page.getByRole('searchbox').fill('out of order')
    await eventually(() => rows.count()).toBe(1)
    await rows.first().click()
    await page.getByTestId('attempt-6').waitFor()

    // The URL restores the view, its filters and the open delivery.
    const url = page.url()
    expect(url).not.toContain('token')
    await page.goto('about:blank')
    await page.goto(url)
    await page.getByTestId('attempt-6').waitFor()
    await eventually(() => textOf(page.locator('.switch a[aria-current]'))).toMatch(/^Failed\s1/)
    expect(await page.getByRole('searchbox').inputValue()).toBe('out of order')
    await goTo('/deliveries')
    await page.getByLabel('Form', { exact: true }).selectOption('Feedback')
    await eventually(() => rows.count()).toBe(3)
    expect(page.url()).toContain('form=')
    await views.nth(1).click()
    await eventually(() => rows.count()).toBe(1)
    await page.getByLabel('Form', { exact: true }).selectOption('')
    await eventually(() => textOf(rows.first())).toContain('404')
    // Each choice is a step back.
    await page.goBack()
    await page.goBack()
    await page.goBack()
    await eventually(() => rows.count()).toBe(3)
    expect(page.url()).not.toContain('form=')
  })

  it('can be used by keyboard only: from the search through the rows to a delivery and back', async () => {
    const { page, rows, pane } = await scene([], {
      prepare: ({ submit }) => submit(...Array(30).fill('one')),
    })
    await rows.first().waitFor()
    await page.keyboard.press('/')
    const search = page.getByRole('searchbox')
    expect(await isFocused(search)).toBe(true)
    // Past the filters and the overview to the list, which is one tab stop.
    for (let stop = 0; stop < 30 && !(await focused(page)).startsWith('row'); stop++)
      await page.keyboard.press('Tab')
    const row = () => focused(page)
    expect(await row()).toBe('row 2')
    await page.keyboard.press('End')
    expect(await row()).toBe('row 31')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    expect(await row()).toBe('row 3')
    await page.keyboard.press('Enter')
    await pane.waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('pane-title')
    // j and k open the next row and the one before.
    await page.keyboard.press('j')
    await eventually(() => rows.nth(2).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('k')
    await eventually(() => rows.nth(1).getAttribute('aria-selected')).toBe('true')
    await page.getByRole('link', { name: /^Previous row/ }).click()
    await eventually(() => rows.nth(0).getAttribute('aria-selected')).toBe('true')
    expect(await page.getByRole('link', { name: /^Previous row/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await pane.waitFor({ state: 'detached' })
    expect(await row()).toBe('row 2')
    await page.keyboard.press('/')
    await page.keyboard.type('one')
    await page.keyboard.press('ArrowDown')
    expect(await row()).toBe('row 2')
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await eventually(() => search.inputValue()).toBe('')
    await search.press('Escape')
    expect(await isFocused(search)).toBe(false)
  })

  it('scrolls to a delivery that is opened by a link, and is at its top after a filter', async () => {
    const { page, rows, goTo, submit } = await scene([], {
      prepare: ({ submit }) => submit(...Array(40).fill('one')),
    })
    const grid = page.getByRole('grid')
    const top = () => grid.evaluate((element) => element.scrollTop)
    await rows.first().focus()
    await page.keyboard.press('End')
    const oldest = (await page.locator('[role=row]:focus a').first().getAttribute('href')) ?? ''
    await grid.evaluate((element) => element.scrollTo(0, 0))
    await goTo(oldest.replace('#', ''))
    const row = page.locator('.grid-body [aria-selected=true]')
    const place = () => row.evaluate((element) => element.getBoundingClientRect().top)
    await eventually(async () => (await grid.boundingBox())?.height).toBeGreaterThan(await place())
    const before = await place()
    await submit('three', 'four')
    await page.getByRole('link', { name: 'All 42', exact: true }).waitFor()
    // Within less than a row.
    expect(await place()).toBeCloseTo(before, -1)
    await page.getByLabel('Form', { exact: true }).selectOption('Feedback')
    await eventually(top).toBe(0)
  })

  it('[DLV-08] replays the failed deliveries with three clicks, and says how many go to paused endpoints', async () => {
    const open = await scene(Array(22).fill(503), {
      async prepare({ server, submit, formId, receiver }) {
        const { webhooks } = server.app
        const { id } = await webhooks.create(formId, { url: `${receiver.url}paused` })
        await submit('one')
        webhooks.pause(formId, id)
        await submit('two', 'three')
        await server.clock.advance('1d')
        await submit('four')
      },
    })
    const { page, press, confirm, dialog, notice, receiver } = open
    const sent = receiver.deliveries.length
    await page.getByRole('link', { name: /^Failed/ }).click()
    const left = '1 delivery of paused endpoints can’t be replayed.'
    await press('Replay failed')
    await dialog.getByText('Replay 3 failed deliveries?').waitFor()
    await dialog.getByText(left).waitFor()
    await confirm('Replay')
    await notice.getByText('Replayed 3 deliveries').waitFor()
    expect(wordsOf(open, sent)).toEqual(['one', 'two', 'three'])
  })

  it('[DLV-08] replays the selected deliveries only, delivered ones included', async () => {
    const open = await scene()
    const { page, rows, pane, button, press, confirm, shows, submit } = open
    await submit('one', 'two', 'three', 'four')
    await eventually(() => rows.filter({ hasText: 'delivered' }).count()).toBe(4)
    // Newest first. A checkbox does not open its row.
    await rows.nth(1).getByRole('checkbox').click()
    await button('Replay selected (1)').waitFor()
    expect(await pane.count()).toBe(0)
    await rows.nth(3).focus()
    await page.keyboard.press('Space')
    await button('Replay selected (2)').waitFor()
    // A filter ends the selection, so that nothing is sent that it hides.
    await page.getByRole('searchbox').fill('three')
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    await page.getByRole('searchbox').fill('')
    await eventually(() => rows.count()).toBe(4)
    await rows.nth(3).getByRole('checkbox').click()
    await rows.nth(1).getByRole('checkbox').click()
    await press('Replay selected (2)')
    await confirm('Replay')
    await shows('Replayed 2 deliveries: 2 delivered.')
    expect(wordsOf(open, 4)).toEqual(['one', 'three'])
    // What was replayed is no longer selected.
    expect(await button(/Clear selection/).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Select all 6 listed' }).click()
    await press('Clear selection of 6')
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
  })

  it('loads 5,000 deliveries of 100 endpoints with a request for each list and at most 100 kB, and shows more when asked to', async () => {
    const prepare = async ({ app }: Scene['server']) => {
      const questions = [{ id: 'say', type: 'long_text', title: 'What do you say?' }] as const
      for (let form = 0; form < 10; form++) {
        const { id } = app.forms.publish(app.forms.create({ title: `Form ${form}`, questions }).id)
        for (let hook = 0; hook < 10; hook++)
          await app.webhooks.create(id, { url: `http://127.0.0.1:9/${form}/${hook}` })
        for (let sent = 0; sent < 50; sent++) {
          const value = `${form} ${sent} `.repeat(200)
          app.responses.create(id, { answers: [{ question_id: 'say', value }], deliver: true })
        }
      }
      // They fail without attempts.
      for (const { form_id: formId, id } of app.webhooks.all()) app.webhooks.pause(formId, id)
    }
    const { page, url, server, context } = await start({ path: '/nothing', prepare })
    // The browser has the code now.
    await page.close()
    const tab = await context.newPage()
    const requested: { path: string; bytes: Promise<number> }[] = []
    tab.on('request', (request) => {
      const path = decodeURIComponent(request.url().slice(`${url}/_app/`.length))
      if (path.startsWith('console') || path === 'deliveries/stream') return
      const bytes = request
        .response()
        .then(() => request.sizes())
        .then(({ responseBodySize }) => responseBodySize)
      requested.push({ path, bytes })
    })
    await tab.goto(`${url}/_app/console#token=${server.adminToken}&to=/deliveries`)
    const rows = tab.locator('.grid-body [role=row]')
    await rows.first().waitFor()
    await tab.getByRole('link', { name: 'All 5,000', exact: true }).waitFor()
    // What may have changed is read again: every five seconds, and after attempts. Nothing is read for each form or endpoint.
    const all = 'catalog?include=endpoints,faults,receiver,forms,workspaces,users,keys,source,clock'
    const paths = new Set(requested.map(({ path }) => path))
    expect([...paths].filter((path) => path === all || !path.startsWith('catalog?')).sort()).toEqual([
      all,
      'deliveries?limit=100',
      'deliveries?state=pending&limit=1000',
    ])
    const first = requested.filter(({ path }, at) => requested.findIndex((one) => one.path === path) === at)
    const bytes = await Promise.all(first.map((request) => request.bytes))
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(100_000)
    expect(await rows.count()).toBe(100)
    await tab.getByRole('button', { name: 'Load more' }).click()
    await eventually(() => rows.count()).toBe(200)
    // Of all that match, not only of a page.
    await tab.getByRole('button', { name: 'Replay failed' }).click()
    await tab.getByText('5,000 deliveries of paused endpoints can’t be replayed.').waitFor()
    // A new one takes the place of the oldest that is listed.
    await tab.getByRole('checkbox', { name: 'Select all 200 listed' }).click()
    const [endpoint = { form_id: '', id: 0 }] = server.app.webhooks.all()
    server.app.webhooks.resume(endpoint.form_id, endpoint.id)
    server.app.webhooks.test(endpoint.form_id, endpoint.id)
    await tab.getByRole('link', { name: 'All 5,001', exact: true }).waitFor()
    await tab.getByText('Clear selection of 200').waitFor()
  })
})
