import { describe, expect, it } from 'vitest'
import { everyQuestion, makeQuestion } from '../../src/seed/questions.ts'
import { expectAccessible, expectFits, formTests, pageWith, thanks } from './public-form-kit.ts'

const PDF = { name: 'booking.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 booking') }
const PNG = { name: 'sign.png', mimeType: 'image/png', buffer: Buffer.from('not looked at') }

/** The answers that the tests give to `everyQuestion`, as the API returns them. */
const EVERY_ANSWER = [
  ['short_text', 'Ann Lee', 'Ann Lee'],
  ['long_text', 'Two\nlines', 'Two\nlines'],
  ['email', 'ann@example.com', 'ann@example.com'],
  ['url', 'https://example.com', 'https://example.com'],
  ['phone', '+44 20 7946 0000', '+44 20 7946 0000'],
  ['date', '2026-12-24', '2026-12-24'],
  ['time', '18:30', '18:30'],
  ['number', 3, '3'],
  ['scale', 8, '8'],
  ['rating', 4, '4'],
  ['nps', 10, '10'],
  ['slider', 21, '21'],
  ['single_choice', { ids: [], other: 'A hammock' }, 'A hammock'],
  ['multiple_choice', { ids: ['hike', 'dinner'], other: null }, 'Hike, Dinner'],
  ['dropdown', { ids: ['friend'], other: null }, 'Friend'],
  ['yes_no', { ids: ['no'], other: null }, 'No'],
  ['ranking', { ids: ['food', 'quiet', 'location'], other: null }, 'Food, Quiet, Location'],
  [
    'grid_single',
    { service: 'good', cleanliness: 'fair', food: 'poor' },
    'Service: Good; Cleanliness: Fair; Food: Poor',
  ],
  [
    'grid_multiple',
    { friday: ['evening'], saturday: ['morning', 'afternoon'] },
    'Friday: Evening; Saturday: Morning, Afternoon',
  ],
  ['file', [{ id: expect.stringMatching(/^file_/), name: 'booking.pdf', size: 16 }], 'booking.pdf'],
  [
    'signature',
    [{ id: expect.stringMatching(/^file_/), name: 'signature.png', size: expect.any(Number) }],
    'signature.png',
  ],
  [
    'address',
    { line1: '1 Main St', line2: '', city: 'Springfield', region: '', postal: '12345', country: 'USA' },
    '1 Main St, Springfield, 12345, USA',
  ],
].map(([type, value, text]) => ({ question_id: type, title: expect.any(String), type, value, text }))

