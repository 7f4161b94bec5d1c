import { describe, expect, it } from 'vitest'
import { everyQuestion, makeQuestion } from '../../src/seed/questions.ts'
import { eventually, focused, hold } from './browser-kit.ts'
import { expectAccessible, formTests, type OpenedForm } from './public-form-kit.ts'

const NAME = makeQuestion('short_text')
const PDF = { name: 'booking.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 booking') }
const PNG = { name: 'signature.png', mimeType: 'image/png', buffer: Buffer.from('not looked at') }

const file = (name: string) => [{ id: expect.stringMatching(/^file_/), name, size: expect.any(Number) }]

/** The answers that `fill` and the tests give to `everyQuestion`, by type. */
const EVERY_ANSWER = {
  short_text: 'Ann Lee',
  long_text: 'Two\nlines',
  email: 'ann@example.com',
  url: 'https://example.com',
  phone: '+44 20 7946 0000',
  date: '2026-12-24',
  time: '18:30',
  number: 3,
  scale: 8,
  rating: 4,
  nps: 10,
  slider: 21,
  single_choice: { ids: [], other: 'A hammock' },
  multiple_choice: { ids: ['hike', 'dinner'], other: null },
  dropdown: { ids: ['friend'], other: null },
  yes_no: { ids: ['no'], other: null },
  ranking: { ids: ['food', 'quiet', 'location'], other: null },
  grid_single: { service: 'good', cleanliness: 'fair', food: 'poor' },
  grid_multiple: { friday: ['evening'], saturday: ['morning', 'afternoon'] },
  file: file('booking.pdf'),
  signature: file('signature.png'),
  address: {
    line1: '1 Main St',
    line2: '',
    city: 'Springfield',
    region: '',
    postal: '12345',
    country: 'USA',
  },
}
const byType = (answers: readonly { type: string; value: unknown }[]) =>
  Object.fromEntries(answers.map(({ type, value }) => [type, value]))

