import { describe, expect, it } from 'vitest'
import { eventually, textOf } from './browser-kit.ts'
import { type ConsoleOptions, chooseInPalette, consoleTests } from './console-kit.ts'

describe('API requests in the console', () => {
  const { start } = consoleTests()

  /** The requests of a client that has sent these. Each has the key, unless its path begins with `!`. */
  async function scene(
    requests: readonly (readonly [method: string, path: string, body?: string])[],
    options: ConsoleOptions = {},
  ) {
    let formId = ''
    const open = await start({
      path: '/requests',
      async prepare(server, url) {
        formId = server.app.forms.create({ title: 'Lunch', questions: [] }).id
        await options.prepare?.(server, url)
        for (const [method, path, body] of requests) {
          const isSigned = !path.startsWith('!')
          const headers = {
            'content-type': 'application/json',
            ...(isSigned && { authorization: `Bearer ${server.writeKey}` }),
          }
          const target = `${url}/api/v1${path.replace('!', '').replace('FORM', formId)}`
          await fetch(target, { method, headers, ...(body !== undefined && { body }) })
        }
      },
    })
    return { ...open, formId }
  }

  it('are listed with the name of the key and only its prefix, and found by its name and id', async () => {
    const { page, server, rows, pane, goTo } = await scene([
      ['GET', '/forms?status=draft'],
      ['GET', '!/me'],
    ])
    await eventually(() => rows.count()).toBe(2)
    expect(await textOf(rows.nth(0))).toMatch(/401\s+<?\d+ ms\s+unauthorized/)
    expect((await textOf(rows.nth(1))).replaceAll(/\s/g, '')).toContain('GET/forms?status=draft')
    expect(await page.content()).not.toContain(server.writeKey)
    const [{ name, prefix } = { name: '', prefix: '' }] = server.app.keys
      .list()
      .filter((key) => server.writeKey.startsWith(key.prefix))
    expect(await textOf(rows.nth(1))).toContain(name)
    await rows.nth(1).click()
    await pane.getByText(`${prefix}…`).waitFor()
    expect(await pane.getByRole('link', { name }).getAttribute('href')).toBe('#/server/access')
    await page.getByRole('searchbox').fill(name)
    await eventually(() => rows.count()).toBe(1)
    await page.getByRole('searchbox').fill('')
    await rows.nth(0).click()
    await pane.locator('.facts').first().getByText('The API key is missing, wrong or revoked.').waitFor()
    const [, { request_id: id } = { request_id: '' }] = server.app.requests.list()
    await page.getByLabel('Method').selectOption('GET')
    await page.getByLabel('Time', { exact: true }).selectOption('Last hour')
    await page.getByRole('searchbox').fill(id.toUpperCase())
    await eventually(() => rows.count()).toBe(1)
    await goTo('/forms')
    await chooseInPalette(page, id, `Request ${id}`)
    await pane.locator('.pane-id').getByText(id).waitFor()
  })

  it('have headers and bodies of both sides and a duration, and no key', async () => {
    const { page, server, rows, pane } = await scene([['PATCH', '/forms/FORM', `{"title":"It's"}`]])
    expect(await textOf(rows.first())).toMatch(/200\s+<?\d+ ms/)
    await rows.first().click()
    const body = async (name: string) => JSON.parse(await textOf(pane.getByRole('group', { name })))
    expect(await body('Response body')).toMatchObject({ data: { title: "It's" } })
    expect(await body('Request body')).toEqual({ title: "It's" })
    await pane.getByText('Response headers', { exact: true }).click()
    await pane.getByText('x-request-id').waitFor()
    await pane.getByText('Request headers', { exact: true }).click()
    await pane.getByText(`Bearer ${server.writeKey.slice(0, 10)}…`).waitFor()
    const duration = pane.locator('dt', { hasText: 'Duration' }).locator('+ dd')
    expect(await textOf(duration)).toMatch(/^<?\d+ ms$/)
    expect(await page.content()).not.toContain(server.writeKey)
  })
})
