/** Runs the code of docs/how-to/test-kit.md. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import * as conformance from '@formwire/reference-server/conformance'
import * as testing from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import { createReceiver } from '@formwire/webhook-verify/node'
import { test as base, describe, expect, it, onTestFinished } from 'vitest'
import { HELP } from '../../packages/reference-server/src/bin/arguments.ts'
import { read } from '../../scripts/project/project.ts'
import { exampleOf, runExample } from '../support/examples.ts'

const page = read('docs/how-to/test-kit.md')
const example = (holding: string): string => exampleOf('test-kit.md', holding)
const run = (code: readonly string[], values: Record<string, unknown> = {}) =>
  runExample(code.join('\n'), { values: { ...testing, ...conformance, Formwire, base, expect, ...values } })

describe('docs/how-to/test-kit.md', () => {
  it("receives a delivery with a handler of one's own, on the clock of the kit", async () => {
    const code = [example('createReceiver({'), 'return stored']
    expect(await run(code, { createServer, createReceiver, once })).toHaveLength(1)
  })

  it('shows code that works', async () => {
    const printed: string[] = []
    const make = await testing.createSeedFactory(1)
    const seed = make.seed(make.form({ id: 'busyform0001', responses: 120 }))
    const service = await testing.startFormwire({ seed, listen: true })
    onTestFinished(() => service.close())
    const code = [
      example('const formwire = new Formwire(clientOptions)'),
      example('kit.connectReceiver(form.id)'),
      "await formwire.forms.rename(form.id, 'Renamed')",
      example('kit.expectRequest({'),
      example('runConformance({'),
      example('faults.add({'),
      example('createSeedFactory(42)'),
      example('pull: {'),
      example('costly.fork()'),
      example('formwireFixture({'),
      example("unspecified: 'random:7'"),
      `return {
        delivery, report, test,
        received: receiver.deliveries,
        faults: server.app.faults.list(),
        copied: (await new Formwire(copy.clientOptions).responses.list('busyform0001')).meta.total,
        forked: fork.server.app.forms.get('busyform0001').response_count,
        created: other.server.app.forms.create({ title: 'A' }).created_at,
      }`,
    ]
    const { baseUrl, apiKey } = service.readOnlyClientOptions
    const console = { log: (text: string) => printed.push(text) }
    expect(await run(code, { console, baseUrl, apiKey })).toMatchObject({
      delivery: { http_status: 200 },
      report: { totals: { broken: 0 } },
      test: expect.any(Function),
      received: [{ verified: true }],
      faults: [{ status: 503 }, { reset: 'unanswered' }],
      copied: 100,
      forked: 200,
      created: expect.stringMatching(/\.\d{6}Z$/),
    })
    expect(printed.join()).toMatch(/ 0 broken, /)
  })

  it('lists the options of a pull', async () => {
    const unknown: object = { thatDoesNotExist: true }
    const error = await testing.startFormwire({ pull: unknown as never }).catch((reason: Error) => reason)
    const known = /known: (.*)\.$/.exec((error as Error).message)?.[1]?.split(', ')
    const section = page.slice(page.indexOf('### Pulling a seed'), page.indexOf('## Resetting'))
    expect([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(known)
  })

  it('shows a failure message exactly', async () => {
    const kit = await testing.startFormwire()
    onTestFinished(() => kit.close())
    const formwire = new Formwire(kit.clientOptions)
    await formwire.forms.list({ status: 'closed' })
    await formwire.me()
    const [, message = ''] = /```text\n(.*?)```/s.exec(page) ?? []
    const expectDrafts = () => kit.expectRequest({ path: '/api/v1/forms', query: { status: 'draft' } })
    expect(expectDrafts).toThrow(message.trimEnd())
  })

  it('mentions only flags that exist, as does the reference of the server', () => {
    const texts = ['docs/reference/reference-server.md', 'packages/reference-server/README.md'].map(read)
    const flags = [page, ...texts].join('\n').match(/(?<=formwire-server[^\n]*|\| `)--[a-z-]+/g) ?? []
    expect(new Set(flags).size).toBeGreaterThan(10)
    expect(flags.filter((flag) => !HELP.includes(flag))).toEqual([])
  })
})
