// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import { describe, expect, it } from 'vitest'
import { type ConsoleOptions, consoleTests, copied, eventually } from './console-kit.ts'

describe('API requests in the console', () => {
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
      await pane.getByRole('button', { name: 'Copy as curl' }).click()
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
