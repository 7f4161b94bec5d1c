// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import { readFile } from 'node:fs/promises'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReferenceServer } from '../../src/index.ts'
import {
  allDeliveries,
  axeFaults,
  type Console,
  type ConsoleOptions,
  eventually,
  launchChromium,
  openConsole,
} from './console-kit.ts'
import { demo, demoScene } from './console-scene.ts'

const rows = (page: Page) => page.locator('.grid-body [role=row]')

describe('a first look at the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  const inConsole = async (options: ConsoleOptions, visit: (console: Console) => Promise<void>) => {
    const open = await openConsole(browser, options)
    try {
      await visit(open)
      // The builder asks the server whether edits are valid, and are those of the newest revision.
      expect(open.errors.filter((text) => !/status of (?:409|422)/.test(text))).toEqual([])
    } finally {
      await open.close()
    }
  }

  it('opens with one request for data, however many forms and endpoints there are', () =>
    inConsole(
      {
        server: { limits: 'off' },
        path: '/nothing',
        async prepare({ app }) {
          for (let form = 0; form < 12; form++) {
            const { id } = app.forms.publish(app.forms.create({ title: `Form ${form}` }).id)
            for (let hook = 0; hook < (form === 0 ? 9 : 4); hook++)
              await app.webhooks.create(id, { url: `http://127.0.0.1:9/${form}/${hook}` })
            app.responses.create(id, { answers: [], deliver: true })
          }
          expect(app.webhooks.all()).toHaveLength(53)
        },
      },
      async ({ page, url, server, context }) => {
        await page.close()
        const opened = await context.newPage()
        const requested: string[] = []
        opened.on('request', (request) =>
          requested.push(decodeURIComponent(request.url().slice(`${url}/_app/`.length))),
        )
        await opened.goto(`${url}/_app/console#token=${server.adminToken}&to=/deliveries`)
        await rows(opened).nth(5).waitFor()
        await opened.getByRole('region', { name: 'Overview' }).waitFor()
        await eventually(() => allDeliveries(opened, 53).count()).toBe(1)
        const data = requested.filter((path) => !path.startsWith('console') && path !== 'deliveries/stream')
        expect(data[0]).toBe(
          'catalog?include=endpoints,faults,receiver,forms,workspaces,users,keys,source,clock,deliveries,last_event_id',
        )
        // What may have changed is read again: every five seconds, and after attempts. Nothing is read for each form or endpoint.
        expect(data.filter((path) => !path.startsWith('catalog?'))).toEqual([])
      },
    ))

  it('is where a browser is led that opens the root of the server', () =>
    inConsole({}, async ({ page, url }) => {
      await page.goto(`${url}/`)
      expect(page.url()).toBe(`${url}/_app/console`)
      await page.goto(`${url}/_app/console/#/forms`)
      await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor()
      expect(page.url()).toBe(`${url}/_app/console#/forms`)
    }))

  it('shows a week of deliveries, and lets a test event succeed at the first click', () =>
    inConsole({ server: demo() }, async ({ page, goTo }) => {
      await rows(page).nth(10).waitFor()
      await goTo('/endpoints')
      const own = rows(page).filter({ hasText: '/guest-feedback' })
      await own.getByRole('button', { name: 'Test event' }).click()
      await page
        .locator('.notice')
        .getByText(/^Test event delivered: 200 in \d/)
        .waitFor()
      await goTo('/deliveries?event=test.ping')
      await rows(page).filter({ hasText: 'delivered' }).first().waitFor()
      expect(await rows(page).count()).toBe(1)
    }))

  it('has saved views of the log, each with its number under the other filters', () =>
    inConsole({ server: demo() }, async ({ page }) => {
      const views = page.getByRole('navigation', { name: 'Saved views' }).getByRole('link')
      await eventually(() => views.allTextContents()).toEqual(['All 144', 'Pending 2', 'Failed 22'])
      await views.nth(2).click()
      await eventually(() => rows(page).count()).toBe(22)
      expect(await views.nth(2).getAttribute('aria-current')).toBe('true')
      expect(new Set(await rows(page).locator('.cell.status').allInnerTexts())).toEqual(new Set(['failed']))
      await page.getByRole('searchbox').fill('deploy in progress')
      await eventually(() => views.allTextContents()).toEqual(['All 2', 'Pending 2', 'Failed 0'])
      await views.nth(1).click()
      await eventually(() => rows(page).locator('.cell.result').allInnerTexts()).toEqual([
        '503\ndeploy in progress',
        '503\ndeploy in progress',
      ])
      await page.goBack()
      await eventually(() => rows(page).count()).toBe(0)
    }))

  it('summarizes a form, lists its responses by question, and exports them', () =>
    inConsole({ server: demo(), path: '/forms/guestvoice01/summary' }, async ({ page, goTo, server }) => {
      await page.getByText('net promoter score', { exact: true }).waitFor()
      const summary = await server.app.responses.summary('guestvoice01')
      const nps = summary.questions[0]?.nps?.score ?? 0
      expect(await page.locator('.nps-score').innerText()).toContain(`${nps < 0 ? '−' : '+'}${Math.abs(nps)}`)
      await eventually(() => page.locator('.form-summary .card').count()).toBe(6)
      // By count, with “Other” last, also if nobody chose it; the type is said in words.
      const choices = page.locator('.form-summary .card').filter({ hasText: 'What did you enjoy?' })
      await choices.getByText('Multiple choice').waitFor()
      const labels = await choices.locator('.bar-label').allInnerTexts()
      expect(labels).toHaveLength(5)
      expect(labels.at(-1)).toBe('Other')
      const counts = (await choices.locator('.bar-count').allInnerTexts()).slice(0, 4).map(Number.parseFloat)
      expect(counts).toEqual([...counts].sort((a, b) => b - a))
      await page
        .getByText(/^(1 person|[2-9] people) stopped here/)
        .first()
        .waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('guest-feedback-2026-2026-11-21.csv')
      const csv = await readFile(await download.path(), 'utf8')
      expect(csv.split('\r\n')).toHaveLength(260 + 2)
      await download.delete()

      await goTo('/forms/guestvoice01')
      await page.getByRole('columnheader', { name: 'How was your room?' }).waitFor()
      await eventually(() => rows(page).count()).toBe(100)
      await page.getByRole('button', { name: 'Older' }).click()
      await page.getByText('101–200 of 260 responses').waitFor()
    }))

  it('[DLV-08] replays a response to its endpoints, and leads to its deliveries', () =>
    inConsole({ server: demo(), path: '/forms/guestvoice01' }, async ({ page }) => {
      await rows(page).first().click()
      const deliveries = page.locator('.response-deliveries a')
      const before = await deliveries.count()
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
      await page
        .locator('.notice')
        .getByText(/^Replayed \d deliver/)
        .waitFor()
      await eventually(() => deliveries.count()).toBeGreaterThan(before)
      await deliveries.first().click()
      await page.getByTestId('attempt-1').waitFor()
      expect(page.url()).toContain('#/deliveries/dlv_')
    }))

  it('says in the builder which field is wrong, shows it when the form is saved, and undoes a removal', () =>
    inConsole(
      {
        path: '/forms',
        async prepare({ app }) {
          const questions = Array.from({ length: 12 }, (_, index) => ({
            type: 'short_text',
            title: `Question ${index + 1}`,
          }))
          app.forms.create({ title: 'Long', questions })
        },
      },
      async ({ page }) => {
        await page.getByRole('link', { name: 'Long', exact: true }).click()
        await page.getByRole('link', { name: 'Edit', exact: true }).click()
        const shown = page.frameLocator('iframe:not(.is-loading)').locator('[data-question]').last()
        await shown.waitFor()
        await page.getByLabel('Title of question 12').focus()
        // The preview scrolls to the question that is edited.
        await eventually(() =>
          shown.evaluate((question) => question.getBoundingClientRect().bottom <= innerHeight),
        ).toBe(true)
        const title = page.getByLabel('Title of question 2', { exact: true })
        await title.fill(' ')
        await page.getByText('Enter a title.', { exact: true }).waitFor()
        await page.getByLabel('Title of question 12').focus()
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
        expect(await title.evaluate((field) => field === document.activeElement)).toBe(true)
        await title.fill('Second')
        await page.getByText('Enter a title.', { exact: true }).waitFor({ state: 'detached' })

        await page.getByLabel('Title of question 3').focus()
        await page.getByLabel('When to show question 3').selectOption('q1')
        await page.getByText('Enter the answer to “Question 1” that shows this question.').waitFor()

        await title.focus()
        await page.getByRole('button', { name: 'Remove question 2', exact: true }).click()
        await page.getByText('Removed “Second”').first().waitFor()
        expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe(
          'Question 3',
        )
        await page.getByRole('button', { name: 'Undo' }).click()
        await eventually(() => title.inputValue()).toBe('Second')
        expect(await page.getByLabel(/^Title of question/).count()).toBe(12)
      },
    ))

  it('creates a form in the builder, previews it and publishes it', () =>
    inConsole({ path: '/forms' }, async ({ page, server, context }) => {
      await page.getByRole('button', { name: 'New form' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Title').fill('Lunch survey')
      await dialog.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('heading', { name: 'Edit Lunch survey' }).waitFor()
      const frame = page.frameLocator('iframe:not(.is-loading)')
      await frame.getByRole('heading', { name: 'Lunch survey' }).waitFor()

      const types = page.getByRole('listbox', { name: 'Question types' })
      await types.getByText('Single choice').click()
      await page.getByLabel('Title of question 1').fill('Soup or salad?')
      await page.getByLabel('Option 1', { exact: true }).fill('Soup')
      await page.getByLabel('Option 2', { exact: true }).fill('Soup')
      await page.getByText('“Soup” is listed twice.').waitFor()
      await page.getByLabel('Option 2', { exact: true }).fill('Salad')
      await page.getByText('“Soup” is listed twice.').waitFor({ state: 'detached' })
      await page.getByLabel('Option 3', { exact: true }).fill('')
      await page.getByText('Enter a text for each option, or remove it.').waitFor()
      await page.getByRole('button', { name: 'Remove option 3' }).click()
      await types.getByText('Long text').click()
      await page.getByLabel('Title of question 2').fill('Which soup?')
      await page.getByLabel('When to show question 2').selectOption('q1')
      await frame.getByText('Soup or salad?').first().waitFor()
      await frame.getByText('Only if you answered “Soup” to “Soup or salad?”').waitFor()
      await page.getByLabel(/^Language/).fill('de')
      await page.getByText('Unsaved changes').waitFor()

      await page.getByRole('button', { name: 'Save and publish' }).click()
      const link = page.getByRole('link', { name: 'Open the form' })
      await link.waitFor()
      const [form] = server.app.forms.list()
      expect(form).toMatchObject({
        title: 'Lunch survey',
        language: 'de',
        status: 'published',
        questions: [
          {
            id: 'q1',
            type: 'single_choice',
            title: 'Soup or salad?',
            options: [
              { id: 'soup', label: 'Soup' },
              { id: 'salad', label: 'Salad' },
            ],
          },
          { id: 'q2', type: 'long_text', show_if: { question_id: 'q1', equals: 'soup' } },
        ],
      })
      expect(await link.getAttribute('href')).toBe(form?.url)

      await page.getByRole('button', { name: 'More actions' }).click()
      const [shown] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('menuitem', { name: 'Preview' }).click(),
      ])
      await shown.getByText('Preview: this page accepts no responses.').waitFor()
      expect(await shown.getByRole('button', { name: 'Submit' }).isDisabled()).toBe(true)
      await shown.close()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Duplicate' }).click()
      await page.getByRole('heading', { name: 'Edit Copy of Lunch survey' }).waitFor()
      expect(server.app.forms.list().map(({ title }) => title)).toContain('Copy of Lunch survey')
    }))

  it('keeps the number of responses beside the title of a form up to date', () => {
    let formId = ''
    const prepare = async ({ app }: ReferenceServer) => {
      formId = app.forms.create({ title: 'Feedback' }).id
      app.forms.publish(formId)
      app.responses.create(formId, { answers: [] })
    }
    return inConsole({ path: '/forms', pageClock: true, prepare }, async ({ page, server, goTo }) => {
      await goTo(`/forms/${formId}`)
      await page.locator('.summary').getByText('1 response', { exact: true }).waitFor()
      server.app.responses.create(formId, { answers: [] })
      await page.clock.runFor(5_000)
      await page.locator('.summary').getByText('2 responses', { exact: true }).waitFor()
    })
  })

  it('says that saved changes are not published yet, until they are', () =>
    inConsole({ server: demo(), path: '/forms/winterdinner/edit' }, async ({ page, server, goTo }) => {
      server.app.forms.publish('winterdinner')
      await page.getByLabel('Title', { exact: true }).fill('Another title')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.locator('.notice').getByText('Saved. Publish the form to make the changes live.').waitFor()
      const badge = page.locator('main').getByText('Unpublished changes')
      await badge.waitFor()
      await page.getByRole('link', { name: 'Back to the form' }).click()
      await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
      await badge.waitFor()
      await goTo('/forms')
      const row = rows(page).filter({ hasText: 'Another title' })
      await row.getByText('Unpublished changes').waitFor()
      await row.click()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Publish again' }).click()
      await badge.waitFor({ state: 'detached' })
    }))

  it('injects faults from the Server page, and shows them above every view', () =>
    inConsole({ server: demo(), path: '/server' }, async ({ page, goTo, server, url }) => {
      await page
        .getByLabel('What happens')
        .selectOption({ label: 'Respond with 503 and the HTML page of a proxy' })
      await page.getByLabel(/^Path/).fill('/api/v1/me')
      await page.getByRole('spinbutton', { name: 'Requests' }).fill('2')
      await page.getByRole('button', { name: 'Inject' }).click()
      await eventually(() => server.app.faults.list()).toMatchObject([
        { status: 503, path: '/api/v1/me', times: 2 },
      ])
      const ask = () => fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${server.readKey}` } })
      expect((await ask()).status).toBe(503)
      // Counted within a second.
      await page.getByText('503 for the next request, /api/v1/me').waitFor({ timeout: 2_500 })
      for (const view of ['/deliveries', '/forms', '/server/access']) {
        await goTo(view)
        await page.getByText('1 active fault').waitFor()
      }
      await page.getByRole('button', { name: 'Remove it' }).click()
      await eventually(() => page.getByText('1 active fault').count()).toBe(0)
      expect((await ask()).status).toBe(200)
    }))

  it('makes the built-in receiver fail, and succeed again', () =>
    inConsole({ server: demo(), path: '/server' }, async ({ page, server }) => {
      const card = page.getByRole('region', { name: 'Built-in receiver' })
      await card.getByLabel('Make it').selectOption('reset')
      await card.getByLabel('For').selectOption('2')
      await card.getByRole('button', { name: 'Apply' }).click()
      await card.getByText('The next 2 requests: close the connection.').waitFor()
      const [endpoint] = server.app.webhooks.all().filter(({ built_in: isBuiltIn }) => isBuiltIn)
      const { id } = server.app.webhooks.test(endpoint?.form_id ?? '', endpoint?.id ?? 0)
      await server.clock.advance(0)
      await card.getByText('The next request: close the connection.').waitFor()
      await card.getByRole('button', { name: 'Back to 200' }).click()
      await eventually(() => card.getByText(/^The next request/).count()).toBe(0)
      await server.clock.advance('2m')
      expect(server.app.deliveries.get(id).attempts.map(({ error }) => error)).toEqual(['reset', null])
    }))

  it('shows above every view that the built-in receiver is set to fail, also when another program set it', () =>
    inConsole({ server: demo(), pageClock: true }, async ({ page, server, url, goTo }) => {
      const banner = page.getByRole('complementary', { name: 'Built-in receiver' })
      expect(await banner.count()).toBe(0)
      const headers = { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' }
      const set = async (script: unknown[]) => {
        const init = { method: 'PUT', headers, body: JSON.stringify({ script }) }
        expect((await fetch(`${url}/_app/receivers/built-in/script`, init)).status).toBe(200)
        await page.clock.runFor(5_000)
      }
      await set([503, 200, 404])
      await banner.getByText('The next 3 requests: as scripted').waitFor()
      // No delivery fails with these.
      await set([200, { status: 204 }, 'slow(20)'])
      await banner.waitFor({ state: 'detached' })
      await set(Array(1_000).fill(503))
      await banner.getByText('All requests: respond with 503').waitFor()
      await goTo('/endpoints')
      await banner.waitFor()
      await banner.getByRole('button', { name: 'Back to 200' }).click()
      await eventually(() => banner.count()).toBe(0)
    }))

  it('[DLV-04] lists the receivers that other programs started: requests, next step, invalid signatures', () =>
    inConsole({ server: demo(), path: '/server', pageClock: true }, async ({ page, server, url }) => {
      const card = page.getByRole('region', { name: 'Other receivers' })
      await page.getByRole('region', { name: 'Built-in receiver' }).waitFor()
      expect(await card.count()).toBe(0)
      const started = await fetch(`${url}/_app/receivers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ script: [503, 'reset'], secret: `whsec_${'s'.repeat(32)}` }),
      })
      const { data } = await started.json()
      await page.clock.runFor(5_000)
      await card.getByText('0 requests, no endpoints. Next: respond with 503, 2 steps left.').waitFor()
      expect((await fetch(data.url, { method: 'POST', body: '{}' })).status).toBe(401)
      const { id } = server.app.forms.create({ title: 'Feedback' })
      await server.app.webhooks.create(id, { url: `${data.url}hook` })
      await page.clock.runFor(5_000)
      await card.getByText('1 request, 1 endpoint. Next: respond with 503, 2 steps left.').waitFor()
      await card.getByText('1 with an invalid signature').waitFor()
      expect(await card.textContent()).not.toContain('whsec_')
      await card.getByRole('link', { name: '1 endpoint' }).click()
      await eventually(() => page.locator('.grid-body [role=row]').count()).toBe(1)
    }))

  it('downloads a snapshot and restores it', () =>
    inConsole({ server: demo(), path: '/server' }, async ({ page, server }) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download snapshot' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^formwire-snapshot-2026-11-21T1\d-\d\d-\d\dZ\.json$/)
      const forms = server.app.forms.list().length
      server.app.forms.create({ title: 'Created since' })
      await page.getByLabel('Snapshot file').setInputFiles(await download.path())
      await page.getByRole('dialog').getByRole('button', { name: 'Restore snapshot' }).click()
      await eventually(() => server.app.forms.list().length).toBe(forms)
      await page.locator('[aria-live=polite]').getByText('Snapshot restored').waitFor()
      await page.getByLabel('Snapshot file').setInputFiles({
        name: 'notes.json',
        mimeType: 'application/json',
        buffer: Buffer.from('not json'),
      })
      await page.getByText('notes.json is not a snapshot: it is not valid JSON.').waitFor()
      await page.getByLabel('Snapshot file').setInputFiles({
        name: 'package.json',
        mimeType: 'application/json',
        buffer: Buffer.from('{"name":"notes"}'),
      })
      await page
        .getByText(
          'package.json is not a snapshot: it was not downloaded from this page or GET /_app/snapshot.',
        )
        .waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await download.delete()
    }))

  it('has deep links: the URL restores the view, its filters and the open delivery', async () => {
    const scene = await demoScene()
    await inConsole({ server: scene.options, prepare: scene.prepare }, async ({ page }) => {
      await page.getByRole('link', { name: /^Pending \d/ }).click()
      await page.getByRole('searchbox').fill('guestvoice01')
      await rows(page).first().click()
      await page.getByTestId('attempt-1').waitFor()
      const url = page.url()
      const id = await page.locator('.pane-id code').innerText()
      await page.goto('about:blank')
      await page.goto(url)
      await page.getByTestId('attempt-1').waitFor()
      expect(await page.locator('.pane-id code').innerText()).toBe(id)
      expect(await page.locator('.switch a[aria-current]').innerText()).toMatch(/^Pending\s\d/)
      expect(await page.getByRole('searchbox').inputValue()).toBe('guestvoice01')
      expect(url).not.toContain('token')
    }).finally(scene.close)
  })

  it('starts the built-in receiver for a first endpoint, also without the demo', () => {
    const prepare = async ({ app }: ReferenceServer) => {
      app.forms.publish(app.forms.create({ title: 'First' }).id)
    }
    return inConsole({ path: '/server', prepare }, async ({ page, goTo }) => {
      const card = page.locator('.card').filter({ hasText: 'Built-in receiver' })
      await card.getByText('not running').waitFor()
      await goTo('/endpoints')
      await page.getByRole('button', { name: 'Add an endpoint' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Use the built-in receiver' }).click()
      await eventually(() => dialog.locator('input[name=url]').inputValue()).toMatch(
        /^http:\/\/127\.0\.0\.1:\d+\/$/,
      )
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('dialog').getByText('Endpoint added').waitFor()
      await page.keyboard.press('Escape')
      await rows(page).getByRole('button', { name: 'Test event' }).click()
      await page.locator('.notice').filter({ hasText: 'Test event delivered: 200' }).waitFor()
      await goTo('/server')
      await card.getByText('1 request, 1 endpoint').waitFor()
    })
  })

  it('leads from an empty server to a signed delivery in four steps, each a button, ticked when it is done', () =>
    inConsole({}, async ({ page, server, goTo, context }) => {
      const steps = page.getByRole('region', { name: 'Your first signed delivery' })
      const done = (amount: number) => steps.getByText(`${amount} of 4 done`).waitFor()
      await done(0)
      // No dashboard of dashes.
      expect(await page.getByRole('region', { name: 'Overview' }).count()).toBe(0)
      expect(await page.getByRole('search').count()).toBe(0)
      expect(await axeFaults(page)).toEqual([])
      const can = async (name: string, reason: string | null) => {
        const button = steps.getByRole('button', { name })
        await eventually(() => button.getAttribute('aria-disabled')).toBe(String(reason !== null))
        expect(await button.getAttribute('title')).toBe(reason)
      }
      await can('Open the form', 'First: publish a form')
      await steps.getByRole('button', { name: 'New form' }).click()
      await page.getByRole('dialog').getByLabel('Title').fill('Lunch')
      await page.getByLabel('Start with').selectOption('feedback')
      await page.getByRole('button', { name: 'Create' }).click()
      const held: Route[] = []
      await page.getByRole('heading', { name: 'Edit Lunch' }).waitFor()
      await page.route(/\/publish$/, async (route) => {
        await page.route(/catalog\?include=forms$/, (one) => void held.push(one), { times: 1 })
        await route.continue()
      })
      await page.getByRole('button', { name: 'Save and publish' }).click()
      await eventually(() => held.length).toBe(1)
      // The form opens after the list is read. What leads elsewhere comes later.
      const next = page.getByRole('button', { name: 'Next step' })
      expect(await next.count()).toBe(0)
      await held[0]?.continue()
      await next.click()
      await done(1)
      await steps.getByRole('button', { name: 'Add an endpoint' }).click()
      await page.getByRole('button', { name: 'Use the built-in receiver' }).click()
      await eventually(() => page.locator('input[name=url]').inputValue()).toContain('http://')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('dialog').getByText('Endpoint added').waitFor()
      await page.keyboard.press('Escape')
      await done(2)
      await can('Open the form', null)
      // Another one than the first.
      await can('Submit another', 'First: submit a response')
      await goTo('/forms')
      await goTo('/deliveries')
      const [form] = await Promise.all([
        context.waitForEvent('page'),
        steps.getByRole('button', { name: 'Open the form' }).click(),
      ])
      await form.getByRole('radio').first().check()
      await form.getByRole('button', { name: 'Submit' }).click()
      await form.getByText('Thank you').waitFor()
      // The response is the third step, and its delivery the fourth.
      await steps.waitFor({ state: 'detached' })
      await page.getByText('All four steps are done: a signed delivery arrived.').first().waitFor()
      await rows(page).filter({ hasText: 'delivered' }).first().waitFor()
      expect(server.app.forms.list()[0]).toMatchObject({ status: 'published', response_count: 1 })
    }))

  it('ticks a step that another program did, and hides the steps when they are dismissed', () =>
    inConsole({ pageClock: true }, async ({ page, server, url }) => {
      const steps = page.getByRole('region', { name: 'Your first signed delivery' })
      await steps.getByText('0 of 4 done').waitFor()
      const { id, slug } = server.app.forms.create({
        title: 'Lunch',
        questions: [{ id: 'say', type: 'short_text', title: 'Say' }],
      })
      server.app.forms.publish(id)
      await page.clock.runFor(5_000)
      await steps.getByText('1 of 4 done').waitFor()
      await server.app.webhooks.create(id, { url: 'http://127.0.0.1:9/' })
      const submitting = () =>
        fetch(`${url}/f/${slug}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"answers":[]}',
        })
      expect((await submitting()).status).toBe(201)
      // The delivery, which fails, comes with the stream, and brings its form and its endpoint.
      await page.clock.runFor(5_000)
      await steps.getByText('3 of 4 done').waitFor()
      await rows(page).first().waitFor()
      await steps.getByRole('button', { name: 'Dismiss' }).click()
      await steps.waitFor({ state: 'detached' })
      await rows(page).first().waitFor()
    }))
})
