import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { consoleTests } from './console-kit.ts'
import { formTests } from './public-form-kit.ts'

/** The families that are loaded, once for each file. */
const loaded = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    return [...document.fonts].flatMap(({ family, status }) =>
      status === 'loaded' ? [family.replaceAll('"', '')] : [],
    )
  })

/** The family that the browser draws the texts of an element with, by the protocol of its developer tools. */
async function drawnWith(page: Page, selector: string): Promise<string[]> {
  const client = await page.context().newCDPSession(page)
  await client.send('DOM.enable')
  await client.send('CSS.enable')
  const { root } = await client.send('DOM.getDocument')
  const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId })
  return fonts.filter(({ isCustomFont }) => isCustomFont).map(({ familyName }) => familyName)
}

/** Collects the requests to other hosts. */
function foreignRequests(page: Page): string[] {
  const own = new URL(page.url()).host
  const urls: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).host !== own) urls.push(request.url())
  })
  return urls
}

describe('the fonts', () => {
  const { start } = consoleTests()
  const open = formTests()

  it('of the console are loaded and drawn, from the server alone', async () => {
    const { page, errors } = await start({ server: { seed: 'demo' } })
    await page.locator('.grid-body [role=row]').first().click()
    await page.locator('pre').first().waitFor()
    const foreign = foreignRequests(page)
    await page.reload()
    await page.locator('pre').first().waitFor()
    expect(await loaded(page)).toEqual(['Inter', 'Inter', 'JetBrains Mono'])
    expect((await drawnWith(page, 'h1'))[0]).toContain('Inter')
    expect((await drawnWith(page, 'pre'))[0]).toContain('JetBrains Mono')
    expect([foreign, errors]).toEqual([[], []])
  })

  it('of the public form are loaded and drawn, from the server alone', async () => {
    const { page, errors } = await open([{ id: 'q1', type: 'short_text', title: 'Room 12' }])
    const foreign = foreignRequests(page)
    await page.reload()
    expect(await loaded(page)).toEqual(['Inter', 'Inter'])
    expect((await drawnWith(page, 'h1'))[0]).toContain('Inter')
    expect([foreign, errors]).toEqual([[], []])
  })

  it('give all digits the same width, and leave hyphens as they are', async () => {
    const { page } = await start()
    const width = (text: string) =>
      page.evaluate((shown) => {
        const probe = document.body.appendChild(document.createElement('span'))
        probe.textContent = shown
        const { width } = probe.getBoundingClientRect()
        probe.remove()
        return width
      }, text)
    await loaded(page)
    expect(await width('11111')).toBeCloseTo(await width('08460'), 1)
    expect(await width('-----')).toBeLessThan(0.85 * (await width('00000')))
  })
})
