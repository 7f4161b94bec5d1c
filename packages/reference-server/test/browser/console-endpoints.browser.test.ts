import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import type { MockReceiver } from '../../src/index.ts'
import { deferred } from '../support/deferred.ts'
import { eventually, isFocused, textOf } from './browser-kit.ts'
import { consoleTests, ENDPOINT_MENU, toggleSection } from './console-kit.ts'

/** The signature of a delivery, computed with this secret. */
const signed = (secret: string, { headers, rawBody }: MockReceiver['deliveries'][number]) => {
  const hmac = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.`).update(rawBody)
  return `sha256=${hmac.digest('hex')}`
}

describe('endpoints in the console', () => {
  const { scene } = consoleTests()

  it('[HOOK-02][HOOK-04][HOOK-08][DLV-04] are added by a URL, with an error at the field, and show the secret that signs once, as a new one', async () => {
    const open = await scene([], {
      prepare: ({ server, formId, webhookId }) => server.app.webhooks.delete(formId, webhookId),
    })
    const { page, server, formId, receiver, goTo, press, choose, confirm, dialog, shows, rows, submit } = open
    await goTo(`/forms/${formId}/endpoints`)
    await press('Add an endpoint')
    const field = dialog.getByLabel('URL')
    const alert = dialog.getByRole('alert')
    await field.fill('ftp://example.com/hook')
    await page.keyboard.press('Enter')
    await alert.getByText('A webhook URL must begin with https:// or http://.').waitFor()
    expect(await field.inputValue()).toBe('ftp://example.com/hook')
    // The error is about what was typed before.
    await field.press('Backspace')
    await alert.waitFor({ state: 'hidden' })
    expect(await field.getAttribute('aria-invalid')).toBeNull()
    await page.keyboard.press('Enter')
    await alert.waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.getAttribute('aria-describedby')).toBe('dialog-error')
    await eventually(() => isFocused(field)).toBe(true)

    await field.fill(receiver.url)
    await page.keyboard.press('Enter')
    const secret = await textOf(page.getByTestId('revealed'))
    expect(secret).toMatch(/^whsec_/)
    await shows('Shown once.')
    await press('I’ve saved it')
    expect(await page.content()).not.toContain(secret)
    await submit('hello')
    const [delivery] = await receiver.waitFor(1, PATIENT)
    await goTo('/deliveries')
    await rows.first().click()
    await toggleSection(page, 'Headers')
    await shows(delivery ? signed(secret, delivery) : 'none')
    expect(server.app.webhooks.list(formId)).toHaveLength(1)
    await goTo('/endpoints')
    await choose(ENDPOINT_MENU, 'Rotate secret')
    await confirm('Rotate secret')
    const rotated = await textOf(page.getByTestId('revealed'))
    expect(rotated).toMatch(/^whsec_/)
    await confirm('Send test event')
    await press('I’ve saved it')
    const sent = await receiver.waitFor(2, PATIENT)
    expect(sent.map((one) => one.signature === signed(rotated, one))).toEqual([false, true])
  })

  it('[HOOK-03][HOOK-07] are paused after confirmation, which fails pending deliveries with a note, resumed, and deleted with their log', async () => {
    const {
      page,
      server,
      formId,
      webhookId,
      goTo,
      choose,
      confirm,
      press,
      button,
      dialog,
      shows,
      openFirst,
    } = await scene([500, 500], { path: '/endpoints', prepare: ({ submit }) => submit('one', 'two') })
    const state = () => server.app.webhooks.get(formId, webhookId)
    await shows('2 pending')
    await choose(ENDPOINT_MENU, 'Pause')
    await dialog.getByText('2 pending deliveries fail and are not retried').waitFor()
    await confirm('Cancel')
    expect(state()).toMatchObject({ active: true, pending_deliveries: 2 })
    await choose(ENDPOINT_MENU, 'Pause')
    await confirm('Pause endpoint')
    await shows('2 failed')
    await button('Send test event').waitFor({ state: 'detached' })
    expect(state()).toMatchObject({ active: false, pending_deliveries: 0 })
    await choose(ENDPOINT_MENU, 'Open the log')
    await openFirst()
    await shows('The endpoint was paused. Resume it and replay this delivery.')
    expect([await button('Replay').count(), await button('Resume and replay').count()]).toEqual([0, 1])
    const url = page.url()
    await goTo('/endpoints')
    await choose(ENDPOINT_MENU, 'Resume without a replay')
    await button('Send test event').waitFor()
    await page.goto(url)
    const verdict = page.locator('.verdict')
    await verdict.getByText('The endpoint was paused.').waitFor()
    expect(await textOf(verdict)).not.toContain('Resume')
    // Without pending deliveries it is not asked about, but can be undone.
    await goTo('/endpoints')
    await choose(ENDPOINT_MENU, 'Pause')
    await press('Undo')
    await button('Send test event').waitFor()
    expect(state()).toMatchObject({ active: true })
    await choose(ENDPOINT_MENU, 'Delete')
    await confirm('Cancel')
    expect(state()).toMatchObject({ active: true })
    await choose(ENDPOINT_MENU, 'Delete')
    await confirm('Delete endpoint')
    await shows('No endpoints yet')
    expect(server.app.webhooks.list(formId)).toEqual([])
    await goTo('/deliveries')
    await page.getByRole('heading', { name: 'Your first signed delivery' }).waitFor()
  })

  it('[HOOK-07] are resumed and get again what failed, after a question that names number and host', async () => {
    const { page, rows, goTo, button, dialog, confirm, notice, receiver } = await scene([503, 503], {
      async prepare({ server, submit, formId, webhookId }) {
        await submit('one', 'two')
        await server.clock.advance('30s')
        server.app.webhooks.pause(formId, webhookId)
        await submit('never sent')
      },
    })
    const summary = page.locator('.summary')
    const health = 'paused since 12:00:30 (1 not sent)'
    await goTo('/endpoints')
    await rows.first().getByText(health, { exact: true }).click()
    await summary.getByText(health, { exact: true }).waitFor()
    const neverSent = '1 response submitted while paused is not sent later.'
    await summary.getByText('2 failed').waitFor()
    await page.getByRole('grid', { name: 'Deliveries of the endpoint' }).waitFor()
    expect(await button('Resume and replay 2').getAttribute('title')).toBe(neverSent)
    await button('Resume and replay 2').click()
    await dialog.getByRole('heading', { name: 'Resume and replay 2 deliveries?' }).waitFor()
    await dialog.getByText(new URL(receiver.url).host).waitFor()
    await confirm('Cancel')
    await summary.getByText(health, { exact: true }).waitFor()
    expect(receiver.deliveries).toHaveLength(2)
    await button('Resume and replay 2').click()
    await confirm('Resume and replay')
    await notice.getByText('Replayed 2 deliveries: 2 delivered.').waitFor()
    await summary.getByText('healthy').waitFor()
    expect(await notice.count()).toBe(1)
    await notice.getByRole('button', { name: 'View', exact: true }).click()
    await page.locator('.grid-body .dot.delivered').nth(1).waitFor()
    await eventually(() => rows.count()).toBe(2)
    const sent = receiver.deliveries.slice(2).map(({ payload }) => JSON.stringify(payload))
    expect(sent.map((text) => /one|two|never sent/.exec(text)?.[0]).sort()).toEqual(['one', 'two'])
  })

  it('get test events, whose notice tells what came of them and leads to the delivery', async () => {
    const { page, pane, notice, button, press, receiver } = await scene([503], {
      path: '/endpoints/1',
      pageClock: true,
    })
    const { promise: responded, resolve: respond } = deferred()
    receiver.onDelivery = () => responded
    await press('Send test event')
    await receiver.waitFor(1, PATIENT)
    await page.clock.runFor(1_000)
    await notice.getByText('Waiting for the response.').waitFor()
    respond()
    await notice.getByText('Next attempt in 1 min.').waitFor()
    expect(await textOf(notice.locator('bdi'))).toBe(
      `Test event, first attempt to ${receiver.url.slice('http://'.length)}: The receiver responded with 503. Delivered means a 2xx response. Next attempt in 1 min.`,
    )
    expect(await notice.count()).toBe(1)
    await press('View delivery')
    await pane.getByTestId('attempt-1').waitFor()
    await button('View delivery').waitFor({ state: 'detached' })
  })
})