/** Gives the answers of `EVERY_ANSWER` but those to the first two questions, the file and the signature. */
async function fill({ page, question }: OpenedForm): Promise<void> {
  for (const [label, text] of [
    ['Email address', 'ann@example.com'],
    ['Your website', 'https://example.com'],
    ['Phone number', '+44 20 7946 0000'],
    ['Arrival date', '2026-12-24'],
    ['Arrival time', '18:30'],
    ['How many people?', '3'],
    ['How warm should your room be?', '21'],
    ['Address line 1', '1 Main St'],
    ['City', 'Springfield'],
    ['Postal code', '12345'],
    ['Country', 'USA'],
  ] as const)
    await page.getByLabel(label).fill(text)
  // By keyboard: the first step gets the focus, the arrow keys move it.
  await question('How easy was booking?').getByLabel('7', { exact: true }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await question('How do you rate us?').getByLabel('4').check()
  await question('How likely').getByText('10').click()
  await question('Which room?').getByLabel('Other').check()
  await question('Which room?').getByLabel('Please specify').fill('A hammock')
  await question('What will you join?').getByLabel('Hike').check()
  await question('What will you join?').getByLabel('Dinner').check()
  await page.getByLabel('How did you hear of us?').selectOption('Friend')
  await question('Have you stayed').getByText('No', { exact: true }).click()
  for (const [place, option] of ['Food', 'Quiet', 'Location'].entries())
    await question('Rank from most')
      .getByLabel(option)
      .fill(String(place + 1))
  for (const [name, column] of [
    ['Service', 'Good'],
    ['Cleanliness', 'Fair'],
    ['Food', 'Poor'],
    ['Friday', 'Evening'],
    ['Saturday', 'Morning'],
    ['Saturday', 'Afternoon'],
  ] as const)
    await page.getByRole('group', { name }).getByText(column).click()
}

describe('the public form in a browser', () => {
  const openForm = formTests()

  it('[RESP-07] fills every question type with keyboard and mouse', async () => {
    const form = await openForm(everyQuestion(), { query: '?ref=mail&utm_source=news' })
    const { page, server, stored, shows, submit, thanks } = form
    await page.getByLabel('Your name').focus()
    await page.keyboard.type('Ann Lee')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Two')
    await page.keyboard.press('Enter')
    await page.keyboard.type('lines')
    await fill(form)
    await page.getByLabel('A document to attach').setInputFiles(PDF)
    await shows('booking.pdf added.')
    const pad = page.locator('canvas')
    await pad.scrollIntoViewIfNeeded()
    const { x, y } = (await pad.boundingBox()) ?? { x: 0, y: 0 }
    await page.mouse.move(x + 30, y + 40)
    await page.mouse.down()
    await page.mouse.move(x + 200, y + 90, { steps: 8 })
    await page.mouse.up()
    expect(await page.getByLabel('Sign here').inputValue()).toContain('signature.png')
    await expectAccessible(page)
    await server.clock.advance('3m')
    await submit()
    await thanks()
    expect(byType(stored(1).answers)).toEqual(EVERY_ANSWER)
    expect(stored(1)).toMatchObject({
      duration_sec: 180,
      meta: { device: 'desktop', os: 'Linux', ref: 'mail', utm: { source: 'news' } },
    })
  })

  it('[RESP-07] works without JavaScript: errors, files, a draft by link, every question type', async () => {
    const form = await openForm(everyQuestion(), { javaScriptEnabled: false })
    const { page, url, stored, server, formId, shows, submit, save, thanks } = form
    await page.getByLabel('Your name').fill('Ann Lee')
    await page.getByLabel('Anything we should know?').fill('Two\nlines')
    await page.getByLabel('A document to attach').setInputFiles(PDF)
    await page.getByLabel('Sign here').setInputFiles({ ...PNG, name: 'sign.png' })
    await submit()
    await shows('Please answer this question.')
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ann Lee')
    expect(await page.getByLabel('booking.pdf').isChecked()).toBe(true)
    await page.getByLabel('Sign here').setInputFiles(PNG)
    await save()
    await page.getByRole('heading', { name: 'Your draft is saved' }).waitFor()
    await page.reload()
    expect(server.app.responses.list(formId, 'in_progress').total).toBe(1)
    const link = page.url().replace(/\/saved$/, '')
    expect(link).toMatch(new RegExp(`^${url}/drafts/[A-Za-z0-9]{32}$`))
    await page.getByText(link, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Continue your draft' }).click()
    await page.waitForURL(link)
    expect(await page.getByLabel('sign.png').count()).toBe(0)
    await fill(form)
    await submit()
    await thanks()
    expect(byType(stored(1).answers)).toEqual(EVERY_ANSWER)
  })

  it('[RESP-06] shows and hides questions as answers change', async () => {
    const { page, question, stored, submit, thanks } = await openForm([
      makeQuestion('yes_no', { id: 'pet', title: 'A pet?' }),
      makeQuestion('short_text', {
        id: 'cage',
        title: 'Which cage?',
        required: true,
        show_if: { question_id: 'pet', equals: 'yes' },
      }),
    ])
    const shown = () => page.locator('[data-question]:visible').count()
    expect(await shown()).toBe(1)
    await question('A pet?').getByText('Yes', { exact: true }).first().click()
    expect(await shown()).toBe(2)
    await question('Which cage?').getByRole('textbox').fill('The large one')
    await question('A pet?').getByText('No', { exact: true }).click()
    expect(await shown()).toBe(1)
    await submit()
    await thanks()
    expect(stored(1).answers).toMatchObject([{ question_id: 'pet' }])
  })

  it('[RESP-07] rates with stars, by mouse and keyboard', async () => {
    const { page, question, values, submit, thanks } = await openForm([
      makeQuestion('rating'),
      makeQuestion('single_choice'),
    ])
    const rating = question('How do you rate us?')
    const filled = () =>
      rating
        .locator('.star svg')
        .evaluateAll((all) => all.filter((star) => getComputedStyle(star).fill !== 'rgba(0, 0, 0, 0)').length)
    await rating.getByLabel('4').check()
    expect(await filled()).toBe(4)
    await page.keyboard.press('ArrowLeft')
    expect(await filled()).toBe(3)
    await rating.locator('.star').nth(1).click()
    expect(await filled()).toBe(2)
    const room = question('Which room?')
    await room.getByLabel('Other').check()
    await room.getByLabel('Please specify').fill('A tent')
    await room.getByText('Twin').click()
    expect(await room.getByLabel('Please specify').inputValue()).toBe('')
    await submit()
    await thanks()
    expect(values(1)).toEqual([2, { ids: ['twin'], other: null }])
  })

  it.each([true, false])(
    '[RESP-07] opens the field of "Other" once it is chosen, and asks for its text (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const options = { options: [{ id: 'a', label: 'Apple' }], allow_other: true }
      const { page, question, values, submit, shows, thanks } = await openForm(
        [
          makeQuestion('single_choice', { id: 's', title: 'Single', ...options }),
          makeQuestion('multiple_choice', { id: 'm', title: 'Multiple', ...options }),
          makeQuestion('dropdown', { id: 'd', title: 'Dropdown', ...options }),
        ],
        { javaScriptEnabled },
      )
      const field = (title: string) => question(title).getByLabel('Please specify')
      for (const title of ['Single', 'Multiple', 'Dropdown'])
        expect(await field(title).isVisible()).toBe(false)
      await question('Multiple').getByLabel('Apple').check()
      await question('Multiple').getByLabel('Other').check()
      await field('Multiple').fill('Plum')
      await page.getByRole('combobox').selectOption('Other (please specify)')
      await field('Dropdown').fill('Pear')
      await question('Single').getByLabel('Other').check()
      await submit()
      await shows('Enter your other answer, or choose another option.')
      expect(await question('Single').getByLabel('Other').isChecked()).toBe(true)
      await field('Single').fill('Fig')
      // Nothing of it is sent once another option is chosen.
      if (javaScriptEnabled) await page.getByRole('combobox').selectOption('Apple')
      await submit()
      await thanks()
      expect(values(1)).toEqual([
        { ids: [], other: 'Fig' },
        { ids: ['a'], other: 'Plum' },
        javaScriptEnabled ? { ids: ['a'], other: null } : { ids: [], other: 'Pear' },
      ])
    },
  )

  it('[RESP-07] lists what was uploaded, and says why a file is refused', async () => {
    const { page, question, stored, submit, shows, thanks } = await openForm([makeQuestion('file')], {
      limits: { fileMaxBytes: 20_000 },
    })
    const field = page.getByLabel('A document to attach')
    const { release } = await hold(page, /\/files$/, (request) => request.method() === 'POST')
    await field.setInputFiles({ ...PDF, buffer: Buffer.alloc(20_000) })
    await shows('Uploading booking.pdf')
    await submit()
    await shows('Please wait: your answers or files are still being sent.')
    await release()
    await shows('booking.pdf added.')
    expect(await question('A document').getByText('19.5 KiB').count()).toBe(1)
    await field.setInputFiles({ ...PDF, buffer: Buffer.alloc(20_001) })
    const refusal = question('A document').getByText('The file is too large')
    await refusal.waitFor()
    await expectAccessible(page)
    await field.setInputFiles([PDF, { ...PDF, name: 'second.pdf' }])
    await shows('2 files added.')
    expect(await refusal.count()).toBe(0)
    await page.getByLabel('booking.pdf').first().uncheck()
    await page.getByLabel('booking.pdf').last().uncheck()
    await submit()
    await thanks()
    expect(stored(1).answers.map(({ text }: { text: string }) => text)).toEqual(['second.pdf'])
  })

  it('[ERR-03] shows errors next to their questions and in a summary that links to them', async () => {
    const { page, question, submit, shows, thanks } = await openForm([
      NAME,
      makeQuestion('email'),
      makeQuestion('number', { min: 1, max: 12 }),
      makeQuestion('rating', { required: true }),
      makeQuestion('yes_no', { id: 'pet', title: 'A pet?' }),
      makeQuestion('short_text', {
        id: 'cage',
        title: 'Which cage?',
        show_if: { question_id: 'pet', equals: 'yes' },
      }),
    ])
    await question('A pet?').getByText('Yes', { exact: true }).click()
    await page.getByLabel('Email address').fill('ann@')
    await page.getByLabel('How many people?').fill('many')
    await submit()
    await shows('Please check 5 answers')
    expect(await page.title()).toBe('Error: Your stay')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('summary')
    const listed = page.getByRole('alert').getByRole('link')
    expect(await listed.count()).toBe(5)
    await listed.filter({ hasText: 'How many people? Enter a number from 1 to 12.' }).click()
    await eventually(() => focused(page)).toBe('input q[number]')
    expect(await page.getByLabel('How many people?').inputValue()).toBe('many')
    await expectAccessible(page)
    await page.getByLabel('How many people?').fill('2')
    await page.getByLabel('Email address').fill('ann@example.com')
    await question('How do you rate us?').getByLabel('4').check()
    // Hidden by another answer: it is not needed any more.
    await question('A pet?').getByText('No', { exact: true }).click()
    await page.getByLabel('Your name').fill('Ann')
    await submit()
    await thanks()
  })
})
