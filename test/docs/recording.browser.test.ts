/** How the recording on the home page of the documentation looks and moves. */
import { chromium, type Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/chromium.ts'

const recording = new URL('../../docs/screenshots/terminal.svg', import.meta.url)

async function opened(reducedMotion: 'no-preference' | 'reduce', fragment = ''): Promise<Page> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_FLAGS] })
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ reducedMotion })
  await page.goto(recording.href + fragment)
  return page
}

/** Returns when each animation of the recording ends, in milliseconds. */
async function endsOfAnimations(...how: Parameters<typeof opened>): Promise<number[]> {
  const page = await opened(...how)
  return page.evaluate(() =>
    document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().endTime)),
  )
}

// Motion that takes longer needs a way to stop it (WCAG 2.2.2).
it('the recording of the home page types its last command within five seconds, and then stands still', async () => {
  const ends = await endsOfAnimations('no-preference')
  expect(ends).toHaveLength(2)
  expect(Math.max(...ends)).toBeLessThanOrEqual(5000)
})

it('the recording does not move where a reader wants no motion, nor with #still', async () => {
  expect(await endsOfAnimations('reduce')).toEqual([])
  expect(await endsOfAnimations('no-preference', '#still')).toEqual([])
})

// As a picture of a page, an SVG uses neither the fonts of the page nor other files.
it('the recording contains the font of its text, whatever fonts a reader has', async () => {
  const page = await opened('reduce')
  await page.evaluate(async () => {
    await document.fonts.ready
  })
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('DOM.enable')
  await devTools.send('CSS.enable')
  const { root } = await devTools.send('DOM.getDocument')
  const { nodeIds } = await devTools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'tspan' })
  const used = await Promise.all(
    nodeIds.map((nodeId) => devTools.send('CSS.getPlatformFontsForNode', { nodeId })),
  )
  const fonts = used.flatMap(({ fonts }) => fonts)
  expect(fonts.length).toBeGreaterThan(50)
  expect(fonts.filter(({ isCustomFont }) => !isCustomFont)).toEqual([])
})
