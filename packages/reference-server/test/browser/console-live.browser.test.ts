import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from './browser-kit.ts'
import { consoleTests, type Scene, stopClock } from './console-kit.ts'
import { type Network, networkTo } from './tcp-proxy.ts'

describe('the live console', () => {
  const { scene } = consoleTests()
  let network: Network
  afterEach(() => network.close())

  /** The console behind a network that can break, once it is live. */
  const live = async (options: Parameters<typeof scene>[1] = {}, script: readonly unknown[] = []) => {
    const open = await scene(script, {
      async proxy(url) {
        network = await networkTo(url)
        return network.url
      },
      ...options,
    })
    await isLive(open)
    return open
  }
  const isLive = ({ page }: Pick<Scene, 'page'>) => page.getByTestId('stream').getByText('Live').waitFor()
  const amount = ({ rows }: Scene) => eventually(() => rows.count())
  /** Lets the page poll its lists on its own clock meanwhile: a reading during which half a minute passes is the last one for minutes. */
  const polling = ({ page }: Scene, read: () => Promise<number>) =>
    eventually(async () => {
      await page.clock.runFor(30_000)
      return await read()
    })

  it('resumes after the last event when the connection is lost, without gaps', async () => {
    const open = await live()
    await open.submit('1', '2')
    await amount(open).toBe(2)
    let resumedFrom: string | undefined
    open.page.on('request', (request) => {
      if (request.url().endsWith('/stream')) resumedFrom = request.headers()['last-event-id']
    })
    network.cut()
    await open.page.getByTestId('stream').getByText('Reconnecting').waitFor()
    await open.submit('3', '4', '5')
    network.mend()
    await isLive(open)
    await amount(open).toBe(5)
    expect(resumedFrom).toMatch(/-[1-9]\d*$/)
    await eventually(() => open.rows.getByText('pending').count()).toBe(0)
  })

  it('resumes after sleep, when the old connection is dead without an error', async () => {
    const open = await live({ pageClock: true })
    await open.submit('1')
    await amount(open).toBe(1)
    network.freeze()
    await open.submit('2', '3')
    await open.page.clock.fastForward('30:00')
    await amount(open).toBe(3)
    await isLive(open)
  })

  it('reloads the logs when it missed more events than the stream keeps', async () => {
    const open = await live()
    const { page, rows, pane, server, submit, formId, webhookId } = open
    await submit('1')
    await amount(open).toBe(1)
    network.cut()
    // Each delivery is at least two events; the stream keeps 1,000.
    await submit(...Array(600).fill('2'))
    network.mend()
    // The server keeps no more finished ones.
    await page.getByRole('link', { name: /^All 2\d\d$/ }).waitFor()
    const newest = server.app.deliveries.list(formId, webhookId)[0]
    await rows.first().click()
    expect(await pane.locator('.pane-id code').textContent()).toBe(newest?.id)
  })

  it("shows the current state where the browser's translator is on", async () => {
    const open = await live({}, [500])
    const { page, server, rows, formId, webhookId } = open
    server.app.webhooks.test(formId, webhookId)
    await eventually(() => rows.getByText('pending').count()).toBe(1)
    // As translators do: an element in place of each text, unless the page forbids it.
    await page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const texts: Node[] = []
      while (walker.nextNode())
        if (walker.currentNode.parentElement?.translate) texts.push(walker.currentNode)
      for (const text of texts) {
        const translated = document.createElement('font')
        translated.textContent = text.textContent
        text.parentNode?.replaceChild(translated, text)
      }
    })
    await server.clock.advance('1m')
    await eventually(() => rows.getByText('delivered').count()).toBe(1)
    expect(await rows.getByText('pending').count()).toBe(0)
  })

  it('keeps its data while the server is unreachable, shows in every view that it is stale, and recovers', async () => {
    const open = await live({ pageClock: true })
    const { page, choose, notice, submit, shows, goTo } = open
    await submit('1', '2')
    await amount(open).toBe(2)
    const follow = async (view: string) => {
      await page.getByRole('link', { name: view, exact: true }).first().click()
      await page.getByRole('heading', { name: view, exact: true }).waitFor()
    }
    // Its code is loaded when it is first opened.
    await follow('Endpoints')
    await follow('Deliveries')
    await amount(open).toBe(2)
    network.cut()
    await page.getByTestId('stream').getByText('Reconnecting').waitFor()
    await amount(open).toBe(2)
    await choose('Advance', '+1 min')
    const unreachable = page.locator('.frame').getByText('Can’t reach the server')
    await page.getByRole('alert').getByText('Can’t reach the server').waitFor()
    // The view before was stale too: its notice says nothing until the heading has changed.
    for (const view of ['Endpoints', 'Forms']) {
      await follow(view)
      await shows('Showing stale data')
    }
    // One message for one fact, also after another call that fails.
    await eventually(() => unreachable.count()).toBe(1)
    await choose('Advance', '+1 min')
    const announced = page.locator('[aria-live=polite]').getByText('Can’t reach the server')
    await announced.waitFor({ state: 'attached' })
    expect([await unreachable.count(), await notice.count()]).toEqual([1, 0])
    await follow('Feedback')
    for (const part of ['Responses', 'Endpoints']) {
      await page.getByLabel('Form sections').getByRole('link', { name: part }).click()
      await page.getByLabel('Form sections').locator('[aria-current="page"]', { hasText: part }).waitFor()
      await shows('Showing stale data')
      expect(await page.getByText('Showing stale data').count()).toBe(1)
    }
    // Mended between the click and its request: before the click, the page might read the list by itself.
    await stopClock(page)
    await page.route('**/_app/catalog?*', (route) => {
      network.mend()
      return route.continue()
    })
    await page.locator('.stale').getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Showing stale data').waitFor({ state: 'detached' })
    await page.clock.resume()
    await goTo('/deliveries')
    await isLive(open)
    await amount(open).toBe(2)
  })

  it('[HOOK-03] shows a form and an endpoint that another program created, and no longer what it deleted, an open delivery included', async () => {
    // The page polls its lists: on its own clock, however slow the machine is.
    const open = await live({ pageClock: true })
    const { page, rows, server, receiver, button, goTo, submit } = open
    await submit('1')
    await amount(open).toBe(1)
    // A reading that fails is repeated.
    await page.route(/catalog\?|deliveries\?/, (route) => route.abort(), { times: 1 })
    const { id } = server.app.forms.publish(server.app.forms.create({ title: 'Created elsewhere' }).id)
    const other = await server.app.webhooks.create(id, { url: `${receiver.url}elsewhere` })
    server.app.webhooks.test(id, other.id)
    await server.clock.advance(0)
    await rows.first().getByText('Created elsewhere').waitFor()
    await goTo('/endpoints')
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor()
    await amount(open).toBe(2)
    await goTo('/deliveries')
    await open.openFirst()
    await server.app.webhooks.delete(id, other.id)
    await polling(open, () => page.getByText('This delivery no longer exists').count()).toBe(1)
    expect(await button('Replay').count()).toBe(0)
    // The rest of its log is deleted too.
    await polling(open, () => rows.count()).toBe(1)
    await goTo('/endpoints')
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor()
    await amount(open).toBe(1)
  })

  it('[RESP-04] shows that an open response no longer exists when another program deletes it', async () => {
    const open = await live({ pageClock: true })
    const { page, server, formId, goTo, button } = open
    const { id } = server.app.responses.create(formId, { answers: [] })
    await goTo(`/forms/${formId}/responses/${id}`)
    const menu = button(/^Actions of response/)
    await menu.waitFor()
    server.app.responses.delete(formId, id)
    await polling(open, () => page.getByText('This response no longer exists').count()).toBe(1)
    expect(await menu.count()).toBe(0)
  })

  it('reloads after a reset, which an open delivery does not outlive', async () => {
    const { page, server, goTo, shows, submit, openFirst, pane } = await live()
    await submit('1')
    await openFirst()
    server.app.reset()
    await pane.getByText('This delivery no longer exists').waitFor()
    await goTo('/deliveries')
    await page.getByRole('heading', { name: 'Your first signed delivery' }).waitFor()
    await goTo('/forms')
    await shows('No forms yet')
    expect(await page.getByRole('link', { name: 'Feedback' }).count()).toBe(0)
  })
})