describe('the public form in a browser', () => {
  const openForm = formTests()

  it('[RESP-07] fills every question type with keyboard and mouse', async () => {
    const { page, question, errors, stored, server } = await openForm(everyQuestion(), {
      query: '?ref=mail&utm_source=news',
    })
    await page.getByLabel('Your name').focus()
    await page.keyboard.type('Ann Lee')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Two')
    await page.keyboard.press('Enter')
    await page.keyboard.type('lines')
    await page.getByLabel('Email address').fill('ann@example.com')
    await page.getByLabel('Your website').fill('https://example.com')
    await page.getByLabel('Phone number').fill('+44 20 7946 0000')
    await page.getByLabel('Arrival date').fill('2026-12-24')
    await page.getByLabel('Arrival time').fill('18:30')
    await page.getByLabel('How many people?').fill('3')
    // By keyboard: the first step gets the focus, the arrow keys move it.
    await question('How easy was booking?').getByLabel('7', { exact: true }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await question('How do you rate us?').getByText('4').click()
    await question('How likely').getByText('10').click()
    await page.locator('[name="q[slider]"]').fill('21')
    await question('Which room?').getByText('Twin').click()
    await question('Which room?').getByLabel('Other').check()
    await question('Which room?').getByLabel('Please specify').fill('A hammock')
    await question('What will you join?').getByLabel('Hike').check()
    await question('What will you join?').getByLabel('Dinner').check()
    await page.getByLabel('How did you hear of us?').selectOption('Friend')
    await question('Have you stayed').getByText('No', { exact: true }).click()
    await page.getByLabel('1st place').selectOption('Food')
    await page.getByLabel('2nd place').selectOption('Quiet')
    await page.getByLabel('3rd place').selectOption('Location')
    await page.getByRole('group', { name: 'Service' }).getByText('Good').click()
    await page.getByRole('group', { name: 'Cleanliness' }).getByText('Fair').click()
    await page.getByRole('group', { name: 'Food' }).getByText('Poor').click()
    await page.getByRole('group', { name: 'Friday' }).getByText('Evening').click()
    await page.getByRole('group', { name: 'Saturday' }).getByText('Morning').click()
    await page.getByRole('group', { name: 'Saturday' }).getByText('Afternoon').click()
    await page.getByLabel('A document to attach').setInputFiles(PDF)
    await page.getByText('booking.pdf added.').waitFor()
    const pad = page.locator('canvas')
    await pad.scrollIntoViewIfNeeded()
    const box = (await pad.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(box.x + 30, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + 200, box.y + 90, { steps: 8 })
    await page.mouse.up()
    expect(await page.getByLabel('Sign here').inputValue()).toContain('signature.png')
    await page.getByLabel('Address line 1').fill('1 Main St')
    await page.getByLabel('City').fill('Springfield')
    await page.getByLabel('Postal code').fill('12345')
    await page.getByLabel('Country').fill('USA')
    await expectAccessible(page)
    await question('How easy was booking?').evaluate((element) => element.scrollIntoView())
    await server.clock.advance('3m')
    await page.getByRole('button', { name: 'Submit' }).click()
    await thanks(page)
    expect(stored(1).answers).toEqual(EVERY_ANSWER)
    expect(stored(1)).toMatchObject({
      duration_sec: 180,
      meta: { device: 'desktop', os: 'Linux', ref: 'mail', utm: { source: 'news' } },
    })
    expect(errors).toEqual([])
  })

  it('[RESP-06] shows and hides questions as answers change', async () => {
    const { page, question, stored, errors } = await openForm([
      makeQuestion('yes_no', { id: 'pet', title: 'A pet?' }),
      makeQuestion('rating', {
        id: 'size',
        title: 'How big?',
        show_if: { question_id: 'pet', equals: 'yes' },
      }),
      makeQuestion('short_text', {
        id: 'cage',
        title: 'Which cage?',
        required: true,
        show_if: { question_id: 'size', equals: 5 },
      }),
    ])
    const shown = () => page.locator('[data-question]:visible').count()
    expect(await shown()).toBe(1)
    await question('A pet?').getByText('Yes', { exact: true }).first().click()
    expect(await shown()).toBe(2)
    await question('How big?').getByText('5', { exact: true }).click()
    expect(await shown()).toBe(3)
    await question('Which cage?').getByRole('textbox').fill('The large one')
    await question('A pet?').getByText('No', { exact: true }).click()
    expect(await shown()).toBe(1)
    await page.getByRole('button', { name: 'Submit' }).click()
    await thanks(page)
    expect(stored(1).answers.map((answer: { question_id: string }) => answer.question_id)).toEqual(['pet'])
    expect(errors).toEqual([])
  })

  it('[RESP-09] saves a draft in place, resumes and submits it in another browser, and then reports it as not found', async () => {
    const { page, context, question, stored, server, url, errors } = await openForm(everyQuestion())
    await page.getByLabel('Your name').fill('Ann')
    await page.getByLabel('Email address').fill('ann@')
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await page.getByText('The draft was not saved').waitFor()
    expect(await page.getByLabel('Email address').getAttribute('aria-invalid')).toBe('true')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('q[email]')
    await page.getByLabel('Email address').fill('ann@example.com')
    await question('Which room?').getByText('Family').click()
    await page.getByLabel('A document to attach').setInputFiles(PDF)
    await page.getByText('booking.pdf added.').waitFor()
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await page.getByText('Your draft is saved').waitFor()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    const linkBox = await page.locator('.status a').boundingBox()
    const buttonBox = await page.locator('.status button').boundingBox()
    expect((buttonBox?.y ?? 0) - (linkBox?.y ?? 0) - (linkBox?.height ?? 0)).toBeGreaterThan(8)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
    expect(await page.getByLabel('Email address').getAttribute('aria-invalid')).toBeNull()
    await expectAccessible(page)
    const link = page.url()
    expect(link).toMatch(/\/drafts\/[A-Za-z0-9]{32}$/)
    await page.getByLabel('1st place').selectOption('Food')
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await expect.poll(() => stored(1).answers.length).toBe(5)
    await server.clock.advance('2h')

    const elsewhere = await context.newPage()
    await elsewhere.goto(link)
    expect(await elsewhere.getByLabel('Your name').inputValue()).toBe('Ann')
    expect(await elsewhere.getByLabel('Family').isChecked()).toBe(true)
    expect(await elsewhere.getByLabel('booking.pdf').isChecked()).toBe(true)
    expect(await elsewhere.getByLabel('1st place').inputValue()).toBe('food')
    await elsewhere.getByRole('button', { name: 'Submit' }).click()
    await pageWith(elsewhere, 'Please check one answer')
    await elsewhere.getByRole('link', { name: /Put these in your order/ }).click()
    await elsewhere.getByLabel('2nd place').selectOption('Quiet')
    await elsewhere.getByLabel('3rd place').selectOption('Location')
    await elsewhere.getByRole('button', { name: 'Submit' }).click()
    await thanks(elsewhere)
    expect(stored(1)).toMatchObject({
      status: 'submitted',
      started_at: '2026-11-21T12:00:00.000Z',
      duration_sec: 7200,
      answers: [
        { question_id: 'short_text', value: 'Ann' },
        { question_id: 'email' },
        { question_id: 'single_choice', text: 'Family' },
        { question_id: 'ranking', text: 'Food, Quiet, Location' },
        { question_id: 'file', text: 'booking.pdf' },
      ],
    })
    await elsewhere.goto(link)
    await elsewhere.getByRole('heading', { name: 'Draft not found' }).waitFor()
    await elsewhere.getByText('It was submitted or deleted').waitFor()
    // The first device has the page still: it is told the same, and what was typed stays on it.
    await page.getByLabel('Your name').fill('Ann Other')
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await page.getByText('Draft not found: it was submitted or deleted').waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ann Other')
    await page.waitForURL(url)
    await page.getByRole('button', { name: 'Submit' }).click()
    // The file went with the first response.
    await pageWith(page, 'Please check')
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ann Other')
    await elsewhere.getByRole('link', { name: 'Start a new response' }).click()
    await elsewhere.waitForURL(url)
    await elsewhere.getByRole('heading', { name: 'Your stay' }).waitFor()
    expect(errors).toEqual([])
  })

  it('[RESP-07] clears answers, and shows why a file is refused', async () => {
    const { page, question, stored, errors } = await openForm(
      [makeQuestion('rating'), makeQuestion('single_choice'), makeQuestion('file')],
      { limits: { fileMaxBytes: 1000 } },
    )
    const rating = question('How do you rate us?')
    await rating.getByText('4', { exact: true }).click()
    await rating.getByRole('button', { name: 'Clear this answer' }).click()
    expect(await rating.locator(':checked').count()).toBe(0)
    expect(await rating.getByRole('button').count()).toBe(0)
    const room = question('Which room?')
    await room.getByLabel('Other').check()
    await room.getByLabel('Please specify').fill('A tent')
    await room.getByText('Twin').click()
    expect(await room.getByLabel('Please specify').inputValue()).toBe('')
    await page.getByLabel('A document to attach').setInputFiles({ ...PDF, buffer: Buffer.alloc(1001) })
    await question('A document to attach').getByText('The file is too large').waitFor()
    await page.getByLabel('A document to attach').setInputFiles([PDF, { ...PDF, name: 'second.pdf' }])
    await page.getByText('2 files added.').waitFor()
    expect(await question('A document to attach').getByText('The file is too large').count()).toBe(0)
    await page.getByLabel('booking.pdf').uncheck()
    await page.getByRole('button', { name: 'Submit' }).click()
    await thanks(page)
    expect(stored(1).answers.map(({ text }: { text: string }) => text)).toEqual(['Twin', 'second.pdf'])
    expect(errors).toEqual([])
  })

  it('keeps the answers when submitted offline, and submits them once online', async () => {
    const { page, context, stored } = await openForm([{ id: 'a', type: 'short_text', title: 'Your name' }])
    await page.getByLabel('Your name').fill('Ann')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('You are offline').waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ann')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Submit' }).click()
    await thanks(page)
    expect(stored(1).answers[0].value).toBe('Ann')
  })

  it('[FORM-07] shows that the form is closed, before and after it was filled in', async () => {
    const { page, server, formId, url, errors } = await openForm([makeQuestion('short_text')])
    await page.getByLabel('Your name').fill('Ann')
    await server.fetch(`http://formwire.test/api/v1/forms/${formId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${server.writeKey}`, 'content-type': 'application/json' },
      body: '{"status":"closed"}',
    })
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByRole('heading', { name: 'This form is closed' }).waitFor()
    const response = await page.goto(url)
    expect(response?.status()).toBe(403)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your stay')
    expect(await page.locator('.message p').allInnerTexts()).toEqual([
      'If you still want to respond, ask the person who sent it to you.',
    ])
    await expectAccessible(page)
    expect(errors).toEqual([])
  })

  it('[FORM-13] shows when a form opens, in local time', async () => {
    const { page, errors } = await openForm([makeQuestion('short_text')], {
      opensAt: '2026-12-24T18:00:00Z',
      timezoneId: 'Asia/Tokyo',
    })
    await page.getByRole('heading', { name: 'This form is not open yet' }).waitFor()
    // Unicode lets an engine put its own kind of space before PM.
    const said = (await page.getByText('It opens on').textContent())?.replace(/\s/g, ' ')
    expect(said).toBe('It opens on December 25, 2026 at 3:00 AM GMT+9.')
    await expectAccessible(page)
    expect(errors).toEqual([])
  })

  it.each([320, 360, 390, 600, 900])(
    '[RESP-07] wraps steps evenly, with touch targets, at %d pixels',
    async (width) => {
      const lengths = [3, 5, 7, 8, 9, 10, 11, 13, 15, 17, 20, 21]
      const { page } = await openForm(
        [
          ...lengths.map((length) => ({ type: 'scale', title: `Of ${length}`, min: 1, max: length })),
          { type: 'nps', title: 'Of 11, from nought' },
          { type: 'scale', title: 'Of 5 large', min: -100_002, max: -99_998 },
        ],
        { viewport: { width, height: 800 } },
      )
      await expectFits(page)
      const scales = await page.evaluate(() =>
        [...document.querySelectorAll('.steps')].map((scale) => {
          const boxes = [...scale.querySelectorAll('.step')].map((step) => step.getBoundingClientRect())
          const tops = [...new Set(boxes.map(({ top }) => top))]
          return {
            rows: tops.map((top) => boxes.filter((box) => box.top === top).length),
            isLarge: boxes.every((box) => box.width >= 24 && box.height >= 44),
            isWhole: [...scale.querySelectorAll('span')].every(
              (label) => label.getClientRects().length === 1,
            ),
          }
        }),
      )
      expect(scales).toHaveLength(lengths.length + 2)
      for (const { rows, isLarge, isWhole } of scales) {
        const most = Math.max(...rows)
        // All rows have the same number of steps, except for the last, which can have slightly fewer.
        expect({ rows, even: rows.slice(0, -1).every((row) => row === most) }).toMatchObject({ even: true })
        expect({ rows, lacks: most - (rows.at(-1) ?? 0) < rows.length }).toMatchObject({ lacks: true })
        expect({ rows, isLarge, isWhole }).toMatchObject({ isLarge: true, isWhole: true })
      }
    },
  )

  it('[RESP-07] renders hostile titles and answers as text', async () => {
    const script =
      '"><script>document.body.dataset.hacked = 1</script><img src=x onerror="document.body.dataset.hacked = 1">\'</textarea></title>'
    const hostileId = '"><script>document.body.dataset.hacked = 1</script>'
    const rtl = '\u202eمرحبا <b>bold</b>\u202d'
    const long = 'W'.repeat(10_000)
    const { page, errors, stored } = await openForm(
      [
        { id: 'a', type: 'short_text', title: script },
        { id: 'b', type: 'long_text', title: rtl },
        {
          id: 'c',
          type: 'single_choice',
          title: long,
          options: [
            { id: hostileId, label: script },
            { id: 'l', label: long },
          ],
        },
        {
          id: 'd',
          type: 'email',
          title: 'Mail',
          required: true,
          show_if: { question_id: 'c', equals: hostileId },
        },
        { id: 'e', type: 'file', title: 'File' },
      ],
      { title: `${script} ${rtl}`, viewport: { width: 360, height: 800 } },
    )
    const isUnharmed = async () => {
      expect(await page.evaluate(() => document.body.dataset.hacked)).toBeUndefined()
      expect(await page.locator('script:not([src]), img:not(.made > img), b').count()).toBe(0)
      await expectFits(page)
    }
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`${script} ${rtl}`)
    await isUnharmed()
    await page.locator('[name="q[a]"]').fill(script)
    await page.locator('[name="q[b]"]').fill(`${script}\n${rtl}${long}`)
    await page.locator('input[type=radio]').first().check()
    await page.locator('input[type=file]').setInputFiles({ ...PDF, name: '<img src=x onerror=alert(1)>.pdf' })
    await page.getByText('added.').waitFor()
    await page.locator('input[type=file]').setInputFiles({ ...PDF, name: '\u202egnp.exe' })
    await page.locator('[data-status]', { hasText: 'gnp.exe added.' }).waitFor()
    // Isolated, so that its direction mark does not reverse the words after it.
    expect(await page.locator('[data-status] bdi').textContent()).toBe('\u202egnp.exe')
    await page.getByLabel('gnp.exe').uncheck()
    await page.getByRole('button', { name: 'Submit' }).click()
    await pageWith(page, 'Please check one answer')
    await isUnharmed()
    expect(await page.locator('[name="q[a]"]').inputValue()).toBe(script)
    expect(await page.locator('[name="q[b]"]').inputValue()).toBe(`${script}\n${rtl}${long}`)
    await page.locator('[name="q[d]"]').fill('ann@example.com')
    await page.getByRole('button', { name: 'Submit' }).click()
    await thanks(page)
    await isUnharmed()
    expect(stored(1).answers.map((answer: { text: string }) => answer.text)).toEqual([
      script,
      `${script}\n${rtl}${long}`,
      script,
      'ann@example.com',
      '<img src=x onerror=alert(1)>.pdf',
    ])
    expect(errors).toEqual([])
  })

  it('[ERR-03] shows errors next to their questions, and focuses a summary that links to them', async () => {
    const { page, errors } = await openForm(everyQuestion(), { viewport: { width: 390, height: 844 } })
    await page.getByLabel('How many people?').fill('many')
    await page.getByLabel('Arrival time').fill('18:30')
    await page.getByRole('button', { name: 'Submit' }).click()
    await pageWith(page, 'Please check 3 answers')
    expect(await page.title()).toBe('Error: Your stay')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('summary')
    expect(await page.getByRole('alert').getByRole('link').allTextContents()).toEqual([
      'Your name: This question needs an answer.',
      'Email address: This question needs an answer.',
      'How many people? Enter a number from 1 to 12.',
    ])
    await page.getByRole('link', { name: /How many people/ }).click()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('q[number]')
    expect(await page.getByLabel('How many people?').inputValue()).toBe('many')
    expect(await page.getByLabel('Arrival time').inputValue()).toBe('18:30')
    const border = (label: string) =>
      page.getByLabel(label).evaluate((field) => {
        const { borderTopWidth, borderTopColor } = getComputedStyle(field)
        return `${borderTopWidth} ${borderTopColor}`
      })
    expect(await border('How many people?')).toBe('2px rgb(171, 32, 24)')
    expect(await border('Arrival time')).toBe('1px rgb(134, 140, 156)')
    await expectAccessible(page)
    expect(errors).toEqual([])
  })

  it('[RESP-07] works without JavaScript: errors, files, a draft by link, every question type', async () => {
    const { page, question, stored } = await openForm(everyQuestion(), { javaScriptEnabled: false })
    await page.getByLabel('Your name').fill('Ann Lee')
    await page.getByLabel('Anything we should know?').fill('Two\nlines')
    await page.getByLabel('A document to attach').setInputFiles(PDF)
    await page.getByLabel('Sign here').setInputFiles(PNG)
    await page.getByRole('button', { name: 'Submit' }).click()
    await pageWith(page, 'Please check one answer')
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ann Lee')
    expect(await page.getByLabel('Anything we should know?').inputValue()).toBe('Two\nlines')
    expect(await page.getByLabel('booking.pdf').isChecked()).toBe(true)
    await page.getByLabel('Sign here').setInputFiles({ ...PNG, name: 'signature.png' })
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await page.getByRole('heading', { name: 'Your draft is saved' }).waitFor()
    await page.getByRole('link', { name: 'Continue your draft' }).click()
    expect(await page.getByLabel('sign.png').count()).toBe(0)
    await page.getByLabel('Email address').fill('ann@example.com')
    await page.getByLabel('Your website').fill('https://example.com')
    await page.getByLabel('Phone number').fill('+44 20 7946 0000')
    await page.getByLabel('Arrival date').fill('2026-12-24')
    await page.getByLabel('Arrival time').fill('18:30')
    await page.getByLabel('How many people?').fill('3')
    await question('How easy was booking?').getByText('8').click()
    await question('How do you rate us?').getByText('4').click()
    await question('How likely').getByText('10').click()
    await page.getByLabel('How warm should your room be?').fill('21')
    await question('Which room?').getByLabel('Other').check()
    await question('Which room?').getByLabel('Please specify').fill('A hammock')
    await question('What will you join?').getByLabel('Hike').check()
    await question('What will you join?').getByLabel('Dinner').check()
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await page.getByRole('link', { name: 'Continue your draft' }).click()
    await page.getByLabel('How did you hear of us?').selectOption('Friend')
    await question('Have you stayed').getByText('No', { exact: true }).click()
    await page.getByLabel('1st place').selectOption('Food')
    await page.getByLabel('2nd place').selectOption('Quiet')
    await page.getByLabel('3rd place').selectOption('Location')
    await page.getByRole('group', { name: 'Service' }).getByText('Good').click()
    await page.getByRole('group', { name: 'Cleanliness' }).getByText('Fair').click()
    await page.getByRole('group', { name: 'Food' }).getByText('Poor').click()
    await page.getByRole('group', { name: 'Friday' }).getByText('Evening').click()
    await page.getByRole('group', { name: 'Saturday' }).getByText('Morning').click()
    await page.getByRole('group', { name: 'Saturday' }).getByText('Afternoon').click()
    await page.getByLabel('Address line 1').fill('1 Main St')
    await page.getByLabel('City').fill('Springfield')
    await page.getByLabel('Postal code').fill('12345')
    await page.getByLabel('Country').fill('USA')
    await page.getByRole('button', { name: 'Submit' }).click()
    await thanks(page)
    expect(stored(1).answers).toEqual(EVERY_ANSWER)
  })

  it('[ENV-08] sets no cookie and sends no request to another host', async () => {
    const { page, context, url } = await openForm([makeQuestion('short_text')])
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.reload()
    await page.getByLabel('Your name').fill('Ann')
    await page.getByRole('button', { name: 'Submit' }).click()
    await thanks(page)
    expect([...hosts]).toEqual([new URL(url).host])
    expect(await context.cookies()).toEqual([])
  })
})
