/** How the recording on the home page of the documentation moves. */
import { chromium } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/chromium.ts'

const recording = new URL('../../docs/screenshots/terminal.svg', import.meta.url)

/** Returns when each animation of the recording ends, in milliseconds. */
async function endsOfAnimations(reducedMotion: 'no-preference' | 'reduce', fragment = ''): Promise<number[]> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_FLAGS] })
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ reducedMotion })
  await page.goto(recording.href + fragment)
  return page.evaluate(() =>
    document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().endTime)),
  )
}

// Motion that takes longer needs a way to stop it (WCAG 2.2.2).
it('the recording of the home page shows its three commands within five seconds, and then stands still', async () => {
  const ends = await endsOfAnimations('no-preference')
  expect(ends).toHaveLength(6)
  expect(Math.max(...ends)).toBeLessThanOrEqual(5000)
})

it('the recording does not move where a reader wants no motion, nor with #still', async () => {
  expect(await endsOfAnimations('reduce')).toEqual([])
  expect(await endsOfAnimations('no-preference', '#still')).toEqual([])
})
