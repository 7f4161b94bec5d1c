import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { consoleTests } from './console-kit.ts'
import { formTests } from './public-form-kit.ts'

/** The families that are loaded, once for each file. A browser loads those that it draws. */
const loaded = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    return [...document.fonts].flatMap(({ family, status }) =>
      status === 'loaded' ? [family.replaceAll('"', '')] : [],
    )
  })

/** Collects the hosts of requests. */
function hostsOf(page: Page): Set<string> {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  return hosts
}

describe('the fonts', () => {
  const { scene } = consoleTests()
  const openForm = formTests()

  it('of the console are loaded from the server alone, with digits of one width', async () => {
    const { page, url, openFirst } = await scene([], { prepare: ({ submit }) => submit('hello') })
    await openFirst()
    const hosts = hostsOf(page)
    await page.reload()
    await page.locator('pre').first().waitFor()
    expect(await loaded(page)).toEqual(['Inter', 'Inter', 'JetBrains Mono'])
    expect([...hosts]).toEqual([new URL(url).host])
    const width = (text: string) =>
      page.evaluate((shown) => {
        const probe = document.body.appendChild(document.createElement('span'))
        probe.textContent = shown
        return probe.getBoundingClientRect().width
      }, text)
    expect(await width('11111')).toBeCloseTo(await width('08460'), 1)
  })

  it('[ENV-08] of the public form are loaded from the server alone, which sets no cookie', async () => {
    const { page, url, context, submit, thanks } = await openForm([
      { id: 'q1', type: 'short_text', title: 'Room 12' },
    ])
    const hosts = hostsOf(page)
    await page.reload()
    expect(await loaded(page)).toEqual(['Inter', 'Inter'])
    await page.getByLabel('Room 12').fill('Ann')
    await submit()
    await thanks()
    expect([...hosts]).toEqual([new URL(url).host])
    expect(await context.cookies()).toEqual([])
  })
})
