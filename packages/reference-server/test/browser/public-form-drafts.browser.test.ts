import { describe, expect, it } from 'vitest'
import { makeQuestion } from '../../src/seed/questions.ts'
import { eventually, focused } from './browser-kit.ts'
import { expectAccessible, formTests, type OpenedForm } from './public-form-kit.ts'

const NAME = makeQuestion('short_text')
const PDF = { name: 'booking.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 booking') }

const name = ({ page }: OpenedForm) => page.getByLabel('Your name')
const submit = (form: OpenedForm) => form.submit()
const save = (form: OpenedForm) => form.save()

describe('drafts of the public form', () => {
  const openForm = formTests()

  it('[RESP-09] are saved in place, submitted in another browser, and then reported as not found', async () => {
    const form = await openForm([
      NAME,
      makeQuestion('email'),
      makeQuestion('single_choice'),
      makeQuestion('ranking'),
      makeQuestion('file'),
    ])
    const { page, context, question, stored, server, url, shows } = form
    const email = page.getByLabel('Email address')
    await name(form).fill('Ann')
    await email.fill('ann@')
    await form.save()
    await question('Email address').getByText('Enter an email address').waitFor()
    expect(await email.getAttribute('aria-invalid')).toBe('true')
    expect(await focused(page)).toBe('input q[email]')
    await email.fill('ann@example.com')
    await question('Which room?').getByText('Family').click()
    await page.getByLabel('A document to attach').setInputFiles(PDF)
    await shows('booking.pdf added.')
    await form.save()
    await shows('Your draft is saved')
    const link = page.url()
    expect(link).toMatch(/\/drafts\/[A-Za-z0-9]{32}$/)
    await page.getByRole('link', { name: link }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Food').fill('1')
    await form.save()
    await eventually(() => stored(1).answers.length).toBe(5)
    await server.clock.advance('2h')

    const elsewhere = await context.newPage()
    await elsewhere.goto(link)
    expect(await elsewhere.getByLabel('Your name').inputValue()).toBe('Ann')
    expect(await elsewhere.getByLabel('Family').isChecked()).toBe(true)
    expect(await elsewhere.getByLabel('booking.pdf').isChecked()).toBe(true)
    expect(await elsewhere.getByLabel('Food').inputValue()).toBe('1')
    await elsewhere.getByLabel('Quiet').fill('2')
    await elsewhere.getByLabel('Location').fill('3')
    await elsewhere.getByRole('button', { name: 'Submit' }).click()
    await elsewhere.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(stored(1)).toMatchObject({
      status: 'submitted',
      started_at: '2026-11-21T12:00:00.000Z',
      duration_sec: 7200,
      answers: [
        { value: 'Ann' },
        { value: 'ann@example.com' },
        { text: 'Family' },
        { text: 'Food, Quiet, Location' },
        { text: 'booking.pdf' },
      ],
    })
    await elsewhere.goto(link)
    await elsewhere.getByRole('heading', { name: 'Draft not found' }).waitFor()
    await elsewhere.getByText('It was submitted or deleted').waitFor()
    // The first device has the page still: it is told the same, and what was typed stays on it.
    await name(form).fill('Ann Other')
    await form.save()
    await shows('Your answers are still here')
    expect(await name(form).inputValue()).toBe('Ann Other')
    await elsewhere.getByRole('link', { name: 'Start a new response' }).click()
    await elsewhere.waitForURL(url)
    await elsewhere.getByRole('heading', { name: 'Your stay' }).waitFor()
  })

  /** Opens a draft of Ann, who is changing her name. `elsewhere` sends what another device does with the draft. */
  const openDraft = async () => {
    const form = await openForm([NAME, makeQuestion('file')])
    const send = async (method: string, path: string, value: string) => {
      const body = JSON.stringify({ answers: [{ question_id: 'short_text', value }] })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(form.url + path, { method, body, headers })
      return ((await response.json()) as { data: { token: string } }).data
    }
    const { token } = await send('POST', '/drafts', 'Ann')
    await form.page.goto(`${form.url}/drafts/${token}`)
    await name(form).fill('Ann Lee')
    return {
      ...form,
      elsewhere: (path: string, method: string) => send(method, `/drafts/${token}${path}`, 'Bob'),
    }
  }

  it.each([
    ['Submit', submit],
    ['save', save],
  ] as const)(
    '[RESP-09] keep what was typed after they were submitted on another device (%s)',
    async (_, press) => {
      const form = await openDraft()
      await form.elsewhere('/submit', 'POST')
      await press(form)
      await form.shows('Your answers are still here: submit or save them as another response')
      expect(await name(form).inputValue()).toBe('Ann Lee')
      await form.submit()
      await form.thanks()
      expect([1, 2].map(form.values)).toEqual([['Bob'], ['Ann Lee']])
      expect(form.total()).toBe(2)
    },
  )

  it('[RESP-09] that were saved on another device are replaced only after a question', async () => {
    const form = await openDraft()
    const { values, elsewhere, shows } = form
    await elsewhere('', 'PUT')
    await form.save()
    await shows('This draft was saved on another device or in another tab')
    expect([values(1), await name(form).inputValue()]).toEqual([['Bob'], 'Ann Lee'])
    await form.save()
    await shows('Your draft is saved')
    expect(values(1)).toEqual(['Ann Lee'])
    await name(form).fill('Ann Other')
    await form.save()
    await eventually(() => values(1)).toEqual(['Ann Other'])
    await elsewhere('', 'PUT')
    await form.submit()
    await shows('This draft was saved on another device')
    expect([values(1), await name(form).inputValue()]).toEqual([['Bob'], 'Ann Other'])
    await form.submit()
    await form.thanks()
    expect([values(1), form.total()]).toEqual([['Ann Other'], 1])
  })

  it('[RESP-09] are saved again behind a proxy that weakens ETags', async () => {
    const form = await openForm([NAME])
    await form.page.route('**/drafts', async (route) => {
      const response = await route.fetch()
      const headers = response.headers()
      await route.fulfill({ response, headers: { ...headers, etag: `W/${headers.etag}` } })
    })
    await form.save()
    await form.shows('Answer a question before you save.')
    await name(form).fill('Ann')
    await form.save()
    await form.shows('Your draft is saved')
    expect(await form.page.locator('[name="draft_version"]').inputValue()).toBe('1')
  })

  it('[RESP-09] are submitted after Back from a page with errors', async () => {
    const form = await openDraft()
    const { page, server, formId, values, shows } = form
    await name(form).fill('')
    await form.submit()
    await shows('Please answer this question.')
    // One error has no summary: the page opens at it.
    expect([await page.locator('.summary').count(), await focused(page)]).toEqual([0, 'input q[short_text]'])
    await page.goBack()
    await shows('This is your draft')
    await name(form).fill('Ann Other')
    await eventually(() => page.locator('form').getAttribute('data-busy')).toBeNull()
    await form.submit()
    await form.thanks()
    expect(values(1)).toEqual(['Ann Other'])
    expect(server.app.responses.list(formId, 'in_progress').total).toBe(0)
    // Nothing is left to submit.
    await page.goBack()
    await page.getByRole('link', { name: 'Start a new response' }).waitFor()
  })
})
