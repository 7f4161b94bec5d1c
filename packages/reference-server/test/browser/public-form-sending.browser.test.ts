import { describe, expect, it } from 'vitest'
import { makeQuestion } from '../../src/seed/questions.ts'
import { eventually, hold } from './browser-kit.ts'
import { expectAccessible, formTests, type OpenedForm } from './public-form-kit.ts'

const NAME = makeQuestion('short_text')
const EMAIL = makeQuestion('email')

const name = ({ page }: OpenedForm) => page.getByLabel('Your name')
/** Nothing is being sent any more. */
const isIdle = ({ page }: OpenedForm) =>
  eventually(() => page.locator('form').getAttribute('data-busy')).toBeNull()

/** Presses Submit at its place: a locator would wait for the navigation to end. */
async function presserOf({ page }: OpenedForm): Promise<() => Promise<void>> {
  const button = page.getByRole('button', { name: 'Submit' })
  await button.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return () => page.mouse.click(x + width / 2, y + height / 2)
}

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

  it('says after Back that the page was submitted, and offers another response', async () => {
    const form = await openForm([NAME], { query: '?ref=mail' })
    const { page, total, values, submit, thanks } = form
    const submitted = page.getByText('You have submitted this form.')
    const dialogs: string[] = []
    page.on('dialog', (dialog) => dialogs.push(dialog.type()))
    expect(await submitted.count()).toBe(0)
    await name(form).fill('Ann')
    await submit()
    await thanks()
    // Automation has no cache of pages, so the browser loads the page again.
    await page.goBack()
    await submitted.waitFor()
    await expectAccessible(page)
    await submit()
    await thanks()
    expect(total()).toBe(1)
    expect(await page.getByText('If you go back').isVisible()).toBe(false)
    await page.goBack()
    await submitted.waitFor()
    await name(form).fill('Ann Lee')
    expect(await submitted.count()).toBe(0)
    await isIdle(form)
    await submit()
    await thanks()
    await page.goBack()
    await submitted.waitFor()
    await page.getByRole('link', { name: 'Submit another response' }).click()
    await submitted.waitFor({ state: 'detached' })
    await page.waitForLoadState()
    await name(form).fill('Bob')
    await submit()
    await thanks()
    expect([1, 2, 3].map(values)).toEqual([['Ann'], ['Ann Lee'], ['Bob']])
    expect(dialogs).toEqual([])
  })

  it('says without JavaScript what another Submit after Back does', async () => {
    const form = await openForm([NAME], { javaScriptEnabled: false })
    const { page, total, submit, shows, thanks } = form
    await name(form).fill('Ann')
    await submit()
    await shows('If you go back and submit again, that may be recorded as another')
    await page.goBack()
    await submit()
    await thanks()
    expect(total()).toBe(2)
  })

  it('stores what was changed after Back as another response, and the same answers once', async () => {
    const form = await openForm([NAME], { query: '?ref=mail' })
    const { page, url, total, stored, submit } = form
    // Keeps the page, as the browser's cache of pages does, which automation turns off.
    await page.route(/\/f\/\w+\?ref=mail$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch({ maxRedirects: 0 })
      return route.fulfill({ status: 204 })
    })
    const back = () =>
      page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await name(form).fill('Ann')
    await submit()
    await eventually(total).toBe(1)
    await back()
    await submit()
    await back()
    await name(form).fill('Ann Lee')
    await isIdle(form)
    await submit()
    await eventually(total).toBe(2)
    expect([1, 2].map((id) => stored(id).answers[0].value)).toEqual(['Ann', 'Ann Lee'])
    expect(stored(2).meta.ref).toBe('mail')
    expect(page.url()).toBe(`${url}?ref=mail`)
  })

  it('shows that the answers are being sent, and sends them once', async () => {
    const form = await openForm([NAME])
    const { page, total, thanks } = form
    let posts = 0
    page.on('request', (request) => {
      posts += Number(request.method() === 'POST')
    })
    const { held, release } = await hold(page, /\/f\/\w+$/, (request) => request.method() === 'POST')
    await name(form).fill('Ann')
    // Recorded in the page: during a navigation it cannot be asked.
    await page.evaluate(() => {
      const button = document.querySelector('[data-submit]') as HTMLElement
      new MutationObserver(() => sessionStorage.setItem('label', button.textContent)).observe(button, {
        childList: true,
      })
    })
    const press = await presserOf(form)
    await press()
    await eventually(() => held.length).toBe(1)
    await press()
    await release()
    await thanks()
    expect(await page.evaluate(() => sessionStorage.getItem('label'))).toBe('Sending…')
    expect([posts, total()]).toEqual([1, 1])
  })

  it('does not say that a refused page was submitted after Back to an earlier thank-you page', async () => {
    const form = await openForm([NAME])
    const { page, submit, shows, thanks } = form
    await name(form).fill('Ann')
    await submit()
    await thanks()
    await page.goto(form.url)
    await submit()
    await shows('Please answer this question.')
    await page.goBack()
    await page.goBack()
    await thanks()
    await page.goForward()
    await name(form).waitFor()
    expect(await page.getByText('You have submitted this form.').count()).toBe(0)
  })

  it('keeps the answers when submitted offline, and submits them once online', async () => {
    const form = await openForm([NAME])
    const { context, values, submit, shows, thanks } = form
    await name(form).fill('Ann')
    await context.setOffline(true)
    await submit()
    await shows('You are offline')
    expect(await name(form).inputValue()).toBe('Ann')
    await context.setOffline(false)
    await submit()
    await thanks()
    expect(values(1)).toEqual(['Ann'])
  })

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

  it('warns before unsaved answers are left, and only then', async () => {
    const form = await openForm([NAME, makeQuestion('rating')])
    const { page, submit, save, shows, thanks } = form
    let warnings = 0
    page.on('dialog', (dialog) => {
      warnings += dialog.type() === 'beforeunload' ? 1 : 0
      void dialog.accept()
    })
    const warnedAfterReload = async () => {
      await page.reload()
      return warnings
    }
    await name(form).click()
    expect(await warnedAfterReload()).toBe(0)
    await name(form).fill('Ann')
    expect(await warnedAfterReload()).toBe(1)
    // An answer that was taken back is not lost.
    await name(form).fill('Ann')
    await name(form).fill('')
    expect(await warnedAfterReload()).toBe(1)
    await name(form).fill('Ann')
    await save()
    await shows('Your draft is saved')
    expect(await warnedAfterReload()).toBe(1)
    await name(form).fill('')
    await submit()
    await shows('Please answer this question.')
    expect(warnings).toBe(1)
    // What was refused is stored nowhere.
    await name(form).click()
    expect(await warnedAfterReload()).toBe(2)
    await name(form).fill('Bob')
    await submit()
    await thanks()
    expect(warnings).toBe(2)
  })
})
