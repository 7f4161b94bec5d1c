import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ReferenceServer } from '../../src/index.ts'
import { axeFaults, consoleTests, cutOff, eventually } from './console-kit.ts'

/** Counts the clicks of the pointer from now on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = window as unknown as { clicks: number }
    counted.clicks = 0
    addEventListener('pointerdown', () => counted.clicks++, true)
  })
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks)
}

const types = (page: Page) => page.getByRole('listbox', { name: 'Question types' }).getByRole('option')
const title = (page: Page, position: number) =>
  page.getByLabel(`Title of question ${position}`, { exact: true })
const isFocused = (field: Locator) => field.evaluate((element) => element === document.activeElement)
const titles = (page: Page) =>
  page
    .getByLabel(/^Title of question/)
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))

/** A form with three questions. */
const colours = async ({ app }: ReferenceServer) => {
  const options = ['Red', 'Green', 'Blue'].map((label) => ({ id: label.toLowerCase(), label }))
  app.forms.create({
    title: 'Colours',
    questions: [
      { id: 'name', type: 'short_text', title: 'Your name' },
      { id: 'colour', type: 'single_choice', title: 'Your colour', options },
      { id: 'stars', type: 'rating', title: 'Stars' },
    ],
  })
}

describe('the builder', () => {
  const { start } = consoleTests()

  const edit = async (options: Parameters<typeof start>[0] = {}) => {
    const open = await start({ path: '/forms', prepare: colours, ...options })
    const [form] = open.server.app.forms.list()
    await open.goTo(`/forms/${form?.id}/edit`)
    await title(open.page, 1).waitFor()
    const saved = async () => {
      await open.page.getByRole('button', { name: 'Save', exact: true }).click()
      await open.page.locator('.notice').getByText('Saved').waitFor()
      return open.server.app.forms.get(form?.id ?? '').questions
    }
    return { ...open, saved }
  }

  it('publishes a new form with five questions of five types in at most 8 clicks', async () => {
    const { page, server } = await start({ path: '/forms' })
    const clicks = await countClicks(page)
    await page.getByRole('button', { name: 'New form' }).click()
    await page.keyboard.type('Lunch')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Edit Lunch' }).waitFor()
    for (const [name, text] of [
      ['Single choice', 'Soup or salad?'],
      ['Long text', 'Why?'],
      ['Rating', 'How was it?'],
      ['Email', 'Your email'],
      ['Date', 'When?'],
    ] as const) {
      await types(page).filter({ hasText: name }).click()
      await page.waitForFunction(() => document.activeElement?.matches('.question-head input'))
      // The title is selected: what is typed replaces it.
      await page.keyboard.type(text)
    }
    await page.getByRole('button', { name: 'Save and publish' }).click()
    await page.getByRole('link', { name: 'Open the form' }).waitFor()
    const [form] = server.app.forms.list()
    expect(form).toMatchObject({
      status: 'published',
      questions: [
        { type: 'single_choice', title: 'Soup or salad?' },
        { type: 'long_text', title: 'Why?' },
        { type: 'rating', title: 'How was it?' },
        { type: 'email', title: 'Your email' },
        { type: 'date', title: 'When?' },
      ],
    })
    expect(await clicks()).toBeLessThanOrEqual(8)
  })

  it('inserts questions by keys alone: Enter and / ask for a type, letters filter, arrows move, Enter picks', async () => {
    const { page, saved } = await edit()
    const clicks = await countClicks(page)
    const picker = page.getByRole('combobox', { name: /a question/ })
    const active = () => page.locator('.type-picker [aria-selected=true]').textContent()
    await title(page, 1).focus()
    await page.keyboard.press('Enter')
    await eventually(() => isFocused(picker)).toBe(true)
    expect(await picker.getAttribute('aria-label')).toBe('Insert a question below question 1')
    expect(await types(page).count()).toBe(22)
    await page.keyboard.press('ArrowRight')
    await eventually(active).toBe('Long text')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowLeft')
    await eventually(active).toBe('Short text')
    await page.keyboard.type('nu')
    await eventually(active).toBe('Number')
    await page.keyboard.press('Enter')
    await eventually(() => isFocused(title(page, 2))).toBe(true)
    await page.keyboard.type('How many?')
    // At a place that takes no text, it is a command.
    await page.getByRole('button', { name: 'Move question 2', exact: true }).focus()
    await page.keyboard.press('/')
    await eventually(() => isFocused(picker)).toBe(true)
    await page.keyboard.type('phone book')
    await eventually(() => page.getByText('No type matches “phone book”.').isVisible()).toBe(true)
    expect((await page.getByText('No type matches').boundingBox())?.height).toBeGreaterThan(10)
    expect(await types(page).count()).toBe(0)
    await page.keyboard.press('Enter')
    expect(await title(page, 3).inputValue()).toBe('Your colour')
    await page.keyboard.press('Escape')
    await eventually(() => types(page).count()).toBe(22)
    expect(await picker.inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await eventually(() => isFocused(title(page, 2))).toBe(true)
    await page.keyboard.type('a/b')
    expect(await title(page, 2).inputValue()).toBe('a/b')
    expect((await saved()).map(({ type: one, title: text }) => [one, text])).toEqual([
      ['short_text', 'Your name'],
      ['number', 'a/b'],
      ['single_choice', 'Your colour'],
      ['rating', 'Stars'],
    ])
    expect(await clicks()).toBe(1)
  })

  it('adds the next option with Enter, moves and removes options, and takes pasted lines as one each', async () => {
    const { page, saved, context } = await edit()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const option = (position: number) => page.getByLabel(`Option ${position}`, { exact: true })
    await title(page, 2).focus()
    await page.keyboard.press('Enter')
    await eventually(() => isFocused(option(1))).toBe(true)
    await page.keyboard.type('Crimson')
    await page.keyboard.press('Enter')
    await eventually(() => option(2).inputValue()).toBe('Option 4')
    await page.keyboard.type('Pink')
    await page.keyboard.press('Alt+ArrowDown')
    await eventually(() => isFocused(option(3))).toBe(true)
    await page.locator('[aria-live=polite]').getByText('Moved “Pink” to place 3 of 4').waitFor()
    // Plain arrow keys go to another option; a click on one that has the label of a new one selects that.
    await page.keyboard.press('ArrowUp')
    await eventually(() => isFocused(option(2))).toBe(true)
    await page.keyboard.press('ArrowDown')
    await eventually(() => isFocused(option(3))).toBe(true)
    await page.getByRole('button', { name: 'Add an option' }).click()
    await eventually(() => isFocused(option(5))).toBe(true)
    await option(1).focus()
    await option(5).click()
    await page.keyboard.type('Sauna')
    expect(await option(5).inputValue()).toBe('Sauna')
    await page.getByRole('button', { name: 'Remove option 5' }).click()
    await page.getByRole('button', { name: 'Remove option 4' }).click()
    await page.getByRole('button', { name: 'Add an option' }).click()
    await page.evaluate(() => navigator.clipboard.writeText('Black\n\nWhite\n'))
    await page.keyboard.press('Control+V')
    await eventually(() => option(5).inputValue()).toBe('White')
    // One without a text goes with Backspace, and Enter leaves the list.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await eventually(() => option(6).count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await eventually(() => isFocused(page.getByRole('combobox', { name: /a question/ }))).toBe(true)
    expect((await saved())[1]?.options).toEqual([
      { id: 'red', label: 'Crimson' },
      { id: 'green', label: 'Green' },
      { id: 'pink', label: 'Pink' },
      { id: 'black', label: 'Black' },
      { id: 'white', label: 'White' },
    ])
  })

  it('shows the settings of the selected question only', async () => {
    const { page } = await edit()
    const settings = page.getByLabel(/^Type of question/)
    expect(await settings.count()).toBe(0)
    await title(page, 2).click()
    await eventually(() => settings.count()).toBe(1)
    await page.getByLabel('Option 1', { exact: true }).waitFor()
    await page.locator('.question-card').nth(2).getByText('Rating').click()
    await page.getByLabel('Type of question 3').waitFor()
    expect(await settings.count()).toBe(1)
    expect(await page.getByLabel('Option 1', { exact: true }).count()).toBe(0)
  })

  it('moves a question that is dragged by its handle, and by Alt and the arrow keys, and says where it is', async () => {
    const { page, saved } = await edit()
    const handle = (position: number) =>
      page.getByRole('button', { name: `Move question ${position}`, exact: true })
    const drag = async (from: number, below: number) => {
      const box = await handle(from).boundingBox()
      const target = await page
        .locator('.question-card')
        .nth(below - 1)
        .boundingBox()
      await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5)
      await page.mouse.down()
      await page.mouse.move((box?.x ?? 0) + 5, (target?.y ?? 0) + (target?.height ?? 0) - 2, { steps: 4 })
    }
    const tops = () =>
      page.locator('.question-card').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    const before = await tops()
    await drag(1, 3)
    // The others have made room, as much as the card and the distance to the next one need.
    await eventually(async () => (await tops()).slice(1)).toEqual(before.slice(0, 2))
    await page.keyboard.press('Escape')
    await eventually(tops).toEqual(before)
    await page.mouse.up()
    expect(await titles(page)).toEqual(['Your name', 'Your colour', 'Stars'])
    await drag(1, 3)
    await page.mouse.up()
    await eventually(() => titles(page)).toEqual(['Your colour', 'Stars', 'Your name'])
    await page.locator('[aria-live=polite]').getByText('Moved “Your name” to place 3 of 3').waitFor()
    await eventually(() => isFocused(handle(3))).toBe(true)
    await page.keyboard.press('Alt+ArrowUp')
    await eventually(() => titles(page)).toEqual(['Your colour', 'Your name', 'Stars'])
    await eventually(() => isFocused(handle(2))).toBe(true)
    await page.locator('[aria-live=polite]').getByText('Moved “Your name” to place 2 of 3').waitFor()
    expect((await saved()).map(({ id }) => id)).toEqual(['colour', 'name', 'stars'])
  })

  it('saves with Ctrl+S and publishes with Ctrl+Enter, which adds no option, and asks before one without questions', async () => {
    const { page, server } = await edit()
    const form = () => server.app.forms.list()[0]
    await title(page, 2).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Crimson')
    const held: Route[] = []
    await page.route('**/_app/forms/*', (route) => void held.push(route), { times: 1 })
    await page.keyboard.press('Control+S')
    await eventually(() => held.length).toBe(1)
    // What is typed meanwhile stays, and so does the focus.
    await page.keyboard.type('s')
    await held[0]?.continue()
    await eventually(() => form()?.questions[1]?.options?.[0]?.label).toBe('Crimson')
    await page.locator('.notice').getByText('Saved').waitFor()
    await page.keyboard.press('Control+S')
    await page.getByText('unsaved', { exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.type('!')
    expect(await page.getByLabel('Option 1', { exact: true }).inputValue()).toBe('Crimsons!')
    expect(form()?.status).toBe('draft')
    for (const position of [3, 2, 1]) {
      await title(page, position).click()
      await page.getByRole('button', { name: `Remove question ${position}` }).click()
    }
    // Not before the save has ended.
    await page.getByRole('button', { name: 'Save and publish', disabled: false }).waitFor()
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Publish without questions?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(form()).toMatchObject({ status: 'draft', questions: { length: 3 } })
    await page.keyboard.press('Control+Enter')
    await dialog.getByRole('button', { name: 'Publish anyway' }).click()
    await page.getByRole('link', { name: 'Open the form' }).waitFor()
    expect(form()).toMatchObject({ status: 'published', questions: [] })
  })

  it('keeps what was changed elsewhere meanwhile, and sends only what was edited', async () => {
    const { page, server, goTo } = await edit()
    const [form] = server.app.forms.list()
    const current = () => server.app.forms.get(form?.id ?? '')
    await title(page, 1).fill('Your full name')
    await types(page).filter({ hasText: 'Date' }).click()
    // A second builder of the same form: another title, another question, and a new one with the same id.
    const [, second, third] = form?.questions ?? []
    const added = { id: 'q4', type: 'email', title: 'Your email' }
    server.app.forms.update(form?.id ?? '', {
      title: 'Shades',
      questions: [third, { ...form?.questions[0] }, { ...second, title: 'Your shade' }, added],
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.notice').getByText('Saved, with what was changed elsewhere').waitFor()
    const merged = ['Stars', 'Date', 'Your full name', 'Your shade', 'Your email']
    expect(current()).toMatchObject({ title: 'Shades', questions: merged.map((text) => ({ title: text })) })
    expect(current().questions.map(({ id }) => id)).toEqual(['stars', 'q5', 'name', 'colour', 'q4'])
    expect(await titles(page)).toEqual(merged)
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Shades')
    await page.getByText('unsaved', { exact: true }).waitFor({ state: 'detached' })
    // A builder without edits shows what was changed elsewhere once the console knows it.
    server.app.forms.update(form?.id ?? '', { title: 'Hues' })
    await goTo('/forms')
    await page.getByRole('link', { name: 'Hues' }).waitFor()
    await goTo(`/forms/${form?.id}/edit`)
    await eventually(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Hues')
  })

  it('asks with both versions where the same was edited elsewhere, also when a form is renamed', async () => {
    const { page, server, goTo, errors } = await edit()
    const [form] = server.app.forms.list()
    const id = form?.id ?? ''
    const [first, ...others] = form?.questions ?? []
    const current = () => server.app.forms.get(id)
    await page.getByLabel('Title', { exact: true }).fill('My colours')
    await title(page, 1).fill('My name')
    server.app.forms.update(id, {
      title: 'Their colours',
      questions: [{ ...first, title: 'Their name', required: true }, ...others],
    })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Changed elsewhere, too' })
    await dialog.getByRole('group', { name: 'The title' }).getByLabel('Theirs: Their colours').check()
    expect(await axeFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(current().title).toBe('Their colours')
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('My colours')
    await save.click()
    await dialog.getByLabel('Theirs: Their colours').check()
    await dialog.getByLabel('Theirs: Their name; required: true').waitFor()
    await dialog.getByLabel('Yours: My name; required: false').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('.notice').getByText('Saved, with what was changed elsewhere').waitFor()
    expect(current()).toMatchObject({
      title: 'Their colours',
      questions: [{ title: 'My name', required: false }, { id: 'colour' }, { id: 'stars' }],
    })
    await goTo(`/forms/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    server.app.forms.update(id, { title: 'Third name' })
    await page.getByRole('dialog').getByLabel('Title').fill('My colours')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await dialog.getByLabel('Yours: My colours').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('.notice').getByText('Renamed').waitFor()
    expect(current().title).toBe('My colours')
    expect(errors.filter((text) => !text.includes('409'))).toEqual([])
  })

  it('stays, with the reason, when the form cannot be published', async () => {
    const { page } = await edit()
    const body = JSON.stringify({ error: { code: 'validation_failed', message: 'Not today.' } })
    await page.route(/\/publish$/, (route) =>
      route.fulfill({ status: 422, contentType: 'application/json', body }),
    )
    await page.getByRole('button', { name: 'Save and publish' }).click()
    await page.locator('.notice').getByText('Not today.').waitFor()
    // Once it can be tried again, nothing else follows.
    await page.getByRole('button', { name: 'Save and publish', disabled: false }).waitFor()
    expect(page.url()).toContain('/edit')
    expect(await page.locator('.notice').allInnerTexts()).toEqual([expect.stringContaining('Not today.')])
  })

  it('shows a skeleton until the preview has loaded, and the old page until a new one has', async () => {
    let release = () => {}
    const { page, goTo } = await start({ path: '/forms', prepare: colours })
    const hold = () =>
      new Promise<void>((resolve) => {
        release = resolve
      })
    let held = hold()
    await page.route(/previews\/[^/]+\?static$/, async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('link', { name: 'Colours' }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.locator('.skeleton').waitFor()
    release()
    const shown = page.frameLocator('iframe:not(.is-loading)')
    await shown.getByText('Your name').waitFor()
    expect(await page.locator('.skeleton').count()).toBe(0)
    held = hold()
    await title(page, 1).fill('Your full name')
    await page.locator('iframe.is-loading').waitFor({ state: 'attached' })
    expect(await shown.getByText('Your name').isVisible()).toBe(true)
    release()
    await shown.getByText('Your full name').waitFor()
    expect(await page.locator('iframe').count()).toBe(1)
    await goTo('/forms')
  })

  it('has the preview beside the questions from 1100 pixels, and behind a button below', async () => {
    const { page, errors } = await edit({ width: 1100 })
    await title(page, 2).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    const button = page.getByRole('button', { name: 'Preview', exact: true })
    await page.frameLocator('iframe:not(.is-loading)').getByText('Your name').waitFor()
    const fields = await page.locator('.editor-fields').boundingBox()
    expect((await preview.boundingBox())?.x).toBeGreaterThan((fields?.x ?? 0) + (fields?.width ?? 0) - 1)
    expect(await button.isVisible()).toBe(false)
    for (const width of [1024, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await preview.waitFor({ state: 'hidden' })
      expect(await cutOff(page)).toEqual([])
      expect(await axeFaults(page)).toEqual([])
      await button.click()
      await page.frameLocator('iframe:not(.is-loading)').getByText('Your name').waitFor()
      expect(await title(page, 1).isVisible()).toBe(false)
      expect((await preview.boundingBox())?.width).toBeGreaterThan(width * 0.75)
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Builder', exact: true }).click()
      await title(page, 1).waitFor()
    }
    expect(errors).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'has no accessibility violations with a selected question, %s',
    async (colorScheme) => {
      const { page } = await edit({ colorScheme })
      await title(page, 2).click()
      await page.getByLabel('Option 1', { exact: true }).focus()
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('combobox', { name: /a question/ }).focus()
      expect(await axeFaults(page)).toEqual([])
    },
  )
})
