import { describe, expect, it } from 'vitest'
import { eventually, textOf } from './browser-kit.ts'
import { chooseInPalette, consoleTests } from './console-kit.ts'

describe('API requests in the console', () => {
  const { start } = consoleTests()

  it('have headers, bodies and a duration, no key but its name and prefix, and are found by its name and their id', async () => {
    const { page, server, rows, pane, goTo } = await start({
      path: '/requests',
      async prepare({ app, writeKey }, url) {
        const { id } = app.forms.create({ title: 'Lunch', questions: [] })
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${writeKey}` }
        const body = `{"title":"It's"}`
        await fetch(`${url}/api/v1/forms/${id}?a=:`, { method: 'PATCH', headers, body })
        await fetch(`${url}/api/v1/me`)
      },
    })
    await eventually(() => rows.count()).toBe(2)
    expect(await textOf(rows.nth(0))).toMatch(/401\s+<?\d+ ms\s+unauthorized/)
    expect((await textOf(rows.nth(1))).replaceAll(/\s/g, '')).toMatch(
      /^.*PATCH\/forms\/\w{12}\?a=:200<?\d+ms/,
    )
    expect(await page.content()).not.toContain(server.writeKey)
    const [{ name, prefix } = { name: '', prefix: '' }] = server.app.keys
      .list()
      .filter((key) => server.writeKey.startsWith(key.prefix))
    expect(await textOf(rows.nth(1))).toContain(name)
    await rows.nth(1).click()
    await pane.getByText(`${prefix}…`).waitFor()
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
    expect(await pane.getByRole('link', { name }).getAttribute('href')).toBe('#/server/access')
    await page.getByRole('searchbox').fill(name)
    await eventually(() => rows.count()).toBe(1)
    await page.getByRole('searchbox').fill('')
    await rows.nth(0).click()
    await pane.locator('.facts').first().getByText('The API key is missing, wrong or revoked.').waitFor()
    const [, { request_id: id } = { request_id: '' }] = server.app.requests.list()
    await page.getByLabel('Method').selectOption('PATCH')
    await page.getByLabel('Time', { exact: true }).selectOption('Last hour')
    await page.getByRole('searchbox').fill(id.toUpperCase())
    await eventually(() => rows.count()).toBe(1)
    await goTo('/forms')
    await chooseInPalette(page, id, `Request ${id}`)
    await pane.locator('.pane-id').getByText(id).waitFor()
  })
})
