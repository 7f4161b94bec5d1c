import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ReferenceServer } from '../../src/index.ts'
import { axeViolations } from './axe.ts'
import { eventually, focused, hold, isFocused } from './browser-kit.ts'
import { consoleTests } from './console-kit.ts'

/** Counts the clicks of the pointer from now on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  const clicks = await page.evaluateHandle(() => {
    const all: Event[] = []
    addEventListener('pointerdown', (event) => all.push(event), true)
    return all
  })
  return () => clicks.evaluate(({ length }) => length)
}

const types = (page: Page) => page.locator('.types').getByRole('button')
const title = (page: Page, position: number) =>
  page.getByLabel(`Title of question ${position}`, { exact: true })
const option = (page: Page, position: number) => page.getByLabel(`Option ${position}`, { exact: true })
const titles = (page: Page) =>
  page
    .getByLabel(/^Title of question/)
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
const hasFocus = (field: Locator) => eventually(() => isFocused(field)).toBe(true)

/** A form with three questions. */
const colours = ({ app }: ReferenceServer) => {
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

  const edit = async () => {
    const open = await start({ path: '/forms', prepare: colours })
    const { server, page, press, notice } = open
    const [form] = server.app.forms.list()
    const formId = form?.id ?? ''
    await open.goTo(`/forms/${formId}/edit`)
    await title(page, 1).waitFor()
    const current = () => server.app.forms.get(formId)
    const saved = async () => {
      await press('Save')
      await notice.getByText('Saved “Colours”', { exact: true }).waitFor()
      return current().questions
    }
    return { ...open, formId, saved, current }
  }

  it('publishes a new form with five questions of five types in at most 8 clicks, and shows no button where that was', async () => {
    const { page, server, press, button } = await start({ path: '/forms' })
    const clicks = await countClicks(page)
    await press('New form')
    await page.keyboard.type('Lunch')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Edit Lunch' }).waitFor()
    await eventually(() => focused(page)).toBe('h1 Edit Lunch')
    const questions = [
      ['Single choice', 'single_choice', 'Soup or salad?'],
      ['Long text', 'long_text', 'Why?'],
      ['Rating', 'rating', 'How was it?'],
      ['Email', 'email', 'Your email'],
      ['Date', 'date', 'When?'],
    ] as const
    for (const [name, , text] of questions) {
      await types(page).filter({ hasText: name }).click()
      await page.waitForFunction(() => document.activeElement?.matches('.question-head input'))
      // The title is selected: what is typed replaces it.
      await page.keyboard.type(text)
    }
    const { x = 0, y = 0, width = 0, height = 0 } = (await button('Save and publish').boundingBox()) ?? {}
    await press('Save and publish')
    await page.getByRole('link', { name: 'Open the form' }).waitFor()
    const [form] = server.app.forms.list()
    expect(form).toMatchObject({
      status: 'published',
      questions: questions.map(([, type, text]) => ({ type, title: text })),
    })
    expect(await clicks()).toBeLessThanOrEqual(8)
    // Nothing that changes a form is there, however late the next click.
    await page.mouse.click(x + width / 2, y + height / 2)
    await page.getByRole('heading', { name: 'Edit Lunch' }).waitFor()
    expect(server.app.forms.get(form?.id ?? '')).toMatchObject({ status: 'published', response_count: 0 })
  })

  it('previews a form, and says which field is wrong until it is mended', async () => {
    const { page, saved, press, shows, current } = await edit()
    const frame = page.frameLocator('iframe:not(.is-loading)')
    await frame.getByText('Your colour').waitFor()
    await title(page, 2).click()
    await option(page, 2).fill('')
    await shows('Enter a text for each option, or remove it.')
    await press('Remove option 2')
    await title(page, 3).click()
    await page.getByLabel('When to show question 3').selectOption('colour')
    await frame.getByText('Only if you answered “Red” to “Your colour”').waitFor()
    await page.getByLabel(/^Language/).fill('de')
    await title(page, 1).fill(' ')
    await shows('Enter a title.')
    await title(page, 3).focus()
    await press('Save')
    await shows('Not saved: question 1 has an error.')
    await hasFocus(title(page, 1))
    expect(await title(page, 1).getAttribute('aria-invalid')).toBe('true')
    await title(page, 1).fill('First')
    await page.getByText('Enter a title.', { exact: true }).waitFor({ state: 'detached' })
    expect(await saved()).toMatchObject([
      { title: 'First' },
      { options: [{ id: 'red' }, { id: 'blue' }] },
      { show_if: { question_id: 'colour', equals: 'red' } },
    ])
    expect(current()).toMatchObject({ language: 'de' })
  })

  it('inserts questions by keys alone: Enter and / ask for a type, letters filter, Enter picks the first', async () => {
    const { page, button, saved } = await edit()
    const clicks = await countClicks(page)
    const picker = page.getByRole('textbox', { name: /a question/ })
    await title(page, 1).focus()
    await page.keyboard.press('Enter')
    await hasFocus(picker)
    expect(await picker.getAttribute('aria-label')).toBe('Insert a question below question 1')
    expect(await types(page).count()).toBe(22)
    await page.keyboard.type('nu')
    await eventually(() => types(page).first().textContent()).toBe('Number')
    await page.keyboard.press('Enter')
    await hasFocus(title(page, 2))
    await page.keyboard.type('How many?')
    // At a place that takes no text, it is a command.
    await button('Move question 2').focus()
    await page.keyboard.press('/')
    await hasFocus(picker)
    await page.keyboard.type('phone book')
    await page.getByText('No type matches “phone book”.').waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => types(page).count()).toBe(22)
    await page.keyboard.press('Escape')
    await hasFocus(title(page, 2))
    await page.keyboard.type('a/b')
    expect((await saved()).map(({ type: one, title: text }) => [one, text])).toEqual([
      ['short_text', 'Your name'],
      ['number', 'a/b'],
      ['single_choice', 'Your colour'],
      ['rating', 'Stars'],
    ])
    expect(await clicks()).toBe(1)
  })

  it('adds the next option with Enter, moves and removes options, and takes pasted lines as one each', async () => {
    const { page, press, saved } = await edit()
    await title(page, 2).focus()
    await page.keyboard.press('Enter')
    await hasFocus(option(page, 1))
    await page.keyboard.type('Crimson')
    await page.keyboard.press('Enter')
    await eventually(() => option(page, 2).inputValue()).toBe('Option 4')
    await page.keyboard.type('Pink')
    await page.keyboard.press('Alt+ArrowDown')
    await hasFocus(option(page, 3))
    await page.locator('[aria-live=polite]').getByText('Moved “Pink” to place 3 of 4').waitFor()
    await press('Remove option 4')
    await press('Add an option')
    await hasFocus(option(page, 4))
    await page.evaluate(() => navigator.clipboard.writeText('Black\n\nWhite\n'))
    await page.keyboard.press('Control+V')
    await eventually(() => option(page, 5).inputValue()).toBe('White')
    // One without a text goes with Backspace, and Enter leaves the list.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await hasFocus(page.getByRole('textbox', { name: /a question/ }))
    const labels = (await saved())[1]?.options?.map(({ id, label }) => `${id}: ${label}`)
    expect(labels).toEqual(['red: Crimson', 'green: Green', 'pink: Pink', 'black: Black', 'white: White'])
  })

  it('moves a question that is dragged by its handle, or by Alt and an arrow key, and undoes a removal', async () => {
    const { page, button, press, saved, shows } = await edit()
    const cards = page.locator('.question-card')
    const announced = (text: string) => page.locator('[aria-live=polite]').getByText(text).waitFor()
    const dragFirstBelowLast = async () => {
      const box = await button('Move question 1').boundingBox()
      const target = await cards.nth(2).boundingBox()
      await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5)
      await page.mouse.down()
      await page.mouse.move((box?.x ?? 0) + 5, (target?.y ?? 0) + (target?.height ?? 0) - 2, { steps: 4 })
    }
    await dragFirstBelowLast()
    await page.mouse.up()
    await eventually(() => titles(page)).toEqual(['Your colour', 'Stars', 'Your name'])
    await announced('Moved “Your name” to place 3 of 3')
    await hasFocus(button('Move question 3'))
    await page.keyboard.press('Alt+ArrowUp')
    await eventually(() => titles(page)).toEqual(['Your colour', 'Your name', 'Stars'])
    await hasFocus(button('Move question 2'))
    await announced('Moved “Your name” to place 2 of 3')
    await title(page, 2).click()
    await press('Remove question 2')
    await shows('Removed “Your name”')
    expect(await titles(page)).toEqual(['Your colour', 'Stars'])
    await press('Undo')
    expect((await saved()).map(({ id }) => id)).toEqual(['colour', 'name', 'stars'])
  })

  it('saves with Ctrl+S and publishes with Ctrl+Enter, which adds no option, and asks before one without questions', async () => {
    const { page, dialog, confirm, press, current, notice, copied } = await edit()
    await title(page, 2).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Crimson')
    const { held, release } = await hold(page, '**/_app/forms/*')
    await page.keyboard.press('Control+S')
    await eventually(() => held.length).toBe(1)
    // What is typed meanwhile stays, and so does the focus.
    await page.keyboard.type('s')
    await release()
    await eventually(() => current().questions[1]?.options?.[0]?.label).toBe('Crimson')
    await notice.getByText('Saved').waitFor()
    await page.keyboard.press('Control+S')
    await page.getByText('unsaved', { exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.type('!')
    expect(await option(page, 1).inputValue()).toBe('Crimsons!')
    expect(current().status).toBe('draft')
    for (const position of [3, 2, 1]) {
      await title(page, position).click()
      await press(`Remove question ${position}`)
    }
    // Not before the save has ended.
    await page.getByRole('button', { name: 'Save and publish', disabled: false }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog', { name: 'Publish without questions?' }).waitFor()
    await confirm('Cancel')
    await dialog.waitFor({ state: 'detached' })
    expect(current()).toMatchObject({ status: 'draft', questions: { length: 3 } })
    await page.keyboard.press('Control+Enter')
    await confirm('Publish anyway')
    await page.getByRole('link', { name: 'Open the form' }).waitFor()
    expect(current()).toMatchObject({ status: 'published', questions: [] })
    await notice.getByText('Published “Colours”').waitFor()
    expect(await notice.getByRole('button').allInnerTexts()).toEqual(['Open form', 'Copy link', ''])
    await press('Copy link')
    expect(await copied('the link')).toMatch(/\/f\//)
  })

  it('keeps what was changed elsewhere meanwhile, and asks before it replaces the same part', async () => {
    const { page, server, formId, goTo, press, confirm, notice, current } = await edit()
    const formTitle = page.getByLabel('Title', { exact: true })
    await title(page, 1).fill('Your full name')
    server.app.forms.update(formId, { title: 'Shades' })
    await press('Save')
    await notice.getByText('Saved “Shades”').waitFor()
    expect(current()).toMatchObject({ title: 'Shades', questions: [{ title: 'Your full name' }, {}, {}] })
    await eventually(() => formTitle.inputValue()).toBe('Shades')
    await page.getByText('unsaved', { exact: true }).waitFor({ state: 'detached' })
    await formTitle.fill('My colours')
    server.app.forms.update(formId, { title: 'Their colours' })
    await press('Save')
    await page.getByRole('dialog', { name: 'Changed elsewhere, too' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await confirm('Cancel')
    expect([current().title, await formTitle.inputValue()]).toEqual(['Their colours', 'My colours'])
    await press('Save')
    await confirm('Save my version')
    await notice.getByText('Saved “My colours”').waitFor()
    expect(current().title).toBe('My colours')
    // A builder without edits shows what was changed elsewhere once the console knows it.
    server.app.forms.update(formId, { title: 'Hues' })
    await goTo('/forms')
    await page.getByRole('link', { name: 'Hues' }).waitFor()
    await goTo(`/forms/${formId}/edit`)
    await eventually(() => formTitle.inputValue()).toBe('Hues')
  })

  it('stays, with the reason, when the form cannot be published', async () => {
    const { page, press, notice } = await edit()
    const body = JSON.stringify({ error: { code: 'validation_failed', message: 'Not today.' } })
    await page.route(/\/publish$/, (route) =>
      route.fulfill({ status: 422, contentType: 'application/json', body }),
    )
    await press('Save and publish')
    await notice.getByText('Not today.').waitFor()
    // Once it can be tried again, nothing else follows.
    await page.getByRole('button', { name: 'Save and publish', disabled: false }).waitFor()
    expect(page.url()).toContain('/edit')
    expect(await notice.allInnerTexts()).toEqual([expect.stringContaining('Not today.')])
  })
})
