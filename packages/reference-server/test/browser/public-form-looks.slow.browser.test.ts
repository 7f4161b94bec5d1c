import { describe, expect, it } from 'vitest'
import { everyQuestion, makeQuestion } from '../../src/seed/questions.ts'
import { screenshot } from './browser-kit.ts'
import { expectAccessible, expectFits, formTests } from './public-form-kit.ts'

describe('the looks of the public form', () => {
  const openForm = formTests()

  it.each([
    ['en', 'ltr'],
    ['ar', 'rtl'],
  ])(
    '[RESP-07] are accessible in light and dark, and fit, at any width, in %s, which is written %s',
    async (language, direction) => {
      const { page, errors } = await openForm(everyQuestion(), { form: { language } })
      expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe(direction)
      for (const width of [320, 360, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await expectAccessible(page)
        await expectFits(page)
      }
      expect(errors).toEqual([])
    },
  )

  it('fit with answers, without an axe finding, in light and dark and on a phone', async () => {
    const { page, question, errors } = await openForm(
      [
        makeQuestion('nps', { required: true }),
        makeQuestion('rating', { title: 'How was your room?' }),
        makeQuestion('multiple_choice', { title: 'What did you enjoy?', allow_other: true }),
        makeQuestion('slider'),
        makeQuestion('ranking', { title: 'What matters most to you?' }),
      ],
      { title: 'Tell us about your stay' },
    )
    await question('How likely').getByText('9', { exact: true }).click()
    await question('How was your room?').locator('.star').nth(3).click()
    await question('What did you enjoy?').getByLabel('Sauna').check()
    await page.mouse.move(0, 0)
    for (const [name, width, height] of [
      ['light', 900, 1120],
      ['phone', 390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.evaluate(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        scrollTo(0, 0)
      })
      await expectAccessible(page)
      await expectFits(page)
      await screenshot(page, `public-form-${name}`)
    }
    expect(errors).toEqual([])
  })

  it('say on each page without a form what happened and what to do next, in light and dark and on a phone', async () => {
    const { page, server, formId, url, save, submit } = await openForm([makeQuestion('short_text')])
    // Without its script, which would save the draft in place. Accessibility checks need JavaScript.
    await page.route('**/form.js', (route) => route.abort())
    await page.goto(url)
    const says = async (title: string, next?: string) => {
      const message = page.locator('.message')
      expect(await message.getByRole('heading').textContent()).toBe(title)
      expect(await message.getByRole('link').allInnerTexts()).toEqual(next === undefined ? [] : [next])
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        await expectAccessible(page)
        await expectFits(page)
      }
    }
    await page.getByRole('textbox').fill('Ann')
    await save()
    await says('Your draft is saved', 'Continue your draft')
    await page.goto(`${url}/drafts/unknown`)
    await says('Draft not found', 'Start a new response')
    await page.goto(url)
    await page.getByRole('textbox').fill('Ann')
    await submit()
    await says('Thank you')
    server.app.forms.close(formId)
    await page.goto(url)
    await says('This form is closed')
    await page.goto(`${url}-elsewhere`)
    await says('Form not found')
  })

  it('move nothing for people who prefer reduced motion', async () => {
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
