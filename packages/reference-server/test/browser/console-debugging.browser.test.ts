// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { PATIENT, TEST_TIMEOUT_MS } from '../../../../test/support/patience.ts'
import type { MockReceiver } from '../../src/index.ts'
import {
  type Console,
  type ConsoleOptions,
  chooseFilter,
  chooseSetting,
  consoleTests,
  copied,
  eventually,
  toggleSection,
} from './console-kit.ts'
import { demo } from './console-scene.ts'

const run = promisify(execFile)

describe('debugging a webhook in the console', () => {
  const { start, receiver: receiverOf } = consoleTests()

  interface Scene extends Console {
    readonly formId: string
    readonly webhookId: number
    readonly receiver: MockReceiver
    /** Submits a response and waits for its first attempts. */
    submit(text?: string): Promise<void>
    /** Opens the newest delivery. */
    openFirst(): Promise<void>
  }

  /** A form with one endpoint, whose receiver follows the script. */
  const scene = async (script: readonly unknown[], options: ConsoleOptions = {}): Promise<Scene> => {
    const receiver = await receiverOf(...script)
    let [formId, webhookId] = ['', 0]
    const open = await start({
      ...options,
      prepare: async (server, url) => {
        formId = server.app.forms.create({
          title: 'Feedback',
          questions: [{ id: 'say', type: 'long_text', title: 'What do you say?' }],
        }).id
        server.app.forms.publish(formId)
        webhookId = (await server.app.webhooks.create(formId, { url: receiver.url })).id
        await options.prepare?.(server, url)
      },
    })
    const { page, server } = open
    return {
      ...open,
      formId,
      webhookId,
      receiver,
      async submit(text = 'hello') {
        server.app.responses.create(formId, {
          answers: [{ question_id: 'say', value: text }],
          deliver: true,
        })
        await server.clock.advance(0)
      },
      async openFirst() {
        await page.locator('.grid-body [role=row]').first().click()
        await page.locator('.pane .facts').waitFor()
      },
    }
  }

  it('shows the time of day of what happened in another year', async () => {
    const { page, submit, openFirst, server } = await scene(['200'], {
      server: { now: '2026-12-31T22:00:00Z' },
    })
    await submit()
    await server.clock.advance('3h')
    await openFirst()
    const created = page.locator('.pane .facts time').last()
    await eventually(() => created.innerText()).toBe('31 Dec 2026 22:00')
    // The list says how long ago it was, and when on hover.
    const listed = page.locator('.grid-body .when time').first()
    expect(await listed.innerText()).toBe('3 h ago')
    expect(await listed.getAttribute('title')).toContain('31 Dec 2026, 22:00:00 UTC')
  })

  it('shows response, payload, headers and signature of an attempt in sections, each with a copy button', async () => {
    const { page, submit, openFirst, receiver } = await scene([{ status: 503, body: 'database is down' }])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await submit()
    await openFirst()
    const pane = page.locator('.pane')
    expect(await pane.locator('.section h3').allInnerTexts()).toEqual([
      'Response',
      'Payload',
      'Headers',
      'Signature',
    ])
    await pane.getByRole('button', { name: 'Copy the payload' }).click()
    expect(await copied(page, 'the payload')).toBe(receiver.deliveries[0]?.rawBody.toString('utf8'))

    expect(await pane.getByRole('group', { name: 'Response body' }).innerText()).toBe('database is down')
    await pane.getByRole('button', { name: 'Copy the response body' }).click()
    expect(await copied(page, 'the response body')).toBe('database is down')

    await pane.locator('.section > summary', { hasText: 'Headers' }).focus()
    await page.keyboard.press('Enter')
    await pane.getByText('POST /', { exact: true }).waitFor()
    await pane.getByRole('button', { name: 'Copy the headers' }).click()
    expect(await copied(page, 'the headers')).toContain(
      `x-service-signature: ${receiver.deliveries[0]?.signature}`,
    )

    await toggleSection(page, 'Headers')
    await toggleSection(page, 'Signature')
    await pane.getByText(receiver.deliveries[0]?.signature ?? '', { exact: true }).waitFor()
    await pane.getByRole('button', { name: 'Copy the signature' }).click()
    expect(await copied(page, 'the signature')).toBe(receiver.deliveries[0]?.signature)
  })

  it('[DLV-06] shows status, endpoint, outcome and next attempt of a delivery at its head', async () => {
    const { page, submit, openFirst, receiver } = await scene(['503'])
    await submit()
    await openFirst()
    expect(await page.locator('.pane-head').innerText()).toContain('pending')
    expect(await page.locator('.route').innerText()).toContain(receiver.url)
    expect(await page.locator('.verdict').innerText()).toBe('503. Next try in 1 min.')
    expect(await page.getByTestId('next-attempt').innerText()).toBe('12:01:00 (in 1 min)')
  })

  it('copies a delivery as a curl command that sends the same request, and never a token', async () => {
    const { page, submit, openFirst, receiver, server } = await scene(['500', '200'])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await submit(`it's "so" $HOME \u202e`)
    await openFirst()
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'curl', exact: true }).click()
    const command = await copied(page, 'the curl command')
    await run('sh', ['-c', command])
    const [sent, again] = receiver.deliveries
    expect(again?.rawBody).toEqual(sent?.rawBody)
    expect(again?.signature).toBe(sent?.signature)
    expect(again?.id).toBe(sent?.id)
    expect(command).not.toContain(server.adminToken)
  })

  it('[DLV-07] says that a long response body was cut', async () => {
    const { page, submit, openFirst } = await scene([{ status: 500, body: 'x'.repeat(301) }])
    await submit('long')
    await openFirst()
    await page.getByText('The log keeps the first 300 characters, and no headers.').waitFor()
    expect(await page.getByText('x'.repeat(300), { exact: true }).count()).toBe(1)
  })

  it('shows the payload formatted, or with the characters that are signed, and its size', async () => {
    const { page, submit, openFirst, receiver } = await scene([])
    await submit('héllo')
    await openFirst()
    const body = new TextDecoder().decode(receiver.deliveries[0]?.rawBody)
    const attempt = page.locator('.pane')
    const payload = attempt.getByRole('group', { name: 'Payload', exact: true })
    expect(await payload.innerText()).toContain('"event": "response.submitted"')
    await attempt.getByText(`${receiver.deliveries[0]?.rawBody.length} B`, { exact: true }).waitFor()
    await attempt.getByRole('button', { name: 'Raw' }).click()
    expect(await payload.innerText()).toBe(body)
    await attempt.getByRole('button', { name: 'Raw', pressed: true }).click()
    expect(await payload.innerText()).not.toBe(body)
  })

  it('steps through the listed deliveries, by key and by button', async () => {
    const { page, submit, openFirst } = await scene([])
    for (const text of ['one', 'two', 'three']) await submit(text)
    const rows = page.locator('.grid-body [role=row]')
    await eventually(() => rows.count()).toBe(3)
    await openFirst()
    const opened = async () => {
      await page.getByTestId('attempt-1').waitFor()
      return /one|two|three/.exec(
        await page.getByRole('group', { name: 'Payload', exact: true }).innerText(),
      )?.[0]
    }
    await eventually(opened).toBe('three')
    expect(await page.getByRole('link', { name: /^Previous row/ }).count()).toBe(0)
    await page.keyboard.press('j')
    await eventually(opened).toBe('two')
    await page.getByRole('link', { name: /^Next row/ }).click()
    await eventually(opened).toBe('one')
    expect(await page.getByRole('link', { name: /^Next row/ }).count()).toBe(0)
    expect(await rows.nth(2).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('k')
    await eventually(opened).toBe('two')
    await page.keyboard.press('Escape')
    await page.locator('.pane').waitFor({ state: 'detached' })
    const isFocused = (row: number) => rows.nth(row).evaluate((one) => one === document.activeElement)
    expect(await isFocused(1)).toBe(true)
    await page.keyboard.press('j')
    await eventually(opened).toBe('two')
  })

  it('leads from the search box to the results by keys, and clears filters', async () => {
    const { page, submit } = await scene([])
    for (const text of ['one', 'two', 'three']) await submit(text)
    const rows = page.locator('.grid-body [role=row]')
    await eventually(() => rows.count()).toBe(3)
    const isFocused = (row: number) => rows.nth(row).evaluate((one) => one === document.activeElement)
    const box = page.getByRole('searchbox')
    await box.fill('two')
    await eventually(() => rows.count()).toBe(1)
    await box.press('ArrowDown')
    expect(await isFocused(0)).toBe(true)
    await page.keyboard.press('j')
    await page.getByTestId('attempt-1').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.pane').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await eventually(() => rows.count()).toBe(3)
    expect(await box.inputValue()).toBe('')
    expect(await page.getByRole('link', { name: 'Clear filters' }).count()).toBe(0)
    await box.press('Escape')
    expect(await box.evaluate((one) => one === document.activeElement)).toBe(false)
    await page.keyboard.press('/')
    expect(await box.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await box.inputValue()).toBe('')
  })

  it('scrolls the list to a delivery that is opened by a link', async () => {
    const { page, submit, server, formId, webhookId, goTo } = await scene([])
    for (let count = 0; count < 40; count++) await submit()
    // With the head: rows that arrive later move the others down.
    await eventually(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('41')
    const oldest = server.app.deliveries.list(formId, webhookId).at(-1)?.id ?? ''
    await goTo(`/deliveries/${oldest}`)
    const row = page.locator('.grid-body [aria-selected=true]')
    await row.waitFor()
    const inView = () =>
      row.evaluate((element) => {
        const own = element.getBoundingClientRect()
        const grid = element.closest('.grid')?.getBoundingClientRect()
        return grid !== undefined && own.top >= grid.top && own.bottom <= grid.bottom + 1
      })
    await eventually(inView).toBe(true)
  })

  it('retries a pending delivery now without advancing the clock, and tells the outcome', async () => {
    const { page, submit, openFirst, receiver } = await scene(['500', '503', '200'])
    await submit()
    await openFirst()
    const shown = (name: string) => page.locator('.section > summary', { hasText: name }).innerText()
    expect(await shown('Response')).toContain('attempt 1')
    await toggleSection(page, 'Payload')
    await page.getByRole('button', { name: 'Retry now', exact: true }).click()
    await page.getByTestId('attempt-2').waitFor()
    // The latest attempt is shown, with the sections as they were.
    expect(await shown('Response')).toContain('attempt 2')
    expect(await page.getByRole('group', { name: 'Payload' }).count()).toBe(0)
    await page
      .getByText(
        'Attempt 2: The receiver responded with 503. Delivered means a 2xx response. Next attempt in 5 min.',
      )
      .waitFor()
    await page.getByRole('button', { name: 'Retry now', exact: true }).click()
    await page.locator('.pane-head').getByText('delivered').waitFor()
    await page
      .getByText(/^Delivered: 200 in <?[\d.]+ m?s$/)
      .first()
      .waitFor()
    expect(receiver.deliveries).toHaveLength(3)
    expect(await page.locator('.grid-body .result').first().innerText()).toMatch(/^200\s+<?[\d.]+ m?s$/)
    expect(await page.getByTestId('clock').innerText()).toBe('21 Nov 2026 12:00:00 UTC')
    expect(await page.getByRole('button', { name: 'Retry now', exact: true }).count()).toBe(0)
  })

  it('cancels a pending delivery, and reads its further steps as cancelled', async () => {
    const { page, submit, openFirst, receiver, server } = await scene(['500'])
    await submit()
    await openFirst()
    const cancel = page.getByRole('button', { name: 'Cancel delivery' })
    await cancel.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Keep delivery' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.locator('.pane-head').getByText('pending').count()).toBe(1)
    await cancel.click()
    await dialog.getByRole('button', { name: 'Cancel delivery' }).click()
    await page.locator('.pane-head').getByText('failed').waitFor()
    await page.locator('.pane').getByText('The delivery was cancelled. Replay it to send it again.').waitFor()
    const steps = page.getByRole('list', { name: '1 of 6 attempts made' })
    expect(await steps.getByText('cancelled').count()).toBe(5)
    expect(await steps.getByText('not needed').count()).toBe(0)
    await server.clock.advance('1d')
    expect(receiver.deliveries).toHaveLength(1)
  })

  it('[HOOK-07] asks before pausing, with the number of pending deliveries, and resumes and replays with one click', async () => {
    const { page, submit, server, formId, webhookId, receiver, goTo } = await scene(Array(60).fill('500'), {
      path: '/endpoints',
    })
    // More than the log shows.
    for (let count = 0; count < 53; count++) await submit()
    const menu = () => page.getByRole('button', { name: `Actions of endpoint ${webhookId}` })
    await menu().click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByRole('dialog').getByText('53 pending deliveries fail').waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    expect(server.app.webhooks.get(formId, webhookId)).toMatchObject({ active: true, pending_deliveries: 53 })
    await menu().click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pause endpoint' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(server.app.webhooks.get(formId, webhookId)).toMatchObject({ active: false, pending_deliveries: 0 })

    await goTo('/deliveries')
    await page.locator('.grid-body [role=row]').first().click()
    await page.locator('.pane .facts').waitFor()
    const replay = page.locator('.pane').getByRole('button', { name: 'Replay', exact: true })
    expect(await replay.count()).toBe(0)
    await page.getByRole('button', { name: 'Resume and replay', exact: true }).click()
    await receiver.waitFor(54, PATIENT)
    await replay.waitFor()
    expect(server.app.webhooks.get(formId, webhookId)).toMatchObject({ active: true })
  })

  it('finds deliveries by status, error class and host, and shows the error class in the row', async () => {
    let urls = ''
    const { page, submit, receiver } = await scene([], {
      prepare: async (server) => {
        urls = `http://127.0.0.1:${await freePort()}/`
        const formId = server.app.forms.list()[0]?.id ?? ''
        await server.app.webhooks.create(formId, { url: `${urls}gone` })
      },
    })
    // One that is in none of the two ports: more of them than two ports have places for.
    const statuses = ['503', '500', '501', '502', '504', '505', '506'] as const
    const status = statuses.find((one) => !`${urls} ${receiver.url}`.includes(one)) ?? '503'
    receiver.rescript(status)
    await submit()
    const rows = page.locator('.grid-body [role=row]')
    await eventually(() => rows.count()).toBe(2)
    await page.locator('.grid-body .result').getByText('refused').waitFor()
    const search = page.getByRole('searchbox')
    for (const [words, hits] of [
      [status, 1],
      ['refused', 1],
      ['127.0.0.1', 2],
      ['/gone', 1],
      [`${status} refused`, 0],
    ] as const) {
      await search.fill(words)
      await eventually(() => rows.count()).toBe(hits)
    }
    await search.fill('')
    await chooseFilter(page, 'Response', 'refused')
    await eventually(() => rows.count()).toBe(1)
    expect(page.url()).toContain('result=refused')
    await chooseFilter(page, 'Response', 'No response')
    await eventually(() => rows.count()).toBe(1)
  })

  it('marks what a search found in the list and in the open delivery', async () => {
    const { page, submit, openFirst } = await scene([])
    await submit('Rain, and (again) rain')
    const marked = () =>
      page.evaluate(() =>
        [...((CSS.highlights.get('search') as Iterable<Range> | undefined) ?? [])].map((range) =>
          String(range),
        ),
      )
    await page.getByRole('searchbox').fill('(AGAIN) feed')
    await eventually(marked).toEqual(['Feed'])
    await openFirst()
    // The title of the form in the row, in the head of the pane and in the payload, which has the answer twice.
    await eventually(marked).toEqual(['Feed', 'Feed', 'Feed', '(again)', '(again)'])
    await page.getByRole('searchbox').fill('rain, and')
    await eventually(marked).toEqual(['Rain,', 'and', 'Rain,', 'and'])
    // The name and its colon are in two elements.
    await page.getByRole('searchbox').fill('"question_id":')
    await eventually(marked).toEqual(['"question_id":'])
    await page.getByRole('searchbox').fill('')
    await eventually(marked).toEqual([])
  })

  it('opens the response of a delivered delivery only if a search matched its body, and marks the match', async () => {
    const { page, submit, openFirst } = await scene([{ status: 200, body: 'queued for worker 7' }])
    await submit()
    await openFirst()
    const body = page.getByRole('group', { name: 'Response body' })
    await page.getByRole('group', { name: 'Payload' }).waitFor()
    expect(await body.count()).toBe(0)
    await page.getByRole('searchbox').fill('WORKER')
    await body.waitFor()
    await eventually(() =>
      page.evaluate(() =>
        [...((CSS.highlights.get('search') as Iterable<Range> | undefined) ?? [])]
          .filter(({ startContainer }) => startContainer.parentElement?.closest('.pane'))
          .map(String),
      ),
    ).toEqual(['worker'])
  })

  it('selects deliveries by the time of their creation', async () => {
    const { page, submit, server } = await scene([], { pageClock: true })
    await submit()
    await server.clock.advance('2h')
    await submit()
    // The page reads the clock of the server every five seconds.
    await page.clock.runFor(5_000)
    const rows = page.locator('.grid-body [role=row]')
    await eventually(() => rows.count()).toBe(2)
    await chooseFilter(page, 'Created', 'Last hour')
    await eventually(() => rows.count()).toBe(1)
    await chooseFilter(page, 'Created', 'Between two times')
    await eventually(() => rows.count()).toBe(2)
    await page.getByLabel('To (UTC)').fill('2026-11-21T13:00')
    await eventually(() => rows.count()).toBe(1)
    await rows.getByTitle('21 Nov 2026, 12:00:00 UTC').waitFor()
    expect(page.url()).toContain('to=2026-11-21T13%3A00Z')
    await page.getByLabel('From (UTC)').fill('2026-11-21T12:30')
    await page.getByText('No matching deliveries').waitFor()
    expect(await page.locator('.instants [role=alert]').count()).toBe(0)
    await page.getByLabel('From (UTC)').fill('2026-11-21T13:30')
    await page.getByText('“From” is later than “To”, so no delivery matches.').waitFor()
    await page.getByRole('button', { name: 'Remove the filter Created: Between two times' }).click()
    await eventually(() => rows.count()).toBe(2)
    expect(page.url()).toMatch(/#\/deliveries$/)
    // Each choice, but nothing that was typed, is a step back.
    await page.goBack()
    await page.getByText('“From” is later than “To”, so no delivery matches.').waitFor()
    await page.goBack()
    await eventually(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Remove the filter Created: Last hour' }).waitFor()
  })

  it('[DLV-08] replays the selected deliveries only, delivered ones included', async () => {
    const { page, submit, receiver, server } = await scene([])
    for (const text of ['one', 'two', 'three', 'four']) await submit(text)
    await server.clock.advance(0)
    const rows = page.locator('.grid-body [role=row]')
    await eventually(() => rows.filter({ hasText: 'delivered' }).count()).toBe(4)
    // Newest first. A checkbox does not open its row.
    await rows.nth(1).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Replay selected (1)' }).waitFor()
    expect(await page.locator('.pane').count()).toBe(0)
    await rows.nth(3).focus()
    await page.keyboard.press('Space')
    // What a filter hides is not sent.
    await page.getByRole('searchbox').fill('three')
    await page.getByRole('button', { name: 'Replay selected (1)' }).waitFor()
    await page.getByRole('searchbox').fill('')
    await page.getByRole('button', { name: 'Replay selected (2)' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Replayed 2 deliveries: 2 delivered.').first().waitFor()
    const sent = receiver.deliveries.slice(4).map(({ payload }) => JSON.stringify(payload))
    expect(sent.map((text) => /one|two|three|four/.exec(text)?.[0])).toEqual(['one', 'three'])
    // What was replayed is no longer selected.
    expect(await page.getByRole('button', { name: /Clear selection/ }).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Select all 6 listed' }).click()
    await page.getByRole('button', { name: 'Clear selection of 6' }).click()
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
  })

  it('[HOOK-07] says how many failed deliveries go to paused endpoints', async () => {
    const { page } = await start({ server: demo() })
    const replay = page.getByRole('button', { name: 'Replay failed (2)' })
    const left = '20 deliveries of paused endpoints can’t be replayed.'
    await eventually(() => replay.getAttribute('title')).toBe(left)
    await replay.click()
    const dialog = page.getByRole('dialog', { name: 'Replay 2 failed deliveries?' })
    await dialog.getByText(left).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  it('[DLV-08] links a replay and its original to each other', async () => {
    const { page, submit, openFirst } = await scene(['500'])
    await submit()
    await openFirst()
    const pane = page.locator('.pane')
    await pane.getByTestId('attempt-1').waitFor()
    expect(await pane.getByText(/^Replay of|^Replayed as/).count()).toBe(0)
    const original = (await pane.locator('.pane-id').innerText()).trim()
    await pane.getByRole('button', { name: 'Replay' }).click()
    await pane.getByText('Replay of').waitFor()
    const replay = (await pane.locator('.pane-id').innerText()).trim()
    const marked = page.locator('.grid-body [role=row]').filter({ hasText: 'replay' })
    await eventually(() => marked.count()).toBe(1)
    expect(replay).not.toBe(original)
    await pane.locator('dd').getByRole('link', { name: original }).click()
    await pane.getByText('Replayed as').waitFor()
    await pane.locator('dd').getByRole('link', { name: replay }).click()
    await pane.getByText('Replay of').waitFor()
    expect(await pane.getByText('Later replays').count()).toBe(0)
    await pane.getByRole('button', { name: 'Replay' }).click()
    await eventually(() => marked.count()).toBe(2)
    await eventually(() => pane.locator('.pane-id').innerText()).not.toContain(replay)
    const second = (await pane.locator('.pane-id').innerText()).trim()
    await pane.locator('dd').getByRole('link', { name: original }).click()
    await pane.locator('dd').getByRole('link', { name: replay }).click()
    await pane.getByText('Later replays').waitFor()
    await pane.locator('dd').getByRole('link', { name: second }).click()
    await eventually(() => pane.locator('.pane-id').innerText()).toContain(second)
    expect(await pane.getByText('Later replays').count()).toBe(0)
  })

  it('shows the page of an endpoint: health, figures, log, secret and test event', async () => {
    const { page, submit, webhookId, receiver, goTo } = await scene([
      '200',
      { status: 503, body: 'try later' },
    ])
    await submit('one')
    await submit('two')
    await goTo('/endpoints')
    await page.locator('.grid-body .cell.status').first().click()
    await page.getByRole('heading', { name: receiver.url }).waitFor()
    expect(page.url()).toContain(`#/endpoints/${webhookId}`)
    const health = page.locator('.figures')
    await health.getByText('50%').waitFor()
    await eventually(() => health.innerText()).toMatch(/pending\s+1/)
    await page.getByText('failing since 12:00:00').waitFor()
    await page.getByRole('grid', { name: 'Deliveries of the endpoint' }).waitFor()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Test event' }).click()
    await receiver.waitFor(3, PATIENT)
    // The receiver is well again.
    await page.locator('.summary').getByText('healthy').waitFor()
    await page.locator('.grid-body [role=row]').nth(1).click()
    await page.locator('.pane').getByTestId('attempt-1').waitFor()
  })

  it('shows the progress of an advance that waits for a receiver', async () => {
    const { page, submit, receiver } = await scene(['500', 'timeout'], {
      server: { deliveryTimeoutMs: TEST_TIMEOUT_MS },
    })
    await submit()
    await page.getByText('in 1 min').waitFor()
    await page.getByRole('button', { name: '+2 h' }).click()
    await receiver.waitFor(2, PATIENT)
    const bar = page.getByRole('progressbar', { name: 'Advancing the clock' })
    // One minute of two hours.
    await eventually(async () =>
      Number(await bar.evaluate((element: HTMLProgressElement) => element.value)),
    ).toBeCloseTo(1 / 120, 3)
    await page.getByText('Advancing to 14:00:00, 1 attempt in flight').waitFor()
    // Ends the attempt.
    await receiver.close()
    await eventually(() => page.getByTestId('clock').innerText()).toBe('21 Nov 2026 14:00:00 UTC')
    await bar.waitFor({ state: 'detached' })
  })

  it('clears errors: with a correction, another view, and a server that responds again', async () => {
    const { page, submit, goTo } = await scene(['500'])
    await submit()
    const field = page.getByLabel('Advance by')
    await field.fill('90')
    await page.keyboard.press('Enter')
    await page.getByText('Add a unit to 90, such as 90s, 5m or 3d.').waitFor()
    await field.fill('potato')
    await page.keyboard.press('Enter')
    const error = page.getByText('Cannot read "potato"')
    await error.waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.fill('1')
    await error.waitFor({ state: 'detached' })

    // An error of an action goes with the next action, and with the view.
    const refusal = page.getByRole('alert').getByText('The server broke.')
    const breaks = () =>
      page.route('**/_app/clock/advance', (route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/json',
          body: '{"error":{"message":"The server broke."}}',
        }),
      )
    await breaks()
    await page.getByRole('button', { name: '+1 min' }).click()
    await refusal.waitFor()
    await goTo('/endpoints')
    await refusal.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '+1 min' }).click()
    await refusal.waitFor()
    await page.unroute('**/_app/clock/advance')
    await page.getByRole('button', { name: '+1 min' }).click()
    await refusal.waitFor({ state: 'detached' })

    // An unreachable server that responds again.
    const offline = page.getByRole('alert').getByText('Can’t reach the server')
    await page.route('**/_app/**', (route) => route.abort())
    await page.getByRole('button', { name: '+1 min' }).click()
    await offline.waitFor()
    await page.unroute('**/_app/**')
    await offline.waitFor({ state: 'detached' })
  })

  it('has keyboard shortcuts: a search, help, and a palette', async () => {
    const { page, submit, receiver } = await scene([])
    await submit()
    await page.keyboard.press('/')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('search')
    await page.keyboard.press('?')
    expect(await page.getByRole('searchbox').inputValue()).toBe('?')
    await page.getByRole('searchbox').fill('')
    await page.locator('main h1').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Open the next row').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'View, form' }).fill('back feed')
    await page.getByRole('option', { name: /Feedback/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Feedback' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'View, form' }).fill(new URL(receiver.url).host)
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: receiver.url }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'View, form' }).fill('theme dark')
    await page.getByRole('option', { name: /Dark theme/ }).click()
    await eventually(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'View, form' }).fill('new form')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New form' }).getByLabel('Title').fill('Lunch')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Edit Lunch' }).waitFor()
  })

  it('closes a menu when another view opens, or the window changes its size', async () => {
    const { page, goTo, errors } = await scene([], { path: '/endpoints' })
    const menu = page.getByRole('menu')
    const openMenu = async () => {
      await page.getByRole('button', { name: /^Actions of endpoint/ }).click()
      await menu.waitFor()
    }
    await openMenu()
    await page.setViewportSize({ width: 1300, height: 900 })
    await menu.waitFor({ state: 'detached' })
    await openMenu()
    await goTo('/server/access')
    await menu.waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })

  it('switches the theme, and keeps the choice', async () => {
    const { page } = await scene([])
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    await chooseSetting(page, 'Dark theme')
    await eventually(ground).not.toBe(light)
    const dark = await ground()
    await page.reload()
    await page.getByRole('button', { name: 'Settings' }).waitFor()
    expect(await ground()).toBe(dark)
    await chooseSetting(page, 'System theme')
    await eventually(ground).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    await eventually(ground).toBe(dark)
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })

  it('shows the local time beside UTC', async () => {
    const { page, submit, openFirst } = await scene(['500'], { timezoneId: 'Asia/Tokyo' })
    await submit()
    expect(await page.getByTestId('clock').innerText()).toBe('21 Nov 2026 12:00:00 UTC')
    await page.locator('.clock-bar').getByText('21:00:00 local').waitFor()
    await openFirst()
    expect(await page.getByTestId('next-attempt').innerText()).toBe('12:01:00 (in 1 min)')
    await page.locator('.timeline').getByText('21:01:00 local').waitFor()
    expect(await page.locator('.grid-body .when time').first().getAttribute('title')).toBe(
      '21 Nov 2026, 12:00:00 UTC (21:00:00 local time)',
    )
  })
})
