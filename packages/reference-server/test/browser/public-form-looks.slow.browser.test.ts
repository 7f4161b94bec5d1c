import { describe, expect, it } from 'vitest'
import { everyQuestion, makeQuestion } from '../../src/seed/questions.ts'
import { expectAccessible, expectFits, formTests } from './public-form-kit.ts'
import { screenshot } from './screenshot.ts'

describe('the look of the public form', () => {
  const openForm = formTests()

  it.each([320, 360, 1280])(
    '[RESP-07] is accessible in light and dark, and fits, at %d pixels',
    async (width) => {
      const { page, errors } = await openForm(everyQuestion(), { viewport: { width, height: 800 } })
      await expectAccessible(page)
      await expectFits(page)
      expect(errors).toEqual([])
    },
  )

  it.each([
    ['light', 390, 844],
    ['light', 900, 1120],
    ['dark', 900, 1120],
  ] as const)('fits, and has no axe finding, in %s at %d pixels', async (colorScheme, width, height) => {
    const { page, question, errors } = await openForm(
      [
        makeQuestion('nps', { required: true }),
        makeQuestion('rating', { title: 'How was your room?' }),
        makeQuestion('multiple_choice', { title: 'What did you enjoy?', allow_other: true }),
        makeQuestion('slider'),
        makeQuestion('ranking', { title: 'What matters most to you?' }),
      ],
      {
        title: 'Tell us about your stay',
        colorScheme,
        viewport: { width, height },
      },
    )
    await question('How likely').getByText('9', { exact: true }).click()
    await question('How was your room?').locator('.star').nth(3).click()
    await question('What did you enjoy?').getByLabel('Sauna').check()
    await page.mouse.move(0, 0)
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      scrollTo(0, 0)
    })
    await expectAccessible(page)
    await expectFits(page)
    await screenshot(page, width < 500 ? 'public-form-phone' : `public-form-${colorScheme}`)
    expect(errors).toEqual([])
  })

  it('says on each page without a form what happened and what to do next, in light and dark and on a phone', async () => {
    const { page, server, formId, url } = await openForm([makeQuestion('short_text')])
    // Without its script, which would save the draft in place. Accessibility checks need JavaScript.
    await page.route('**/form.js', (route) => route.abort())
    await page.goto(url)
    const says = async (title: string, next?: string) => {
      const message = page.locator('.message')
      expect(await message.getByRole('heading').textContent()).toBe(title)
      expect(await message.getByRole('link').allInnerTexts()).toEqual(next === undefined ? [] : [next])
      expect(await message.locator('.mark').isVisible()).toBe(true)
      expect(await page.locator('footer').textContent()).toBe(' Made with Formwire')
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        await expectAccessible(page)
        await expectFits(page)
      }
    }
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await says('Your draft is saved', 'Continue your draft')
    await page.goto(`${url}/drafts/unknown`)
    await says('Draft not found', 'Start a new response')
    await page.goto(url)
    await page.getByRole('textbox').fill('Ann')
    await page.getByRole('button', { name: 'Submit' }).click()
    await says('Thank you', 'Submit another response')
    server.app.forms.close(formId)
    await page.goto(url)
    await says('This form is closed')
    await page.goto(`${url}-elsewhere`)
    await says('Form not found')
  })

  it('shows a place to drop files with the script only', async () => {
    const questions = [makeQuestion('file', { title: 'Photos' })]
    const { question } = await openForm(questions)
    const drop = question('Photos').locator('.drop')
    expect(await drop.isVisible()).toBe(true)
    expect(
      await question('Photos')
        .getByLabel('Photos')
        .evaluate((input) => getComputedStyle(input).fontSize),
    ).toBe('0px')
    const plain = await openForm(questions, { javaScriptEnabled: false })
    expect(await plain.question('Photos').locator('.drop').isVisible()).toBe(false)
    expect(
      await plain
        .question('Photos')
        .getByLabel('Photos')
        .evaluate((input) => getComputedStyle(input).fontSize),
    ).toBe('14px')
  })

  it('moves nothing for people who prefer reduced motion', async () => {
    const { page } = await openForm(everyQuestion())
    const moving = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((element) => {
            const { transitionDuration, animationName } = getComputedStyle(element)
            return transitionDuration !== '0s' || animationName !== 'none'
          }).length,
      )
    expect(await moving()).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await moving()).toBeGreaterThan(0)
  })
})
