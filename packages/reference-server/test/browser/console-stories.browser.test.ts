// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PATIENT, TEST_TIMEOUT_MS } from '../../../../test/support/patience.ts'
import type { MockReceiver, ReferenceServer } from '../../src/index.ts'
import {
  allDeliveries,
  chooseInEndpointMenu,
  consoleTests,
  copied,
  eventually,
  toggleSection,
} from './console-kit.ts'

/** A published form with one text question. */
function publishedForm(server: ReferenceServer, title = 'Feedback'): string {
  const { id } = server.app.forms.create({
    title,
    questions: [{ id: 'say', type: 'short_text', title: 'What do you say?' }],
  })
  server.app.forms.publish(id)
  return id
}

function submit(server: ReferenceServer, formId: string, text: string): void {
  server.app.responses.create(formId, { answers: [{ question_id: 'say', value: text }], deliver: true })
}

/** Publishes a form with an endpoint at the receiver, which has got a test event when this resolves. Returns the id of the form. */
async function testedForm(server: ReferenceServer, target: MockReceiver): Promise<string> {
  const formId = publishedForm(server)
  const { id } = await server.app.webhooks.create(formId, { url: target.url })
  server.app.webhooks.test(formId, id)
  await target.waitFor(1, PATIENT)
  return formId
}

/** Publishes a form with an endpoint at the receiver, which has got a response when this resolves. */
async function answeredForm(server: ReferenceServer, target: MockReceiver, text: string): Promise<void> {
  const formId = publishedForm(server)
  await server.app.webhooks.create(formId, { url: target.url })
  submit(server, formId, text)
  await target.waitFor(1, PATIENT)
}

