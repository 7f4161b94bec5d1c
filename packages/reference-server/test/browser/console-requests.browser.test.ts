// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import { describe, expect, it } from 'vitest'
import { type ConsoleOptions, consoleTests, copied, eventually, hasChromium } from './console-kit.ts'

describe.skipIf(!hasChromium)('API requests in the console', () => {
  const { start } = consoleTests()

  /** A console with a form, after some requests of a client. */
  async function scene(
    requests: readonly (readonly [method: string, path: string, body?: string])[],
    options: ConsoleOptions = {},
  ) {
    let formId = ''
    const open = await start({
      ...options,
      async prepare(server, url) {
        formId = server.app.forms.create({ title: 'Lunch', questions: [] }).id
        await options.prepare?.(server, url)
        for (const [method, path, body] of requests) {
          const headers = { authorization: `Bearer ${server.writeKey}`, 'content-type': 'application/json' }
          const init = { method, headers, ...(body === undefined ? {} : { body }) }
          await fetch(`${url}/api/v1${path.replace('FORM', formId)}`, init)
        }
      },
    })
    const pane = open.page.locator('.pane')
    return {
      ...open,
      formId,
      pane,
      row: (at: number) => open.page.locator('.grid-body [role=row]').nth(at),
      body: (name: 'Response body' | 'Request body') => pane.getByRole('group', { name }).innerText(),
    }
  }

  it('finds a request by its id with two keys: Ctrl+K and Enter', async () => {
    const { page, server, pane } = await scene([
      ['GET', '/me'],
      ['GET', '/forms/nope'],
    ])
    const { request_id: id = '' } = server.app.requests.get('1') ?? {}
    await page.keyboard.press('Control+k')
    // Pasted.
    await page.getByRole('combobox', { name: 'View, form' }).fill(id)
    await page.getByRole('option', { name: id }).waitFor()
    await page.keyboard.press('Enter')
    await pane.getByRole('heading', { name: 'Request 1' }).waitFor()
    expect(await pane.locator('.pane-id').innerText()).toBe(id)
  })

  it('shows headers and bodies of both sides, the duration, and no key', async () => {
    const { page, server, pane, row, body } = await scene([['PATCH', '/forms/FORM', '{"title":"Dinner"}']], {
      path: '/requests',
    })
    expect(await row(0).innerText()).toMatch(/200\s+<?\d+ ms/)
    await row(0).click()
    expect(JSON.parse(await body('Response body'))).toMatchObject({ data: { title: 'Dinner' } })
    expect(JSON.parse(await body('Request body'))).toEqual({ title: 'Dinner' })
    await pane.getByText('Response headers', { exact: true }).click()
    await pane.getByText('x-request-id').waitFor()
    await pane.getByText('Request headers', { exact: true }).click()
    await pane.getByText(`Bearer ${server.writeKey.slice(0, 10)}…`).waitFor()
    expect(await pane.locator('dt', { hasText: 'Duration' }).locator('+ dd').innerText()).toMatch(
      /^<?\d+ ms$/,
    )
    expect(await page.content()).not.toContain(server.writeKey)
  })

  it('shows the start of a long body as whole JSON', async () => {
    const { body, row, page } = await scene([['GET', '/forms/FORM/responses?per_page=100']], {
      path: '/requests',
      async prepare({ app }) {
        const [form] = app.forms.list()
        for (let at = 0; at < 40; at += 1)
          app.responses.create(form?.id ?? '', { answers: [], meta: { note: `"{[${'é'.repeat(500)}` } })
      },
    })
    await row(0).click()
    const shown = JSON.parse(await body('Response body')) as { data: { id: number }[] }
    expect(shown.data.length).toBeGreaterThan(5)
    expect(shown.data[0]?.id).toBe(40)
    await page.getByText('The journal keeps the first 16.4 kB.').waitFor()
  })

  it('names the fault that gave a response, also when it is used up, and leads to the others', async () => {
    const { page, server, pane, row } = await scene([['GET', '/me']], {
      path: '/requests',
      prepare: async ({ app }) => {
        app.faults.add({ status: 503, times: 2 })
      },
    })
    expect(await row(0).innerText()).toContain('fault #1')
    await row(0).click()
    await pane.getByText('Caused by fault #1: 503').waitFor()
    server.app.faults.clear()
    await pane.getByText('Caused by fault #1: 503 (no longer active)').waitFor()
    await pane.getByRole('link', { name: 'fault #1' }).click()
    await page.getByRole('heading', { name: 'Faults' }).waitFor()
  })

  it('replays a PATCH with the key of the request in two clicks, and with another one', async () => {
    const { page, server, pane, row, formId, body } = await scene(
      [['PATCH', '/forms/FORM', '{"title":"Dinner"}']],
      {
        path: '/requests',
      },
    )
    server.app.forms.update(formId, { title: 'Breakfast' })
    await row(0).click()
    await pane.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('dialog').getByText(`PATCH /api/v1/forms/${formId}`).waitFor()
    await page.getByRole('dialog').getByText('What it changes is changed again.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Send PATCH' }).click()
    await page.locator('.notice.done').getByText('Sent as request 2: 200').waitFor()
    await pane.getByRole('heading', { name: 'Request 2' }).waitFor()
    expect(server.app.forms.get(formId).title).toBe('Dinner')

    await page.keyboard.press('p')
    const read = server.app.keys.list().find(({ scope }) => scope === 'read')
    await page.getByLabel('With the rights of').selectOption(String(read?.id))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await pane.getByRole('heading', { name: 'Request 3' }).waitFor()
    await page.locator('.notice.warning').getByText('Sent as request 3: 403').waitFor()
    expect(JSON.parse(await body('Response body'))).toMatchObject({ error: { code: 'forbidden' } })
    expect(await page.content()).not.toContain(server.writeKey)
  })

  it('[AUTH-03] does not offer another key of a restored snapshot as that of the request', async () => {
    const { page, pane, row } = await scene([], {
      path: '/requests',
      prepare: async ({ app }, url) => {
        const before = app.snapshot.take()
        const { key } = app.keys.create({ name: 'Own', scope: 'read' })
        await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
        app.snapshot.restore(before)
        app.keys.create({ name: 'Another', scope: 'read' })
      },
    })
    await row(0).click()
    await pane.getByRole('button', { name: 'Replay' }).click()
    const chosen = page.getByLabel('With the rights of').locator('option:checked')
    expect(await chosen.textContent()).toContain('(write)')
  })

  it('says why a request cannot be replayed before it is sent', async () => {
    const { page, pane, row, goTo } = await scene(
      [
        ['PATCH', '/forms/FORM', JSON.stringify({ title: 'x'.repeat(17_000) })],
        ['GET', '/me'],
      ],
      {
        path: '/requests',
        prepare: async (server, url) => {
          await fetch(`${url}/api/v1/me?key=${server.writeKey}`)
        },
      },
    )
    const button = pane.getByRole('button', { name: 'Replay' })
    await row(0).click()
    await pane.getByRole('heading', { name: 'Request 3' }).waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('false')
    for (const [number, reason] of [
      [2, 'Can’t be replayed: its body is not kept as a whole.'],
      [1, 'Can’t be replayed: its URL has a secret, which is not kept.'],
    ] as const) {
      await goTo(`/requests/${number}`)
      await pane.getByText(reason).waitFor()
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      expect(await button.getAttribute('title')).toBe(reason)
      await button.click({ force: true })
      await page.keyboard.press('p')
      expect(await page.getByRole('dialog').count()).toBe(0)
    }
  })

  it('copies a request of any method as curl, with the key in a variable', async () => {
    const { page, url, row, pane, formId } = await scene(
      [
        ['PATCH', '/forms/FORM', `{"title":"It's"}`],
        ['GET', '/me'],
        ['HEAD', '/me'],
      ],
      { path: '/requests' },
    )
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const key = '-H "Authorization: Bearer $FORMWIRE_API_KEY"'
    const json = "-H 'content-type: application/json'"
    for (const [at, command] of [
      `curl -i --head '${url}/api/v1/me' ${key} ${json}`,
      `curl -i '${url}/api/v1/me' ${key} ${json}`,
      `curl -i -X 'PATCH' '${url}/api/v1/forms/${formId}' ${key} ${json} --data-raw '{"title":"It'\\''s"}'`,
    ].entries()) {
      await row(at).click()
      await pane.getByRole('heading', { name: `Request ${3 - at}` }).waitFor()
      await page.evaluate(() => navigator.clipboard.writeText(''))
      await page.keyboard.press('c')
      await eventually(() => copied(page, 'the curl command')).toBe(command)
    }
  })

  it('closes the palette with one Escape, also after something was typed', async () => {
    const { page } = await scene([])
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'View, form' })
    await box.fill('keys')
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
    expect(await page.locator('dialog[open]').count()).toBe(0)
  })
})
