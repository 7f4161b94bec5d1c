import { describe, expect, it } from 'vitest'
import { makeQuestion } from '../../src/seed/questions.ts'
import { expectAccessible, formTests, type OpenedForm } from './public-form-kit.ts'

const NAME = makeQuestion('short_text')
const EMAIL = makeQuestion('email')

const name = ({ page }: OpenedForm) => page.getByLabel('Your name')

describe('sending the public form', () => {
  const openForm = formTests()

  it.each([true, false])(
    'stores one response after reload, Back and Forward, also over a page with errors (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const form = await openForm([NAME, EMAIL], { javaScriptEnabled })
      const { page, url, total, submit, thanks } = form
      const errors = page.getByText('Please answer this question.')
      await name(form).fill('Ann')
      await submit()
      await errors.waitFor()
      await page.getByLabel('Email address').fill('ann@example.com')
      await submit()
      await thanks()
      expect(page.url()).toBe(`${url}/thanks`)
      await page.reload()
      await thanks()
      // The browser would ask to send a page again that has no address of its own.
      await page.goBack()
      await errors.waitFor()
      expect(await name(form).inputValue()).toBe('Ann')
      await page.goBack()
      await errors.waitFor({ state: 'detached' })
      expect(page.url()).toBe(url)
      await page.goForward()
      await errors.waitFor()
      await page.goForward()
      await thanks()
      expect(total()).toBe(1)
    },
  )

  it('stores as another response what is changed after Back to a page that had errors', async () => {
    const form = await openForm([NAME, EMAIL])
    const { page, values, submit, thanks } = form
    const errors = page.getByText('Please answer this question.')
    await name(form).fill('Ann')
    await submit()
    await errors.waitFor()
    await page.getByLabel('Email address').fill('ann@example.com')
    await submit()
    await thanks()
    await page.goBack()
    await errors.waitFor()
    await name(form).fill('Ann Lee')
    await page.getByLabel('Email address').fill('ann@example.com')
    await submit()
    await thanks()
    expect([1, 2].map(values)).toEqual([
      ['Ann', 'ann@example.com'],
      ['Ann Lee', 'ann@example.com'],
    ])
  })

  it.each([true, false])(
    'says what another Submit after Back does (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const form = await openForm([NAME], { javaScriptEnabled })
      const { page, total, submit, shows, thanks } = form
      await name(form).fill('Ann')
      await submit()
      await shows('If you go back and submit again, that may be recorded as another')
      await page.goBack()
      await submit()
      await thanks()
      expect(total()).toBe(2)
    },
  )

  it('[FORM-07] keeps what was typed in a form that was closed meanwhile', async () => {
    const form = await openForm([NAME])
    const { page, server, formId, total, submit, shows, thanks } = form
    await name(form).fill('Ann')
    server.app.forms.close(formId)
    await submit()
    await page.getByRole('heading', { name: 'This form is closed' }).waitFor()
    await shows('Your answers were not sent; they are still here.')
    expect(await name(form).inputValue()).toBe('Ann')
    expect(total()).toBe(0)
    await expectAccessible(page)
    server.app.forms.reopen(formId)
    await submit()
    await thanks()
    expect(total()).toBe(1)
  })
})
