import { describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { eventually, focused, isFocused, textOf } from './browser-kit.ts'
import { consoleTests, toggleSection } from './console-kit.ts'

describe('a delivery in the console', () => {
  const { scene } = consoleTests()

  it('[DLV-06] shows its retries while the clock advances, until it is delivered', async () => {
    const { page, rows, pane, button, press, choose, shows, submit, receiver } = await scene([500, 302, 200])
    await page.getByRole('heading', { name: 'Your first signed delivery' }).waitFor()
    await submit('hello')
    const row = rows.first()
    await row.getByText('500', { exact: true }).waitFor()
    expect(await textOf(row)).toContain('pending')
    expect(await row.getByText('in 1 min').getAttribute('title')).toContain('12:01:00')

    await row.click()
    await pane.getByTestId('attempt-1').waitFor()
    const next = page.getByTestId('next-attempt')
    expect(await textOf(next)).toBe('12:01:00 (in 1 min)')
    expect(await textOf(pane.getByTestId('attempt-1'))).toMatch(/Attempt 1\s+12:00:00\s+500/)
    expect(await textOf(page.locator('.route'))).toContain(receiver.url)
    await choose('Advance', '+1 min')
    await pane.getByTestId('attempt-2').waitFor()
    // It can be pressed again.
    expect(await isFocused(button('Advance'))).toBe(true)
    await eventually(() => textOf(page.getByTestId('clock'))).toBe('21 Nov 2026\n12:01:00 UTC')
    await shows('Redirects are not followed')
    expect(await textOf(next)).toBe('12:06:00 (in 5 min)')

    await choose('Advance', 'Next attempt, in 5 min')
    await pane.getByTestId('attempt-3').waitFor()
    await eventually(() => textOf(page.getByTestId('clock'))).toBe('21 Nov 2026\n12:06:00 UTC')
    await pane.locator('.pane-head').getByText('delivered').waitFor()
    expect(await next.count()).toBe(0)
    await pane.getByRole('heading', { name: 'Attempts 3 of 6' }).waitFor()
    // Nothing is left to skip to.
    await press('Advance')
    const items = page.getByRole('menu', { name: 'Advance the clock' }).getByRole('menuitem')
    expect(await items.allInnerTexts()).toEqual(['+1 min', '+5 min', '+30 min', '+2 h', '+12 h', 'Other…'])
  })

  it.each([1440, 1024])(
    '[DLV-06] tells in 1 click why it fails, in the words of its receiver, beside status, reason, response and time of every row, %s px wide',
    async (width) => {
      const { page, rows, pane, openFirst } = await scene(Array(6).fill({ status: 503, body: 'deploying' }), {
        browser: { viewport: { width, height: 768 } },
        async prepare({ submit, server }) {
          await submit('one', 'two')
          await server.clock.advance('14m')
        },
      })
      await openFirst()
      const verdict = '503 three times: deploying. Next try in 22 min.'
      await eventually(() => textOf(page.locator('.verdict'))).toBe(verdict)
      expect(await textOf(page.getByRole('group', { name: 'Response body' }))).toBe('deploying')
      const row = rows.nth(1)
      await eventually(() => textOf(row)).toMatch(/^pending\s+503\s+deploying\s+#1\s+14 min ago$/)
      const left = (await pane.boundingBox())?.x ?? 0
      for (const cell of await row.locator('.cell').all()) {
        const box = await cell.boundingBox()
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(left)
      }
      await page.keyboard.press('j')
      await eventually(() => row.getAttribute('aria-selected')).toBe('true')
    },
  )

  it('[DLV-03][DLV-04][DLV-07] has the start of the response, and payload, headers and signature as the receiver got them, each with a copy button', async () => {
    const { pane, press, submit, openFirst, receiver, copied, shows } = await scene([
      { status: 503, body: 'x'.repeat(301) },
    ])
    await submit('héllo')
    await openFirst()
    const [sent] = receiver.deliveries
    const body = sent?.rawBody.toString('utf8') ?? ''
    expect(await pane.locator('.section h3').allInnerTexts()).toEqual(['Response', 'Payload', 'Headers'])
    await shows('The log keeps the first 300 characters, and no headers.')
    await press('Copy the response body')
    expect(await copied('the response body')).toBe('x'.repeat(300))

    const payload = pane.getByRole('group', { name: 'Payload', exact: true })
    expect(JSON.parse(await textOf(payload))).toEqual(JSON.parse(body))
    await pane.getByText(`${sent?.rawBody.length} B`, { exact: true }).waitFor()
    await press('Copy the payload')
    expect(await copied('the payload')).toBe(body)

    await pane.locator('.section > summary', { hasText: 'Headers' }).press('Enter')
    const headers = pane.locator('.headers > div')
    await headers.first().waitFor()
    const shown = await headers.evaluateAll((all) =>
      all.map((row) => [row.querySelector('dt')?.textContent, row.querySelector('dd')?.textContent]),
    )
    // The connection header is not part of the delivery.
    const { connection: _, ...received } = sent?.headers ?? {}
    expect(Object.fromEntries(shown)).toEqual(received)
    await press('Copy the headers')
    expect(await copied('the headers')).toContain(`x-service-signature: ${sent?.signature}`)
  })

  it('is retried now and replayed, by buttons and keys, without advancing the clock', async () => {
    const { page, pane, rows, button, press, shows, submit, openFirst, receiver } = await scene([500, 503])
    await submit('hello')
    await openFirst()
    const section = (name: string) => textOf(page.locator('.section > summary', { hasText: name }))
    expect(await section('Response')).toContain('attempt 1')
    await toggleSection(page, 'Payload')
    await press('Retry now')
    await pane.getByTestId('attempt-2').waitFor()
    // The latest attempt is shown, with the sections as they were.
    expect(await section('Response')).toContain('attempt 2')
    expect(await page.getByRole('group', { name: 'Payload' }).count()).toBe(0)
    await shows(
      'Attempt 2: The receiver responded with 503. Delivered means a 2xx response. Next attempt in 5 min.',
    )
    await button('Retry now').focus()
    await page.keyboard.press('r')
    await pane.locator('.pane-head').getByText('delivered').waitFor()
    await shows(/^Delivered: 200 in <?[\d.]+ m?s$/)
    // Its button is gone.
    await eventually(() => focused(page)).toBe('h2 response.submitted #1')
    expect(await button('Retry now').count()).toBe(0)
    expect(receiver.deliveries).toHaveLength(3)
    await eventually(() => textOf(rows.locator('.result').first())).toMatch(/^200\s+<?[\d.]+ m?s$/)
    await page.keyboard.press('p')
    await receiver.waitFor(4, PATIENT)
    await eventually(() => rows.count()).toBe(2)
    expect(await textOf(page.getByTestId('clock'))).toBe('21 Nov 2026\n12:00:00 UTC')
  })

  it('is cancelled after confirmation, with its further attempts', async () => {
    const { pane, press, confirm, dialog, submit, openFirst, receiver, server } = await scene([500])
    await submit('hello')
    await openFirst()
    await press('Cancel delivery')
    await confirm('Keep delivery')
    await dialog.waitFor({ state: 'detached' })
    expect(await pane.locator('.pane-head').getByText('pending').count()).toBe(1)
    await press('Cancel delivery')
    await confirm('Cancel delivery')
    await pane.locator('.pane-head').getByText('failed').waitFor()
    await pane.getByText('The delivery was cancelled. Replay it to send it again.').waitFor()
    await server.clock.advance('1d')
    expect(receiver.deliveries).toHaveLength(1)
  })

  it('[DLV-08] is replayed as a new delivery with a new id, and the two link to each other', async () => {
    const { pane, rows, press, submit, openFirst, receiver } = await scene([500])
    await submit('hello')
    await openFirst()
    const id = () => textOf(pane.locator('.pane-id code'))
    const follow = (name: string) => pane.locator('dd').getByRole('link', { name }).click()
    const original = await id()
    expect(await pane.getByText(/^Replay of|^Replayed as/).count()).toBe(0)
    await press('Replay')
    await pane.getByText('Replay of').waitFor()
    const replay = await id()
    await receiver.waitFor(2, PATIENT)
    expect(receiver.deliveries.map((sent) => sent.id)).toEqual([original, replay])
    await eventually(() => rows.filter({ hasText: 'replay' }).count()).toBe(1)
    await follow(original)
    await pane.getByText('Replayed as').waitFor()
    await follow(replay)
    await eventually(id).toBe(replay)
  })

  it('closes by Escape wherever the focus is, but not from a menu or the search', async () => {
    const { page, pane, press, submit, openFirst } = await scene()
    await submit('hello')
    await openFirst()
    await pane.locator('.facts dt').first().click()
    expect(await focused(page)).toBe('nothing')
    await page.getByRole('searchbox').fill('feed')
    await page.keyboard.press('Escape')
    await press('Copy as')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await pane.count()).toBe(1)
    await pane.locator('.facts dt').first().click()
    await page.keyboard.press('Escape')
    await pane.waitFor({ state: 'detached' })
  })
})
