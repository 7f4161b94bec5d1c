/** Runs the first section of docs/how-to/test-kit.md. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startFormwire } from '@formwire/reference-server/testing'
import { createReceiver } from '@formwire/webhook-verify/node'
import { expect, it } from 'vitest'

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const withoutIndent = (text: string): string => text.replace(/^ +/gm, '')

it("receives a delivery with a handler of one's own, on the clock of the kit", async () => {
  await using kit = await startFormwire()
  const { app, clock } = kit.server
  const stored: number[] = []
  let secret = ''
  const handler = createReceiver({
    secret: () => secret, // known once the endpoint exists
    now: () => clock.now(),
    on: { 'response.submitted': (event) => void stored.push(event.response.id) },
  })
  const yourServer = createServer(handler).listen(0, '127.0.0.1').unref()
  await once(yourServer, 'listening')
  const form = app.forms.create({ title: 'Visit' })
  app.forms.publish(form.id)
  const { port } = yourServer.address() as AddressInfo
  secret = (await app.webhooks.create(form.id, { url: `http://127.0.0.1:${port}/` })).secret
  const { id } = app.responses.create(form.id, { deliver: true })
  await clock.advance('12h') // the first attempt, and every retry
  expect(stored).toEqual([id])
})

it('is what the page shows first, in 25 lines of code at most, to which two pages link', () => {
  const [, section = ''] = textOf('../../docs/how-to/test-kit.md').split(/^## /m, 2)
  expect(section).toMatch(/^Test your own handler\n/)
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(section) ?? []
  expect(code.split('\n').length).toBeLessThanOrEqual(25)
  expect(withoutIndent(textOf(import.meta.url))).toContain(withoutIndent(code))
  for (const page of ['packages/reference-server/README.md', 'docs/tutorials/test-in-ci.md'])
    expect(textOf(`../../${page}`)).toContain('test-kit.md#test-your-own-handler')
})