describe('console stories', () => {
  const { start, receiver } = consoleTests()

  it('[FORM-14] opens a form at a URL that ends with the id of the form', async () => {
    let formId = ''
    const open = await start({
      path: '/forms',
      prepare: async (server) => {
        formId = publishedForm(server)
      },
    })
    const { page, url } = open
    expect(formId).toMatch(/^[0-9A-Za-z]{12}$/)
    await page.getByRole('link', { name: 'Feedback', exact: true }).click()
    await page.getByRole('heading', { name: 'Feedback' }).waitFor()
    expect(page.url()).toBe(`${url}/_app/console#/forms/${formId}`)
  })

  it('[DLV-06] shows the retries of a failing delivery while the clock advances, until it is delivered', async () => {
    const target = await receiver('500', '302', '200')
    let formId = ''
    const open = await start({
      prepare: async (server) => {
        formId = publishedForm(server)
        await server.app.webhooks.create(formId, { url: target.url })
      },
    })
    const { page, server } = open
    await page.getByRole('heading', { name: 'Your first signed delivery' }).waitFor()
    submit(server, formId, 'hello')

    const row = page.getByRole('grid', { name: 'Delivery log' }).locator('.grid-body [role=row]').first()
    await row.getByText('500', { exact: true }).waitFor()
    expect(await row.innerText()).toContain('pending')
    expect(await row.getByText('in 1 min').getAttribute('title')).toContain('12:01:00')

    await row.click()
    const pane = page.locator('.pane')
    await pane.getByTestId('attempt-1').waitFor()
    expect(await pane.getByTestId('next-attempt').innerText()).toBe('12:01:00 (in 1 min)')
    expect(await pane.getByTestId('attempt-1').innerText()).toMatch(/Attempt 1\s+12:00:00\s+500/)

    const step = page.getByRole('button', { name: '+1 min', exact: true })
    await step.focus()
    await page.keyboard.press('Enter')
    await pane.getByTestId('attempt-2').waitFor()
    // A step keeps the focus, so that it can be pressed again.
    expect(await step.evaluate((element) => element === document.activeElement)).toBe(true)
    await eventually(() => page.getByTestId('clock').innerText()).toBe('21 Nov 2026 12:01:00 UTC')
    await pane.getByText('Redirects are not followed').waitFor()
    expect(await pane.getByTestId('next-attempt').innerText()).toBe('12:06:00 (in 5 min)')

    await page.getByRole('button', { name: 'Skip to next attempt' }).click()
    await pane.getByTestId('attempt-3').waitFor()
    await eventually(() => page.getByTestId('clock').innerText()).toBe('21 Nov 2026 12:06:00 UTC')
    await pane.locator('.pane-head').getByText('delivered').waitFor()
    expect(await pane.getByTestId('next-attempt').count()).toBe(0)
    expect(await pane.getByRole('list', { name: '3 of 6 attempts made' }).count()).toBe(1)
    expect(open.errors).toEqual([])
  })

  it('[DLV-06] tells why a delivery fails in 1 click from the first view, in the words of its receiver', async () => {
    const failing = await receiver(...Array(3).fill({ status: 503, body: 'deploy in progress' }))
    const target = await receiver()
    const { page } = await start({
      prepare: async (server) => {
        await answeredForm(server, failing, 'lost')
        await answeredForm(server, target, 'found')
        await server.clock.advance('14m')
      },
    })
    const clicks = await page.evaluateHandle(() => {
      const all: Event[] = []
      addEventListener('click', (event) => all.push(event), true)
      return all
    })
    await page.locator('.grid-body [role=row]', { hasText: '#1' }).last().click()
    await eventually(() => page.locator('.verdict').innerText()).toBe(
      '503 three times: deploy in progress. Next try in 22 min.',
    )
    const box = await page.getByRole('group', { name: 'Response body' }).boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(900)
    expect(await clicks.evaluate(({ length }) => length)).toBe(1)
  })

  it('[DLV-05] shows an attempt that waits for its receiver as in flight', async () => {
    const target = await receiver('timeout')
    const open = await start({
      server: { deliveryTimeoutMs: TEST_TIMEOUT_MS },
      prepare: async (server) => {
        await testedForm(server, target)
      },
    })
    const { page } = open
    const row = page.locator('.grid-body [role=row]').first()
    await row.getByText('in flight').waitFor()
    await row.click()
    await eventually(() => page.getByTestId('next-attempt').innerText()).toBe('12:00:00 (in flight)')
  })

  it('[DLV-03][DLV-04] shows all headers and the payload that the receiver got', async () => {
    const target = await receiver()
    const open = await start({
      prepare: async (server) => {
        await answeredForm(server, target, 'héllo')
      },
    })
    const { page } = open
    await page.locator('.grid-body [role=row]').first().click()
    const payload = page.getByRole('group', { name: 'Payload', exact: true })
    expect(JSON.parse(await payload.innerText())).toEqual(
      JSON.parse(new TextDecoder().decode(target.deliveries[0]?.rawBody)),
    )
    await toggleSection(page, 'Headers')
    const rows = page.locator('.pane .headers > div')
    await rows.first().waitFor()
    const shown = Object.fromEntries(
      await rows.evaluateAll((all) =>
        all.map((row) => [row.querySelector('dt')?.textContent, row.querySelector('dd')?.textContent]),
      ),
    )
    // The connection header is not part of the delivery.
    const { connection: _, ...received } = target.deliveries[0]?.headers ?? {}
    expect(shown).toEqual(received)
  })

  it('[HOOK-03] deletes an endpoint and its log after confirmation', async () => {
    const target = await receiver()
    let formId = ''
    const open = await start({
      prepare: async (server) => {
        formId = await testedForm(server, target)
        await server.clock.advance(0)
      },
    })
    const { page, server } = open
    await allDeliveries(page, 1).waitFor()
    await open.goTo('/endpoints')
    await chooseInEndpointMenu(page, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(server.app.webhooks.list(formId)).toHaveLength(1)
    await chooseInEndpointMenu(page, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click()
    await page.getByText('No endpoints yet').waitFor()
    expect(server.app.webhooks.list(formId)).toEqual([])
    await open.goTo('/deliveries')
    await page.getByRole('heading', { name: 'Your first signed delivery' }).waitFor()
  })

  it('[DLV-08] replays a delivery as a new delivery with a new id, and opens it', async () => {
    const target = await receiver()
    const open = await start({
      prepare: async (server) => {
        await answeredForm(server, target, 'hello')
      },
    })
    const { page } = open
    await page.locator('.grid-body [role=row]').first().click()
    const first = await page.locator('.pane-id code').innerText()
    await page.getByRole('button', { name: 'Replay' }).click()
    await eventually(() => page.locator('.pane-id code').innerText()).not.toBe(first)
    await target.waitFor(2, PATIENT)
    await eventually(() => page.locator('.grid-body [role=row]').count()).toBe(2)
    expect(target.deliveries.map(({ id }) => id)).toEqual([
      first,
      await page.locator('.pane-id code').innerText(),
    ])
  })

  /** The signature of a delivery, computed with this secret. */
  const signed = (secret: string, { headers, rawBody }: MockReceiver['deliveries'][number]) => {
    const hmac = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.`).update(rawBody)
    return `sha256=${hmac.digest('hex')}`
  }

  it('[HOOK-02][DLV-04] adds an endpoint, and shows the secret that signs its deliveries once', async () => {
    const target = await receiver()
    let formId = ''
    const open = await start({
      prepare: async (server) => {
        formId = publishedForm(server)
      },
    })
    const { page, server } = open
    await open.goTo(`/forms/${formId}/endpoints`)
    await page.getByRole('button', { name: 'Add an endpoint' }).click()
    await page.getByRole('dialog').getByLabel('URL').fill(target.url)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const secret = await page.getByTestId('revealed').innerText()
    expect(secret).toMatch(/^whsec_/)
    await page.getByText('Shown once.').waitFor()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    expect(await page.content()).not.toContain(secret)

    submit(server, formId, 'hello')
    const [delivery] = await target.waitFor(1, PATIENT)
    await open.goTo('/deliveries')
    await page.locator('.grid-body [role=row]').first().click()
    await toggleSection(page, 'Signature')
    await page
      .locator('.pane')
      .getByText(delivery ? signed(secret, delivery) : 'none')
      .waitFor()
  })

  it('[HOOK-08] rotates a secret, which signs from then on', async () => {
    const target = await receiver()
    const { page } = await start({
      path: '/endpoints',
      prepare: async (server) => {
        await testedForm(server, target)
      },
    })
    await chooseInEndpointMenu(page, 'Rotate secret')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const secret = await page.getByTestId('revealed').innerText()
    expect(secret).toMatch(/^whsec_/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Test event' }).click()
    const [earlier, later] = await target.waitFor(2, PATIENT)
    expect([earlier, later].map((one) => one && one.signature === signed(secret, one))).toEqual([false, true])
  })

  it('[HOOK-07] pauses an endpoint, which fails its pending deliveries with a note, and resumes it', async () => {
    const target = await receiver('500')
    const open = await start({
      path: '/endpoints',
      prepare: async (server) => {
        await testedForm(server, target)
        await server.clock.advance(0)
      },
    })
    const { page } = open
    await page.getByText('1 pending').waitFor()
    await chooseInEndpointMenu(page, 'Pause')
    await page.getByRole('dialog').getByText('1 pending delivery fails and is not retried').waitFor()
    await page.getByRole('button', { name: 'Pause endpoint' }).click()
    await page.getByText('1 failed').waitFor()
    await page.getByRole('button', { name: 'Test event' }).waitFor({ state: 'detached' })
    await chooseInEndpointMenu(page, 'Open the log')
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor()
    await page.locator('.grid-body [role=row]').first().click()
    await page.getByText('The endpoint was paused. Resume it and replay this delivery.').waitFor()
    const deliveryUrl = page.url()
    expect(await page.getByRole('button', { name: 'Replay', exact: true }).count()).toBe(0)
    await open.goTo('/endpoints')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Test event' }).waitFor()
    await page.goto(deliveryUrl)
    const verdict = page.locator('.verdict')
    await verdict.getByText('The endpoint was paused.').waitFor()
    expect(await verdict.innerText()).not.toContain('Resume')
  })

  it('[DLV-08] replays the failures with three clicks: Failed, Replay failed, Replay', async () => {
    const target = await receiver(...Array(18).fill('503'))
    const { page } = await start({
      prepare: async (server) => {
        const formId = publishedForm(server)
        await server.app.webhooks.create(formId, { url: target.url })
        for (const text of ['one', 'two', 'three']) submit(server, formId, text)
        await server.clock.advance('1d')
        submit(server, formId, 'four')
        await server.clock.advance(0)
      },
    })
    let clicks = 0
    const click = (role: 'link' | 'button', name: string | RegExp) => {
      clicks++
      return page.getByRole(role, { name }).click()
    }
    await click('link', 'Failed 3')
    await click('button', 'Replay failed (3)')
    await click('button', /^Replay$/)
    await page.locator('.notice').getByText('Replayed 3 deliveries: 3 delivered.').waitFor()
    expect(clicks).toBeLessThanOrEqual(4)
    const sent = target.deliveries.slice(19).map(({ payload }) => JSON.stringify(payload))
    expect(sent.map((text) => /one|two|three|four/.exec(text)?.[0])).toEqual(['one', 'two', 'three'])
  })

  it('[HOOK-07] resumes a paused endpoint and replays what failed with one click', async () => {
    const target = await receiver('503', '503')
    let ids = { formId: '', endpointId: 0 }
    const { page, goTo, server } = await start({
      prepare: async (prepared) => {
        const formId = publishedForm(prepared)
        const { webhooks } = prepared.app
        const { id } = await webhooks.create(formId, { url: target.url })
        for (const text of ['one', 'two']) submit(prepared, formId, text)
        await prepared.clock.advance('30s')
        webhooks.pause(formId, id)
        submit(prepared, formId, 'never sent')
        ids = { formId, endpointId: id }
      },
    })
    // The same health in the list and on the page, which "Failing endpoints" and the list lead to.
    const health = 'paused since 12:00:30 (1 not sent)'
    await goTo('/endpoints')
    const row = page.locator('.grid-body [role=row]').first()
    await row.getByText(health, { exact: true }).click()
    await page.locator('.summary').getByText(health, { exact: true }).waitFor()
    const neverSent = '1 response submitted while paused is not sent later.'
    await page.locator('.summary').getByText(neverSent).waitFor()
    const resume = page.getByRole('button', { name: 'Resume and replay 2' })
    expect(await resume.getAttribute('title')).toBe(neverSent)
    await resume.click()
    await page.locator('.notice').getByText('Replayed 2 deliveries: 2 delivered.').waitFor()
    await page.locator('.summary').getByText('healthy').waitFor()
    expect(await page.locator('.notice').count()).toBe(1)
    await page.locator('.notice').getByRole('button', { name: 'View', exact: true }).click()
    await page.locator('.grid-body .dot.delivered').nth(1).waitFor()
    await eventually(() => page.locator('.grid-body [role=row]').count()).toBe(2)
    const sent = target.deliveries.slice(2).map(({ payload }) => JSON.stringify(payload))
    expect(sent.map((text) => /one|two|never sent/.exec(text)?.[0])).toEqual(['one', 'two'])
    // What is done without a replay is in the menu.
    server.app.webhooks.pause(ids.formId, ids.endpointId)
    await goTo('/deliveries')
    await goTo('/endpoints')
    await row.getByRole('button', { name: 'Resume', exact: true }).waitFor()
    await chooseInEndpointMenu(page, 'Resume without a replay')
    await row.getByRole('button', { name: 'Test event' }).waitFor()
    expect(target.deliveries).toHaveLength(4)
  })

  it('[AUTH-06][AUTH-07] creates a key, shows it once, and revokes it', async () => {
    const open = await start({ path: '/server/access' })
    const { page, server, url } = open
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Robot')
    await page.getByRole('dialog').getByLabel('Access').selectOption('write')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const key = await page.getByTestId('revealed').innerText()
    expect(key).toMatch(/^svc_/)
    const me = () => fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
    expect((await me()).status).toBe(200)
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    expect(await page.content()).not.toContain(key)

    await page.getByRole('row', { name: /Robot/ }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row', { name: /revoked Robot/ }).waitFor()
    expect((await me()).status).toBe(401)
    expect(server.app.keys.list().filter(({ revoked_at }) => revoked_at === null)).toHaveLength(2)
  })

  it('offers only members of the chosen workspace as creators of a key', async () => {
    const { page } = await start({
      path: '/server/access',
      prepare: async (server) => {
        const { members, users, workspaces } = server.app
        const other = workspaces.create({ name: 'Other workspace' })
        const { id } = users.create({ name: 'Only elsewhere', email: 'elsewhere@example.com' })
        members.set(other.id, id, 'editor')
      },
    })
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog')
    const offered = () => dialog.getByLabel('Created by').locator('option').allInnerTexts()
    expect(await offered()).not.toContain('Only elsewhere')
    expect(await offered()).not.toEqual([])
    await dialog.getByLabel('Workspace').selectOption('Other workspace')
    await eventually(offered).toEqual(['Only elsewhere'])
    await dialog.getByLabel('Name').fill('Robot')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByTestId('revealed').waitFor()
  })

  it('[FORM-07] closes, reopens, trashes and restores a form from the list', async () => {
    let formId = ''
    const { page, server, context } = await start({
      path: '/forms',
      prepare: async (server) => {
        formId = publishedForm(server, 'Survey')
      },
    })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const row = page.locator('.grid-body [role=row]').first()
    const choose = async (name: string) => {
      await row.getByRole('button', { name: 'Actions of form Survey' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    // What people do most. Nothing there changes a form: the list moves then, and another row would be under the pointer.
    await row.getByRole('button', { name: 'Copy the link of Survey' }).click()
    expect(await copied(page, 'the link of Survey')).toBe(server.app.forms.get(formId).url)
    const open = row.getByRole('link', { name: 'Open the public form of Survey' })
    expect(await open.getAttribute('href')).toBe(server.app.forms.get(formId).url)
    await eventually(() => row.getByRole('button').count()).toBe(2)
    await choose('Close form')
    await row.getByText('closed', { exact: true }).waitFor()
    expect(server.app.forms.get(formId).status).toBe('closed')
    await choose('Reopen')
    await row.getByText('published', { exact: true }).waitFor()
    await choose('Move to trash')
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
    await page.getByText('All forms are in the trash').waitFor()
    await page.getByLabel('Status').selectOption('trashed')
    await row.getByText('in trash', { exact: true }).waitFor()
    await choose('Restore')
    await page.getByText('No matching forms').waitFor()
    await page.getByLabel('Status').selectOption('')
    await row.getByText('published', { exact: true }).waitFor()
    expect(server.app.forms.get(formId).trashed).toBe(false)
  })

  it('[RESP-04] shows a response formatted and as JSON, and deletes a response only after confirmation', async () => {
    let formId = ''
    const open = await start({
      prepare: async (server) => {
        formId = server.app.forms.create({
          title: 'Lunch',
          questions: [
            {
              id: 'dish',
              type: 'single_choice',
              title: 'Which dish?',
              options: [{ id: 'o1', label: 'Soup of the day' }],
            },
          ],
        }).id
        server.app.forms.publish(formId)
        server.app.responses.create(formId, {
          answers: [{ question_id: 'dish', value: { ids: ['o1'], other: null } }],
          email: 'ada@example.com',
        })
      },
    })
    const { page, server } = open
    await open.goTo(`/forms/${formId}`)
    // No response has a score, so the list has no column for it.
    await page.getByRole('columnheader', { name: 'Email' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Score' }).count()).toBe(0)
    await page.locator('.grid-body [role=row]').first().click()
    await page.getByRole('group', { name: 'Answer to dish' }).getByText('Soup of the day').waitFor()
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    const shown = JSON.parse(await page.getByRole('group', { name: 'Response as JSON' }).innerText())
    expect(shown).toMatchObject({
      id: 1,
      email: 'ada@example.com',
      answers: [{ question_id: 'dish', value: { ids: ['o1'], other: null } }],
    })
    await open.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy the response as JSON' }).click()
    expect(JSON.parse(await copied(page, 'the response as JSON'))).toEqual(shown)
    const remove = async () => {
      await page.getByRole('button', { name: 'Actions of response #1' }).click()
      await page.getByRole('menuitem', { name: 'Delete response' }).click()
    }
    await remove()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(server.app.forms.get(formId).response_count).toBe(1)
    await remove()
    await page.getByRole('button', { name: 'Delete response' }).click()
    await page.getByText('No responses yet').waitFor()
    expect(server.app.forms.get(formId).response_count).toBe(0)
    await page.locator('.summary').getByText('0 responses').waitFor()
    await eventually(() =>
      page.evaluate(() => (document.activeElement as HTMLElement).innerText.trim()),
    ).toBe('Lunch')
  })

  it('shows the journal of API requests with the name and only the prefix of the key', async () => {
    const open = await start({
      path: '/requests',
      prepare: async (server, url) => {
        await fetch(`${url}/api/v1/forms?status=draft`, {
          headers: { authorization: `Bearer ${server.writeKey}` },
        })
        await fetch(`${url}/api/v1/me`)
      },
    })
    const { page, server, url } = open
    const rows = page.locator('.grid-body [role=row]')
    await eventually(() => rows.count()).toBe(2)
    expect(await rows.nth(0).innerText()).toMatch(/401\s+<?\d+ ms\s+unauthorized/)
    expect(await rows.nth(1).innerText()).toContain('/api/v1/forms?status=draft')
    expect(await page.content()).not.toContain(server.writeKey)
    const [{ name, prefix } = { name: '', prefix: '' }] = server.app.keys
      .list()
      .filter((key) => server.writeKey.startsWith(key.prefix))
    expect(name).not.toBe('')
    expect(await rows.nth(1).innerText()).toContain(name)
    const pane = page.locator('.pane')
    await rows.nth(1).click()
    await pane.getByText(`${prefix}…`).waitFor()
    expect(await pane.getByRole('link', { name }).getAttribute('href')).toBe('#/server/access')
    await page.getByLabel('Key', { exact: true }).selectOption(name)
    await eventually(() => rows.count()).toBe(1)
    await page.getByLabel('Key', { exact: true }).selectOption('No key')
    await eventually(() => rows.nth(0).innerText()).toMatch(/401\s+<?\d+ ms\s+unauthorized/)
    const [, { request_id: id } = { request_id: '' }] = server.app.requests.list()
    await page.getByLabel('Key', { exact: true }).selectOption('')
    await page.getByRole('searchbox').fill(id.toUpperCase())
    await eventually(() => rows.count()).toBe(1)
    expect(await rows.nth(0).innerText()).toContain('/api/v1/forms?status=draft')
    await open.goTo('/forms')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'View, form' }).fill(id)
    await page.getByRole('option', { name: `Request ${id}` }).click()
    await pane.locator('.pane-id').getByText(id).waitFor()
    await open.goTo('/requests')
    await page.getByLabel('Key', { exact: true }).selectOption('No key')
    await eventually(() => rows.count()).toBe(1)
    await rows.nth(0).click()
    await pane.locator('.facts').first().getByText('The API key is missing, wrong or revoked.').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await pane.getByRole('button', { name: 'Copy as curl' }).click()
    expect(await copied(page, 'the curl command')).toBe(
      `curl -i '${url}/api/v1/me' -H "Authorization: Bearer $FORMWIRE_API_KEY"`,
    )
  })

  it('[HOOK-04] keeps the dialog open when a URL is rejected, with the error at the field', async () => {
    let formId = ''
    const open = await start({
      prepare: async (server) => {
        formId = publishedForm(server)
      },
    })
    const { page, server } = open
    await open.goTo(`/forms/${formId}/endpoints`)
    await page.getByRole('button', { name: 'Add an endpoint' }).click()
    const field = page.getByRole('dialog').getByLabel('URL')
    const alert = page.getByRole('dialog').getByRole('alert')
    for (const [mistyped, message] of [
      ['ftp://example.com/hook', 'A webhook URL must begin with https:// or http://.'],
      ['hooks.example.com/hook', 'A webhook URL must begin with https:// or http://.'],
      ['http://127.0.0.1:4000/a hook', 'A webhook URL must not contain spaces'],
      ['http://127.0.0.1:400000/hook', 'The host or the port of the webhook URL is not valid.'],
    ] as const) {
      await field.fill(mistyped)
      await page.keyboard.press('Enter')
      await alert.getByText(message).waitFor()
      expect(await field.inputValue()).toBe(mistyped)
    }
    // The error is about what was typed before.
    await field.press('Backspace')
    await alert.waitFor({ state: 'hidden' })
    expect(await field.getAttribute('aria-invalid')).toBeNull()
    await page.keyboard.press('Enter')
    await alert.waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.getAttribute('aria-describedby')).toBe('dialog-error')
    await eventually(() => field.evaluate((element) => element === document.activeElement)).toBe(true)

    await field.fill('http://127.0.0.1:4000/hook')
    await page.keyboard.press('Enter')
    await page.getByTestId('revealed').waitFor()
    expect(server.app.webhooks.list(formId)).toHaveLength(1)
  })

  it('[HOOK-02] adds an endpoint to a form that is chosen among all forms', async () => {
    let formId = ''
    const { page, server } = await start({
      path: '/endpoints',
      prepare: async (prepared) => {
        formId = publishedForm(prepared)
        prepared.app.forms.create({ title: 'Another form' })
        prepared.app.forms.trash(prepared.app.forms.create({ title: 'In the trash' }).id)
      },
    })
    await page.getByRole('button', { name: 'Add an endpoint' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect((await dialog.getByLabel('Form').locator('option').allInnerTexts()).sort()).toEqual([
      'Another form',
      'Feedback',
    ])
    await dialog.getByLabel('Form').selectOption('Feedback')
    await dialog.getByLabel('URL').fill('http://127.0.0.1:4000/hook')
    await page.keyboard.press('Enter')
    await page.getByTestId('revealed').waitFor()
    expect(server.app.webhooks.list(formId).map(({ url }) => url)).toEqual(['http://127.0.0.1:4000/hook'])
  })

  it('shows that an open delivery no longer exists after a reset', async () => {
    const target = await receiver('200')
    const open = await start({
      prepare: async (server) => {
        const formId = publishedForm(server)
        await server.app.webhooks.create(formId, { url: target.url })
        submit(server, formId, 'hello')
      },
    })
    const { page, server } = open
    await page.locator('.grid-body [role=row]').first().click()
    await page.locator('.pane').getByTestId('attempt-1').waitFor()
    server.app.reset()
    await page.locator('.pane').getByText('This delivery no longer exists').waitFor()
    expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0)
  })

  it('closes an open dialog and shows the token prompt when the token is rejected', async () => {
    const open = await start({ path: '/server/access', pageClock: true })
    const { page } = open
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('CI')
    await page.route('**/_app/catalog?*', (route) =>
      route.fulfill({ status: 401, contentType: 'application/json', body: '{"error":{"message":"no"}}' }),
    )
    await page.clock.runFor(5_000)
    const prompt = page.getByLabel('Admin token')
    await prompt.waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await eventually(() => prompt.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('resets the server to its seed', async () => {
    const open = await start({
      path: '/server',
      prepare: async (server) => {
        publishedForm(server)
      },
    })
    const { page, server } = open
    await page.getByRole('button', { name: 'Reset server' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset server' }).click()
    await page.getByText('Server reset').first().waitFor()
    expect(server.app.forms.list()).toEqual([])
    await open.goTo('/forms')
    await page.getByText('No forms yet').waitFor()
  })

  it('[AUTH-09] adds people, sets a role, and warns that a password change revokes keys', async () => {
    const open = await start({ path: '/server/access' })
    const { page, server } = open
    await page.getByRole('button', { name: 'Add a user' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Grace')
    await page.getByRole('dialog').getByLabel('Email').fill('grace@example.com')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Add as member' }).click()
    const role = page.getByLabel('Role of Grace')
    await eventually(() => role.inputValue()).toBe('viewer')
    await role.selectOption('editor')
    await eventually(() => server.app.workspaces.list()[0]?.members.map((member) => member.role)).toEqual([
      'owner',
      'editor',
    ])
    await page.getByRole('button', { name: 'Change password' }).first().click()
    await page.getByRole('dialog').getByText('are revoked, in every workspace').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
    await eventually(
      () => server.app.keys.list().filter(({ revoked_at }) => revoked_at === null).length,
    ).toBe(0)
  })

  it('can be used by keyboard only: moves through the log, opens a delivery and returns', async () => {
    const target = await receiver()
    const open = await start({
      prepare: async (server) => {
        const formId = publishedForm(server)
        const { id } = await server.app.webhooks.create(formId, { url: target.url })
        for (let sent = 0; sent < 30; sent++) server.app.webhooks.test(formId, id)
        await target.waitFor(30, PATIENT)
      },
    })
    const { page } = open
    const focusedRow = () => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'))
    await page.locator('.grid-body [role=row]').first().waitFor()
    await page.keyboard.press('/')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('search')
    // Past the filters and the overview to the list, which is one tab stop.
    for (let stop = 0; stop < 30 && (await focusedRow()) == null; stop++) await page.keyboard.press('Tab')
    expect(await focusedRow()).toBe('2')
    await page.keyboard.press('ArrowDown')
    expect(await focusedRow()).toBe('3')
    await page.keyboard.press('End')
    expect(await focusedRow()).toBe('31')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('.pane').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('pane-title')
    expect(page.url()).toContain('#/deliveries/')
    await page.keyboard.press('Escape')
    await page.locator('.pane').waitFor({ state: 'detached' })
    expect(await focusedRow()).toBe('3')
  })
})
