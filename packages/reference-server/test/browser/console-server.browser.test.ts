import { describe, expect, it } from 'vitest'
import { eventually, textOf } from './browser-kit.ts'
import { consoleTests } from './console-kit.ts'

const { start, scene } = consoleTests()

describe('the server in the console', () => {
  it('gets faults, shown above every view until they are removed, and again by Undo', async () => {
    const { page, server, url, goTo, press, notice } = await start({ path: '/server', pageClock: true })
    await page.getByLabel(/^Path/).fill('/api/v1/me')
    await page.getByLabel('Times').fill('3')
    await press('503 (proxy page)')
    const faults = () => server.app.faults.list()
    await eventually(faults).toMatchObject([{ status: 503, path: '/api/v1/me', times: 3 }])
    const ask = () => fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${server.readKey}` } })
    expect((await ask()).status).toBe(503)
    await page.clock.runFor(1_000)
    await page.getByText('503 for the next 2 requests, /api/v1/me').first().waitFor()
    for (const view of ['/forms', '/server/access', '/server']) {
      await goTo(view)
      await page.getByText('1 active fault').waitFor()
    }
    await press('Remove the fault 503')
    await eventually(faults).toEqual([])
    await notice.getByRole('button', { name: 'Undo' }).click()
    // For the requests that it has left.
    await eventually(faults).toMatchObject([{ status: 503, times: 2 }])
    await press('Remove it')
    await page.getByText('1 active fault').waitFor({ state: 'detached' })
    expect((await ask()).status).toBe(200)
  })

  it('has a built-in receiver that can be made to fail, which a banner shows in every view', async () => {
    const { page, server, url, goTo, press } = await start({ path: '/server', pageClock: true })
    const headers = { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' }
    const card = page.getByRole('region', { name: 'Built-in receiver' })
    const banner = page.getByRole('complementary', { name: 'Built-in receiver' })
    const set = async (script: unknown[], banners: number) => {
      const init = { method: 'PUT', headers, body: JSON.stringify({ script }) }
      expect((await fetch(`${url}/_app/receivers/built-in/script`, init)).status).toBe(200)
      // The page reads it again every few seconds.
      await eventually(() => page.clock.runFor(5_000).then(() => banner.count())).toBe(banners)
    }
    await card.getByText('not running').waitFor()
    await press('Start it')
    await card.getByText('0 requests').waitFor()
    await card.getByLabel('Make it').selectOption('reset')
    await card.getByLabel('For').selectOption('2')
    await card.getByRole('button', { name: 'Apply' }).click()
    await card.getByText('The next 2 requests: close the connection.').waitFor()
    await goTo('/deliveries')
    await banner.waitFor()
    await press('Back to 200')
    await banner.waitFor({ state: 'detached' })
    await set([503, 200, 404], 1)
    await banner.getByText('The next 3 requests: as scripted').waitFor()
    // No delivery fails with these.
    await set([200, { status: 204 }, 'slow(20)'], 0)
  })

  it('gives a snapshot, restores it after confirmation, refuses other files, and is reset to its seed', async () => {
    const { page, server, press, confirm, shows, goTo } = await scene([], { path: '/server' })
    const [download] = await Promise.all([page.waitForEvent('download'), press('Download snapshot')])
    expect(download.suggestedFilename()).toBe('formwire-snapshot.json')
    server.app.forms.create({ title: 'Created since' })
    const file = page.getByLabel('Snapshot file')
    await file.setInputFiles(await download.path())
    await confirm('Restore snapshot')
    await page.locator('[aria-live=polite]').getByText('Snapshot restored').waitFor()
    expect(server.app.forms.list().map(({ title }) => title)).toEqual(['Feedback'])
    for (const [text, reason] of [
      ['not json', 'notes.json is not valid JSON.'],
      ['{"name":"notes"}', 'snapshot'],
    ] as const) {
      await file.setInputFiles({
        name: 'notes.json',
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      })
      await confirm('Restore snapshot')
      await page.getByRole('alert').getByText(reason).waitFor()
    }
    expect(server.app.forms.list()).toHaveLength(1)
    await download.delete()
    await press('Reset server')
    await confirm('Reset server')
    await shows('Server reset')
    expect(server.app.forms.list()).toEqual([])
    await goTo('/forms')
    await shows('No forms yet')
  })

  it.each([
    [false, 'Copy with personal data'],
    ['normal', 'Scrubbed copy'],
  ] as const)('says in every view where pulled data comes from, scrubbed: %s', async (scrubbed, what) => {
    const pulled = { pulled_at: '2026-11-21T11:00:00.000Z', scrubbed } as const
    const source = { base_url: 'https://forms.example.com', ...pulled }
    const users = [{ name: 'Ann', email: 'ann@example.com' }]
    const workspaces = [{ name: 'Team', members: [{ user: 'ann@example.com', role: 'owner' as const }] }]
    const { page, goTo } = await start({
      path: '/forms',
      server: { seed: { version: 2, source, users, workspaces } },
    })
    const banner = page.getByRole('complementary', { name: 'Source of the data' })
    await eventually(async () => (await textOf(banner)).replace(/\s+/g, ' ')).toBe(
      `${what} of https://forms.example.com. Changes stay on this server.`,
    )
    await goTo('/deliveries')
    await page.getByRole('heading', { name: 'Your first signed delivery' }).waitFor()
    expect(await banner.isVisible()).toBe(true)
  })
})

describe('access in the console', () => {
  it('[AUTH-06][AUTH-07] creates a key, shows it once, and revokes it', async () => {
    const { page, server, url, press, choose, confirm, dialog } = await start({ path: '/server/access' })
    await press('Create a key')
    await dialog.getByLabel('Name').fill('Robot')
    await dialog.getByLabel('Access').selectOption('write')
    await confirm('Create')
    const key = await textOf(page.getByTestId('revealed'))
    expect(key).toMatch(/^svc_/)
    const me = () => fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
    expect((await me()).status).toBe(200)
    await press('I’ve saved it')
    expect(await page.content()).not.toContain(key)
    await choose('Actions of Robot', 'Revoke')
    await confirm('Revoke')
    await page.getByRole('listitem').filter({ hasText: 'Robot' }).getByText('revoked').waitFor()
    expect((await me()).status).toBe(401)
    expect(server.app.keys.list().filter(({ revoked_at }) => revoked_at === null)).toHaveLength(2)
  })

  it('[AUTH-09] adds people, sets a role, and warns that a password change revokes keys', async () => {
    const { page, server, press, confirm, button, dialog } = await start({ path: '/server/access' })
    await press('Add a user')
    await dialog.getByLabel('Name').fill('Grace')
    await dialog.getByLabel('Email').fill('grace@example.com')
    await confirm('Add')
    await page.getByRole('heading', { name: 'Without a workspace' }).waitFor()
    await press('Add a member')
    await dialog.getByLabel('Role').selectOption('viewer')
    await confirm('Add')
    const grace = page.getByRole('listitem').filter({ hasText: 'Grace' })
    await grace.getByText('viewer', { exact: true }).waitFor()
    await press('Actions of Grace')
    await page.getByRole('menuitem', { name: 'editor' }).click()
    const roles = () => server.app.workspaces.list()[0]?.members.map((member) => member.role)
    await eventually(roles).toEqual(['owner', 'editor'])
    await button(/^Actions of/)
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Change password' }).click()
    await dialog.getByText('are revoked, in every workspace').waitFor()
    await confirm('Change password')
    const active = () => server.app.keys.list().filter(({ revoked_at }) => revoked_at === null)
    await eventually(active).toEqual([])
  })
})
