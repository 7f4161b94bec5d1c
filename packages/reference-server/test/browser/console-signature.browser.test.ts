// biome-ignore-all lint/performance/useDomNodeTextContent: Playwright's innerText, to test the visible text.

import { execFileSync } from 'node:child_process'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { hasOpenssl } from '../../../console/test/openssl.ts'
import { createMockReceiver } from '../../src/index.ts'
import {
  chooseInEndpointMenu,
  copied,
  hasChromium,
  launchChromium,
  openConsole,
  toggleSection,
} from './console-kit.ts'

/** Titles that reverse, hide or end the text after them, in a browser or in a shell. */
const TITLES: readonly [what: string, title: string][] = [
  ['an unclosed right-to-left override', '\u202eabc'],
  ['an isolate closed twice, then an override', '\u2069\u2069\u202eabc \u2067'],
  ['Hebrew and Arabic with digits in between', 'שלום 12 مرحبا'],
  ['text that a shell expands', `it's "so" \\ \\n \\0101 \\c $(id) \`id\` $HOME !! %s %%`],
  ['line ends and control characters', 'a\nb\r\tc\u0085d\u2028e\u2029f\u007f\u009b31m'],
  ['invisible characters', 'a\u200b\u200e\ufeff\u00ad\u{e0041}z \u{1f468}\u200d\u{1f469}'],
]

/** Returns where the order of characters on the screen differs from the text, except in right-to-left words. */
const SHOWN_ORDER = `(element) => {
  const isolated = (node) => node.parentElement.closest('bdi') !== null
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const faults = []
  let last = { bottom: -1, right: -1 }
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange()
    let end = 0
    for (const character of node.data) {
      const at = end
      end += character.length
      range.setStart(node, at)
      range.setEnd(node, end)
      const box = range.getClientRects()[0]
      if (!box || box.width === 0 || isolated(node)) continue
      const isAfter = box.top >= last.bottom - 2 || box.left >= last.right - 1
      if (!isAfter) faults.push(node.data.slice(at, at + 12))
      last = { bottom: box.bottom, right: box.right }
    }
  }
  return faults
}`

const shownOutOfOrder = (line: Locator): Promise<string[]> =>
  line.evaluate((element, script) => new Function(`return (${script})(arguments[0])`)(element), SHOWN_ORDER)

describe.skipIf(!hasChromium || !hasOpenssl)('the openssl command in the browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it.each([...TITLES, ['10 kB', `it's ${'long "words" \\ '.repeat(680)}`] as const])(
    '[DLV-04] copies exactly what is displayed, and recomputes the signature, with %s in a title and an answer',
    async (_, text) => {
      const receiver = await createMockReceiver().listen()
      let formId = ''
      const open = await openConsole(browser, {
        path: '/endpoints',
        prepare: async (server) => {
          const { id } = server.app.forms.create({
            title: text.slice(0, 100),
            questions: [{ id: 'say', type: 'long_text', title: text.slice(0, 100) }],
          })
          server.app.forms.publish(id)
          formId = id
          await server.app.webhooks.create(id, { url: receiver.url })
        },
      })
      try {
        const { page, context } = open
        await context.grantPermissions(['clipboard-read', 'clipboard-write'])
        await chooseInEndpointMenu(page, 'Rotate secret')
        await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
        await page.getByRole('button', { name: 'I’ve saved it' }).click()
        open.server.app.responses.create(formId, {
          answers: [{ question_id: 'say', value: text }],
          deliver: true,
        })
        await receiver.waitFor(1, PATIENT)
        await open.goTo('/deliveries')
        await page.locator('.grid-body [role=row]').first().click()
        await toggleSection(page, 'Signature')
        const line = page.locator('.pane .command pre')
        await line.waitFor()

        await page.getByRole('button', { name: 'Copy the openssl command' }).click()
        const command = await copied(page, 'the openssl command')
        expect(await line.evaluate((element) => element.textContent)).toBe(command)
        expect(await line.innerText()).toBe(command)
        expect(await shownOutOfOrder(line)).toEqual([])
        // It contains no characters that reverse, hide or end the line.
        expect(command).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        for (const shell of ['sh', 'bash']) {
          const recomputed = execFileSync(shell, ['-c', command], { encoding: 'utf8' }).trim()
          expect(recomputed).toBe(receiver.deliveries[0]?.headers['x-service-signature'])
        }
      } finally {
        await open.close()
        await receiver.close()
      }
    },
  )
})
