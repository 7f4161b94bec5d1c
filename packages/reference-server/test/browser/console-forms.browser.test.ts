import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { eventually, focused, hold, textOf } from './browser-kit.ts'
import { consoleTests, toggleSection } from './console-kit.ts'

describe('forms and responses in the console', () => {
  const { start, scene } = consoleTests()

  it('[FORM-07][FORM-14] closes, reopens, trashes and restores a form from the list', async () => {
    const { page, rows, server, formId, url, choose, confirm, press, shows, copied, goTo } = await scene([], {
      path: '/forms',
    })
    const row = rows.first()
    const menu = 'Actions of form Feedback'
    await press('Copy the link of Feedback')
    expect(await copied('the link of Feedback')).toBe(server.app.forms.get(formId).url)
    const open = row.getByRole('link', { name: 'Open the public form of Feedback' })
    expect(await open.getAttribute('href')).toBe(server.app.forms.get(formId).url)
    await row.getByRole('link', { name: 'Feedback', exact: true }).click()
    await page.getByRole('heading', { name: 'Feedback' }).waitFor()
    expect(page.url()).toBe(`${url}/_app/console#/forms/${formId}`)
    await goTo('/forms')
    await choose(menu, 'Close form')
    await row.getByText('closed', { exact: true }).waitFor()
    expect(server.app.forms.get(formId).status).toBe('closed')
    await choose(menu, 'Reopen')
    await row.getByText('published', { exact: true }).waitFor()
    await choose(menu, 'Move to trash')
    await confirm('Move to trash')
    await shows('All forms are in the trash')
    await eventually(() => focused(page)).toContain('h1 ')
    await page.getByLabel('Status').selectOption('trashed')
    await row.getByText('in trash', { exact: true }).waitFor()
    await choose(menu, 'Restore')
    await shows('No matching forms')
    await page.getByLabel('Status').selectOption('')
    await row.getByText('published', { exact: true }).waitFor()
    expect(server.app.forms.get(formId).trashed).toBe(false)
  })

  it('summarizes a form, pages through its responses, and exports them', async () => {
    const options = ['Sauna', 'Food'].map((label) => ({ id: label.toLowerCase(), label }))
    let formId = ''
    const { page, rows, server, goTo, press, shows } = await start({
      path: '/forms',
      prepare({ app }) {
        const questions = [
          { id: 'likely', type: 'nps', title: 'How likely?' },
          { id: 'liked', type: 'multiple_choice', title: 'What was good?', options, allow_other: true },
        ]
        formId = app.forms.publish(app.forms.create({ title: 'Guests 2026', questions }).id).id
        for (let count = 0; count < 101; count++)
          app.responses.create(formId, {
            answers: [
              { question_id: 'likely', value: count < 76 ? 10 : 0 },
              {
                question_id: 'liked',
                value: { ids: count === 0 ? ['sauna', 'food'] : ['food'], other: null },
              },
            ],
          })
      },
    })
    await goTo(`/forms/${formId}/summary`)
    await eventually(() => textOf(page.locator('.nps-score'))).toContain('+50')
    const choices = page.locator('.form-summary .card').filter({ hasText: 'What was good?' })
    await choices.getByText('Multiple choice').waitFor()
    // By count, with “Other” last, also if nobody chose it.
    expect(await choices.locator('.bar-label').allInnerTexts()).toEqual(['Food', 'Sauna', 'Other'])
    const [download] = await Promise.all([page.waitForEvent('download'), press('Export CSV')])
    const { slug } = server.app.forms.get(formId)
    expect(download.suggestedFilename()).toBe(`${slug}.csv`)
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv.split('\r\n')).toHaveLength(101 + 2)
    await download.delete()
    await goTo(`/forms/${formId}`)
    await page.getByRole('columnheader', { name: 'How likely?' }).waitFor()
    await eventually(() => rows.count()).toBe(100)
    await press('Older')
    await shows('101–101 of 101 responses')
  })

  it('searches responses on the server, and says that none match only once that is known', async () => {
    const { page, rows, pane, server, formId, goTo, shows } = await scene([], {
      prepare: ({ submit }) => submit('one', 'two'),
    })
    const answers = [{ question_id: 'say', value: 'a third' }]
    server.app.responses.create(formId, { status: 'in_progress', answers })
    await goTo(`/forms/${formId}`)
    await eventually(() => rows.count()).toBe(2)
    const search = page.getByRole('searchbox')
    await search.fill('TWO')
    await shows('1 match')
    await rows.first().click()
    await pane.getByRole('heading', { name: 'Response #2' }).waitFor()
    const held = await hold(page, /responses\?.*q=third/)
    await search.fill('third')
    await eventually(() => held.held.length).toBe(1)
    await shows('Searching…')
    expect([await rows.count(), await page.getByText('No matching responses').count()]).toEqual([1, 0])
    await held.release()
    await shows('No matching responses')
    await page.getByLabel('Status').selectOption('Drafts')
    await shows('1 match')
    expect(await textOf(rows.first())).toContain('a third')
  })

  it('[RESP-04] shows a response formatted and as JSON, and deletes a response only after confirmation', async () => {
    const answers = [{ question_id: 'dish', value: { ids: ['o1'], other: null } }]
    let formId = ''
    const { page, rows, server, goTo, press, choose, confirm, shows, copied } = await start({
      path: '/forms',
      prepare({ app }) {
        const options = [{ id: 'o1', label: 'Soup of the day' }]
        const questions = [{ id: 'dish', type: 'single_choice', title: 'Which dish?', options }]
        formId = app.forms.publish(app.forms.create({ title: 'Lunch', questions }).id).id
        app.responses.create(formId, { answers, email: 'ada@example.com' })
      },
    })
    await goTo(`/forms/${formId}`)
    await rows.first().click()
    await page.getByRole('group', { name: 'Answer to dish' }).getByText('Soup of the day').waitFor()
    await toggleSection(page, 'JSON')
    const shown = JSON.parse(await textOf(page.getByRole('group', { name: 'Response as JSON' })))
    expect(shown).toMatchObject({ id: 1, email: 'ada@example.com', answers })
    await press('Copy the response as JSON')
    expect(JSON.parse(await copied('the response as JSON'))).toEqual(shown)
    await choose('Actions of response #1', 'Delete response')
    await confirm('Cancel')
    expect(server.app.forms.get(formId).response_count).toBe(1)
    await choose('Actions of response #1', 'Delete response')
    await confirm('Delete response')
    await shows('No responses yet')
    expect(server.app.forms.get(formId).response_count).toBe(0)
    await page.locator('.summary').getByText('0 responses').waitFor()
    await eventually(() => focused(page)).toContain('Lunch')
  })

  it('[DLV-08] replays a response to its endpoints, and leads to its deliveries', async () => {
    const { page, rows, formId, goTo, press, confirm, notice } = await scene([], {
      prepare: ({ submit }) => submit('hello'),
    })
    await goTo(`/forms/${formId}`)
    await rows.first().click()
    const deliveries = page.locator('.response-deliveries a')
    await eventually(() => deliveries.count()).toBe(1)
    await press('Replay')
    await confirm('Replay')
    await notice.getByText('Replayed 1 delivery').waitFor()
    await eventually(() => deliveries.count()).toBe(2)
    await deliveries.first().click()
    await page.getByTestId('attempt-1').waitFor()
    expect(page.url()).toContain('#/deliveries/dlv_')
  })

  it('says that saved changes are not published yet, until they are', async () => {
    const { page, rows, formId, goTo, button, choose, notice } = await scene()
    await goTo(`/forms/${formId}/edit`)
    await page.getByLabel('Title', { exact: true }).fill('Another title')
    await button('Save').press('Enter')
    await notice.getByText('. Publish the form to make the changes live.').waitFor()
    expect(await focused(page)).toBe('button Save')
    const badge = page.locator('main').getByText('Unpublished changes')
    await badge.waitFor()
    await page.getByRole('link', { name: 'Back to the form' }).press('Enter')
    await eventually(() => focused(page)).toContain('h1 Another title')
    await badge.waitFor()
    await goTo('/forms')
    await rows.getByText('Unpublished changes').waitFor()
    await rows.first().click()
    await choose('More actions', 'Publish again')
    await badge.waitFor({ state: 'detached' })
  })
})
