import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { makeQuestion } from '../../src/seed/questions.ts'
import {
  expectAccessible,
  expectFits,
  formTests,
  type OpenedForm,
  pageWith,
  thanks,
} from './public-form-kit.ts'

const NAME = makeQuestion('short_text')
const EMAIL = makeQuestion('email')
const PDF = { name: 'booking.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 booking') }

const total = ({ server, formId }: OpenedForm): number => server.app.responses.list(formId).total
const submit = (page: Page): Promise<void> => page.getByRole('button', { name: 'Submit' }).click()

/** Holds the requests that match until `release` is called. */
async function hold(page: Page, url: RegExp): Promise<{ release: () => void }> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    if (route.request().method() === 'POST') await released
    await route.continue()
  })
  return { release }
}

/** Presses Submit at its place: a locator would wait for the navigation to end. */
async function presserOf(page: Page): Promise<() => Promise<void>> {
  const button = page.getByRole('button', { name: 'Submit' })
  await button.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await boxOf(button)
  return () => page.mouse.click(x + width / 2, y + height / 2)
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('The element is not visible.')
  return box
}

describe('stories of the public form', () => {
  const openForm = formTests()

  it.each([true, false])(
    'stores one response after a reload, Back and another Submit (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const opened = await openForm([NAME], { javaScriptEnabled })
      const { page, url } = opened
      await page.getByLabel('Your name').fill('Ann')
      await submit(page)
      await thanks(page)
      expect(page.url()).toBe(`${url}/thanks`)
      await page.reload()
      await thanks(page)
      expect(total(opened)).toBe(1)
      const back = await page.goBack()
      // A page from the browser's own cache has no response.
      expect(back?.status() ?? 200).toBe(200)
      expect(page.url()).toBe(url)
      await page.getByLabel('Your name').waitFor()
      await page.goForward()
      await thanks(page)
      expect(total(opened)).toBe(1)
    },
  )

  it.each([true, false])(
    'goes back over a page with errors, which the browser would otherwise ask to send again (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const opened = await openForm([NAME, EMAIL], { javaScriptEnabled })
      const { page, url } = opened
      await page.getByLabel('Your name').fill('Ann')
      await submit(page)
      await page.locator('.summary').waitFor()
      await page.getByLabel('Email address').fill('ann@example.com')
      await submit(page)
      await thanks(page)
      await page.goBack()
      await page.locator('.summary').waitFor()
      expect(await page.getByLabel('Your name').inputValue()).toBe('Ann')
      await page.goBack()
      await page.locator('.summary').waitFor({ state: 'detached' })
      expect(page.url()).toBe(url)
      await page.goForward()
      await page.locator('.summary').waitFor()
      await page.goForward()
      await thanks(page)
      expect(total(opened)).toBe(1)
    },
  )

  it('says after Back that the page was submitted, and offers another response', async () => {
    const opened = await openForm([NAME], { query: '?ref=mail' })
    const { page, stored, errors } = opened
    const submitted = page.getByText('You have submitted this form.')
    expect(await submitted.count()).toBe(0)
    page.on('dialog', (dialog) => errors.push(dialog.type()))
    await page.getByLabel('Your name').fill('Ann')
    await submit(page)
    await thanks(page)
    // Automation has no cache of pages, so the browser loads the page again.
    await page.goBack()
    await submitted.waitFor()
    await expectAccessible(page)
    await submit(page)
    await thanks(page)
    expect(total(opened)).toBe(1)
    expect(await page.getByText('If you go back').isVisible()).toBe(false)
    await page.goBack()
    await submitted.waitFor()
    await page.getByLabel('Your name').fill('Ann Lee')
    expect(await submitted.count()).toBe(0)
    await expect.poll(() => page.locator('form').getAttribute('data-busy')).toBeNull()
    await submit(page)
    await thanks(page)
    await page.goBack()
    await submitted.waitFor()
    await page.getByRole('link', { name: 'Submit another response' }).click()
    await submitted.waitFor({ state: 'detached' })
    await page.waitForLoadState()
    await page.getByLabel('Your name').fill('Bob')
    await submit(page)
    await thanks(page)
    expect([1, 2, 3].map((id) => stored(id).answers[0].value)).toEqual(['Ann', 'Ann Lee', 'Bob'])
    expect(errors).toEqual([])
  })

  it('does not say that a refused page was submitted after Back to an earlier thank-you page', async () => {
    const { page } = await openForm([NAME])
    await page.getByLabel('Your name').fill('Ann')
    await submit(page)
    await thanks(page)
    await page.getByRole('link', { name: 'Submit another response' }).click()
    await page.waitForLoadState()
    await submit(page)
    await pageWith(page, 'Please check one answer')
    await page.goBack()
    await page.goBack()
    await thanks(page)
    await page.goForward()
    await page.getByLabel('Your name').waitFor()
    expect(await page.getByText('You have submitted this form.').count()).toBe(0)
  })

  it('says without JavaScript what another Submit after Back does', async () => {
    const opened = await openForm([NAME], { javaScriptEnabled: false })
    const { page } = opened
    await page.getByLabel('Your name').fill('Ann')
    await submit(page)
    await page.getByText('If you go back and submit again, that may be recorded as another').waitFor()
    await page.goBack()
    await submit(page)
    await thanks(page)
    expect(total(opened)).toBe(2)
  })

  /** Opens a draft of Ann in the page. `elsewhere` sends what another device does with it. */
  const openDraft = async (javaScriptEnabled: boolean) => {
    const opened = await openForm([NAME, makeQuestion('file')], { javaScriptEnabled })
    const { page, url } = opened
    const send = async (method: string, path: string, name: string) => {
      const body = JSON.stringify({ answers: [{ question_id: 'short_text', value: name }] })
      const response = await fetch(url + path, {
        method,
        body,
        headers: { 'content-type': 'application/json' },
      })
      return ((await response.json()) as { data: { token: string } }).data
    }
    const { token } = await send('POST', '/drafts', 'Ann')
    await page.goto(`${url}/drafts/${token}`)
    await page.getByLabel('Your name').fill('Ann Lee')
    return {
      ...opened,
      elsewhere: (path: string, method: string) => send(method, `/drafts/${token}${path}`, 'Bob'),
    }
  }
  const name = ({ page }: OpenedForm) => page.getByLabel('Your name').inputValue()
  const save = (page: Page) => page.getByRole('button', { name: 'Save and finish later' }).click()

  it.each([
    [true, submit],
    [false, submit],
    [true, save],
    [false, save],
  ])(
    '[RESP-09] keeps what was typed in a draft that was submitted on another device (JavaScript: %s, %o)',
    async (javaScriptEnabled, press) => {
      const opened = await openDraft(javaScriptEnabled)
      const { page, stored, elsewhere } = opened
      await elsewhere('/submit', 'POST')
      await press(page)
      await pageWith(page, 'Your answers are still here: submit or save them as another response')
      expect(await name(opened)).toBe('Ann Lee')
      await submit(page)
      await thanks(page)
      expect([1, 2].map((id) => stored(id).answers[0].value)).toEqual(['Bob', 'Ann Lee'])
      expect(total(opened)).toBe(2)
    },
  )

  it.each([true, false])(
    '[RESP-09] asks before it replaces a draft that was saved on another device (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const opened = await openDraft(javaScriptEnabled)
      const { page, stored, elsewhere } = opened
      const value = () => stored(1).answers[0].value
      await elsewhere('', 'PUT')
      for (const press of javaScriptEnabled ? [save] : [submit, save]) {
        await press(page)
        await pageWith(page, 'This draft was saved on another device or in another tab')
        expect([value(), await name(opened)]).toEqual(['Bob', 'Ann Lee'])
        // Who has read it may replace it, but not what was saved after that.
        if (!javaScriptEnabled) await elsewhere('', 'PUT')
      }
      if (!javaScriptEnabled) {
        await save(page)
        await pageWith(page, 'This draft was saved on another device')
      }
      await save(page)
      await pageWith(page, 'Your draft is saved')
      expect(value()).toBe('Ann Lee')
      if (!javaScriptEnabled) return
      await page.getByLabel('Your name').fill('Ann Other')
      await save(page)
      await expect.poll(value).toBe('Ann Other')
      await elsewhere('', 'PUT')
      await submit(page)
      await pageWith(page, 'This draft was saved on another device')
      expect([value(), await name(opened)]).toEqual(['Bob', 'Ann Other'])
      await submit(page)
      await thanks(page)
      expect([value(), total(opened)]).toEqual(['Ann Other', 1])
    },
  )

  it('[RESP-09] saves a draft again behind a proxy that weakens ETags', async () => {
    const { page } = await openForm([NAME])
    await page.route('**/drafts', async (route) => {
      const response = await route.fetch()
      const headers = response.headers()
      await route.fulfill({ response, headers: { ...headers, etag: `W/${headers.etag}` } })
    })
    await save(page)
    await pageWith(page, 'Your draft is saved')
    expect(await page.locator('[name="draft_version"]').inputValue()).toBe('1')
  })

  it('[RESP-09] submits the draft that was changed after Back from a page with errors', async () => {
    const opened = await openDraft(true)
    const { page, server, formId, stored } = opened
    await page.getByLabel('Your name').fill('')
    await submit(page)
    await pageWith(page, 'Please check one answer')
    await page.goBack()
    await pageWith(page, 'This is your draft')
    await page.getByLabel('Your name').fill('Ann Other')
    await expect.poll(() => page.locator('form').getAttribute('data-busy')).toBeNull()
    await submit(page)
    await thanks(page)
    expect(stored(1).answers[0].value).toBe('Ann Other')
    expect(server.app.responses.list(formId, 'in_progress').total).toBe(0)
    // Nothing is left to submit.
    await page.goBack()
    await page.getByRole('link', { name: 'Start a new response' }).waitFor()
  })

  it('[FORM-07] keeps what was typed in a form that was closed meanwhile', async () => {
    const opened = await openForm([NAME])
    const { page, server, formId } = opened
    await page.getByLabel('Your name').fill('Ann')
    server.app.forms.close(formId)
    await submit(page)
    await page.getByRole('heading', { name: 'This form is closed' }).waitFor()
    await pageWith(page, 'Your answers were not sent; they are still here.')
    expect([await name(opened), total(opened)]).toEqual(['Ann', 0])
    await expectAccessible(page)
    server.app.forms.reopen(formId)
    await submit(page)
    await thanks(page)
    expect(total(opened)).toBe(1)
  })

  it('stores one response when Submit is pressed again while the first press is being sent', async () => {
    const opened = await openForm([NAME], { javaScriptEnabled: false })
    const { page, url } = opened
    let presses = 0
    await page.route(url, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      presses += 1
      if (presses > 1) return route.continue()
      // The first response is stored, but the browser does not know yet.
      await route.fetch({ maxRedirects: 0 })
    })
    await page.getByLabel('Your name').fill('Ann')
    const press = await presserOf(page)
    await press()
    await expect.poll(() => total(opened)).toBe(1)
    await press()
    await thanks(page)
    expect(presses).toBe(2)
    expect(total(opened)).toBe(1)
  })

  it('stores what was changed after Back as another response, and the same answers once', async () => {
    const opened = await openForm([NAME], { query: '?ref=mail' })
    const { page, url, stored } = opened
    // Keeps the page, as the browser's cache of pages does, which automation turns off.
    await page.route(/\/f\/\w+\?ref=mail$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch({ maxRedirects: 0 })
      return route.fulfill({ status: 204 })
    })
    const back = () =>
      page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await page.getByLabel('Your name').fill('Ann')
    await submit(page)
    await expect.poll(() => total(opened)).toBe(1)
    await back()
    await submit(page)
    await back()
    await page.getByLabel('Your name').fill('Ann Lee')
    await expect.poll(() => page.locator('form').getAttribute('data-busy')).toBeNull()
    await submit(page)
    await expect.poll(() => total(opened)).toBe(2)
    expect([1, 2].map((id) => stored(id).answers[0].value)).toEqual(['Ann', 'Ann Lee'])
    expect(stored(2).meta.ref).toBe('mail')
    expect(page.url()).toBe(`${url}?ref=mail`)
  })

  it('[RESP-09] saves a draft once without JavaScript, and shows its link as text', async () => {
    const { page, server, formId, url } = await openForm([NAME], { javaScriptEnabled: false })
    await page.getByLabel('Your name').fill('Ann')
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await page.getByRole('heading', { name: 'Your draft is saved' }).waitFor()
    await page.reload()
    expect(server.app.responses.list(formId, 'in_progress').total).toBe(1)
    const link = page.url().replace(/\/saved$/, '')
    expect(link).toMatch(new RegExp(`^${url}/drafts/[A-Za-z0-9]{32}$`))
    await page.getByText(link, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Continue your draft' }).click()
    await page.waitForURL(link)
    // The page of the draft shows it, too.
    expect(await page.getByRole('link', { name: link }).getAttribute('href')).toBe(new URL(link).pathname)
  })

  it('[ERR-03] clears an error once the answer is corrected, here and in the summary', async () => {
    const { page, question, errors } = await openForm([
      NAME,
      makeQuestion('email'),
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
    await submit(page)
    await pageWith(page, 'Please check 4 answers')
    const red = () =>
      page
        .locator('[data-error-line]:visible')
        .evaluateAll((lines) => lines.map((line) => line.id.replace('-error', '')))
    const listed = () => page.getByRole('alert').getByRole('link').count()
    expect([await red(), await listed()]).toEqual([
      ['question-1', 'question-2', 'question-3', 'question-5'],
      4,
    ])
    const email = page.getByLabel('Email address')
    // Not corrected yet.
    await email.fill('ann@example')
    expect((await red()).includes('question-2')).toBe(true)
    await email.fill('ann@example.com')
    expect([await red(), await listed()]).toEqual([['question-1', 'question-3', 'question-5'], 3])
    expect(await email.getAttribute('aria-invalid')).toBeNull()
    await page.getByText('Please check 3 answers').waitFor()
    await question('How do you rate us?').getByText('4').click()
    expect(await red()).toEqual(['question-1', 'question-5'])
    // Hidden by another answer: it is not needed any more.
    await question('A pet?').getByText('No', { exact: true }).click()
    expect([await red(), await listed()]).toEqual([['question-1'], 1])
    await page.getByLabel('Your name').fill('Ann')
    expect(await red()).toEqual([])
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.title()).toBe('Your stay')
    await submit(page)
    await thanks(page)
    expect(errors).toEqual([])
  })

  it('[ERR-03] clears the error of a draft that was not saved, once its answer changes', async () => {
    const { page, question } = await openForm([makeQuestion('email')])
    await page.getByLabel('Email address').fill('ann@')
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await question('Email address').getByText('Enter an email address').waitFor()
    await page.getByLabel('Email address').fill('ann@example.com')
    expect(await question('Email address').getByText('Enter an email address').count()).toBe(0)
  })

  it('turns the whole layout for a language from right to left', async () => {
    const { page, errors } = await openForm(
      [
        makeQuestion('short_text', { title: 'ما اسمك؟' }),
        makeQuestion('single_choice', {
          title: 'أي غرفة؟',
          options: [
            { id: 'a', label: 'غرفة مزدوجة' },
            { id: 'b', label: 'Suite' },
          ],
        }),
        makeQuestion('number', { title: 'كم عددكم؟' }),
        makeQuestion('slider', { title: 'درجة الحرارة' }),
        makeQuestion('rating', { title: 'تقييمك' }),
      ],
      {
        title: 'إقامتك',
        form: { language: 'ar' },
        viewport: { width: 600, height: 800 },
      },
    )
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    const center = 300
    const starts = await page.evaluate(() =>
      ['h1', 'legend', '.hint', '.primary'].map((selector) => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector(selector) as Element)
        return { selector, right: range.getBoundingClientRect().right }
      }),
    )
    for (const { selector, right } of starts)
      expect({ selector, isRight: right > center }).toEqual({ selector, isRight: true })
    for (const label of ['غرفة مزدوجة', 'Suite']) {
      const radio = await boxOf(page.getByLabel(label))
      const text = await boxOf(page.getByText(label))
      expect(radio.x).toBeGreaterThan(text.x)
    }
    const stars = await page
      .locator('.star')
      .evaluateAll((all) => all.map((star) => star.getBoundingClientRect().x))
    expect(stars).toEqual([...stars].sort((a, b) => b - a))
    await expectAccessible(page)
    await expectFits(page)
    expect(errors).toEqual([])
  })

  it('[RESP-07] rates with stars, by mouse and keyboard, and clears the answer', async () => {
    const { page, question, stored, errors } = await openForm([
      makeQuestion('rating'),
      makeQuestion('nps'),
      makeQuestion('scale'),
    ])
    const rating = question('How do you rate us?')
    const filled = () =>
      rating
        .locator('.star svg')
        .evaluateAll((all) => all.map((star) => getComputedStyle(star).fill !== 'rgba(0, 0, 0, 0)'))
    expect(await filled()).toEqual([false, false, false, false, false])
    await rating.getByLabel('4').check()
    expect(await filled()).toEqual([true, true, true, true, false])
    await page.keyboard.press('ArrowLeft')
    expect(await filled()).toEqual([true, true, true, false, false])
    await rating.getByRole('button', { name: 'Clear' }).click()
    expect(await filled()).toEqual([false, false, false, false, false])
    await rating.locator('.star').nth(1).click()
    expect(await filled()).toEqual([true, true, false, false, false])
    // No step shows the dot of a radio button.
    expect(
      await page
        .locator('.step input, .star input')
        .evaluateAll((all) => all.every((input) => getComputedStyle(input).appearance === 'none')),
    ).toBe(true)
    const nps = question('How likely are you')
    await expect
      .poll(() => nps.locator('.ends').textContent())
      .toMatch(/Not at all likely\s+Extremely likely/)
    expect(await nps.getAttribute('aria-describedby')).toContain('ends')
    // In two rows, the ends are not below the steps that they describe.
    const ends = nps.locator('.ends > span')
    const areNumbered = () =>
      ends.evaluateAll((all) => all.map((end) => getComputedStyle(end, '::before').content !== 'none'))
    expect(await ends.evaluateAll((all) => all.map((end) => (end as HTMLElement).dataset.step))).toEqual([
      '0',
      '10',
    ])
    expect(await areNumbered()).toEqual([false, false])
    await page.setViewportSize({ width: 390, height: 800 })
    await expect.poll(areNumbered).toEqual([true, true])
    await nps.getByText('0', { exact: true }).click()
    await question('How easy').getByLabel('10').check()
    await submit(page)
    await thanks(page)
    expect(stored(1).answers.map(({ value }: { value: number }) => value)).toEqual([2, 0, 10])
    expect(errors).toEqual([])
  })

  it('[RESP-07] shows the progress of an upload, and lists what was uploaded', async () => {
    const { page, question, errors } = await openForm([makeQuestion('file')])
    const { release } = await hold(page, /\/files$/)
    await page.getByLabel('A document to attach').setInputFiles({ ...PDF, buffer: Buffer.alloc(20_000) })
    await page.getByRole('progressbar', { name: 'Uploading booking.pdf' }).waitFor()
    await submit(page)
    await page.getByText('Please wait: your answers or files are still being sent.').waitFor()
    release()
    await page.getByText('booking.pdf added.').waitFor()
    expect(await page.getByRole('progressbar').count()).toBe(0)
    expect(await question('A document').getByText('19.5 KiB').count()).toBe(1)
    expect(await page.getByLabel('booking.pdf').isChecked()).toBe(true)
    await expectAccessible(page)
    expect(errors).toEqual([])
  })

  it.each([true, false])(
    '[RESP-07] opens the field of "Other" once it is chosen (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const options = { options: [{ id: 'a', label: 'Apple' }], allow_other: true }
      const { page, question, stored } = await openForm(
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
      await question('Single').getByLabel('Other').check()
      await field('Single').fill('Fig')
      await question('Multiple').getByLabel('Apple').check()
      await question('Multiple').getByLabel('Other').check()
      await field('Multiple').fill('Plum')
      await page.getByRole('combobox').selectOption('Other (please specify)')
      await field('Dropdown').fill('Pear')
      await submit(page)
      await thanks(page)
      expect(stored(1).answers.map(({ value }: { value: object }) => value)).toEqual([
        { ids: [], other: 'Fig' },
        { ids: ['a'], other: 'Plum' },
        { ids: [], other: 'Pear' },
      ])
    },
  )

  it('[RESP-07] sends no text of "Other" once another option is chosen', async () => {
    const options = { options: [{ id: 'a', label: 'Apple' }], allow_other: true }
    const { page, question, stored } = await openForm([
      makeQuestion('multiple_choice', { id: 'm', title: 'Multiple', ...options }),
      makeQuestion('dropdown', { id: 'd', title: 'Dropdown', ...options }),
    ])
    await question('Multiple').getByLabel('Other').check()
    // A mouse goes on in the field; the arrow keys stay in the group.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('q[m][other]')
    await page.keyboard.type('Plum')
    await question('Multiple').getByLabel('Other').uncheck()
    await page.getByRole('combobox').selectOption('Other (please specify)')
    await question('Dropdown').getByLabel('Please specify').fill('Pear')
    await page.getByRole('combobox').selectOption('Apple')
    await submit(page)
    await thanks(page)
    expect(stored(1).answers.map(({ value }: { value: object }) => value)).toEqual([
      { ids: ['a'], other: null },
    ])
  })

  it('shows that the answers are being sent, and sends them once', async () => {
    const opened = await openForm([NAME])
    const { page } = opened
    const { release } = await hold(page, /\/f\/\w+$/)
    let posts = 0
    page.on('request', (request) => {
      posts += request.method() === 'POST' ? 1 : 0
    })
    await page.getByLabel('Your name').fill('Ann')
    // Recorded in the page: during a navigation it cannot be asked.
    await page.evaluate(() => {
      const button = document.querySelector('[data-submit]') as HTMLElement
      new MutationObserver(() => sessionStorage.setItem('label', button.textContent)).observe(button, {
        childList: true,
      })
    })
    const press = await presserOf(page)
    await press()
    await expect.poll(() => posts).toBe(1)
    await press()
    release()
    await thanks(page)
    expect(await page.evaluate(() => sessionStorage.getItem('label'))).toBe('Sending…')
    expect(posts).toBe(1)
    expect(total(opened)).toBe(1)
  })

  it('warns before unsaved answers are left, and only then', async () => {
    const { page } = await openForm([NAME, makeQuestion('rating')])
    let warnings = 0
    page.on('dialog', (dialog) => {
      warnings += dialog.type() === 'beforeunload' ? 1 : 0
      void dialog.accept()
    })
    await page.getByLabel('Your name').click()
    await page.reload()
    expect(warnings).toBe(0)
    await page.getByLabel('Your name').fill('Ann')
    await page.reload()
    expect(warnings).toBe(1)
    // An answer that was taken back is not lost.
    await page.getByLabel('Your name').fill('Ann')
    await page.getByLabel('Your name').fill('')
    await page.reload()
    expect(warnings).toBe(1)
    await page.getByLabel('Your name').fill('Ann')
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await page.getByText('Your draft is saved').waitFor()
    await page.reload()
    expect(warnings).toBe(1)
    await page.getByLabel('Your name').fill('')
    await submit(page)
    await pageWith(page, 'Please check one answer')
    expect(warnings).toBe(1)
    // What was refused is stored nowhere.
    await page.getByLabel('Your name').click()
    await page.reload()
    expect(warnings).toBe(2)
    await page.getByLabel('Your name').fill('Bob')
    await submit(page)
    await thanks(page)
    expect(warnings).toBe(2)
  })

  it('asks for the text of "Other", and keeps it ticked', async () => {
    const { page, question, stored } = await openForm([makeQuestion('single_choice')])
    const room = question('Which room?')
    await room.getByLabel('Other').check()
    await submit(page)
    await pageWith(page, 'Please check one answer')
    await room.getByText('Enter your other answer, or choose another option.').waitFor()
    expect(await room.getByLabel('Other').isChecked()).toBe(true)
    await room.getByLabel('Please specify').fill('A hammock')
    expect(await page.getByText('Please check one answer').count()).toBe(0)
    await submit(page)
    await thanks(page)
    expect(stored(1).answers[0].value).toEqual({ ids: [], other: 'A hammock' })
  })
})
