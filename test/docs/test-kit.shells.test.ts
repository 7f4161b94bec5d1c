/** Runs what docs/how-to/test-kit.md shows: each of its blocks is part of this file or is run by it. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { renderReport, runConformance } from '@formwire/reference-server/conformance'
import {
  createSeedFactory,
  everyQuestion,
  type FormwireKit,
  formwireFixture,
  startFormwire,
} from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import { afterAll, test as base, beforeAll, describe, expect, it, vi } from 'vitest'
import { binaryOf } from '../acceptance/support.ts'
import { PATIENT } from '../support/patience.ts'

const page = readFileSync(fileURLToPath(new URL('../../docs/how-to/test-kit.md', import.meta.url)), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code as string)

const kits: FormwireKit[] = []
afterAll(() => Promise.all(kits.map((one) => one.close())))

describe('docs/how-to/test-kit.md', () => {
  beforeAll(async () => {
    // Loads what a delivery needs, so that the waits of the page, which are short, do not include it.
    const kit = await startFormwire()
    kits.push(kit)
    const { id } = kit.server.app.forms.create({ title: 'Loading' })
    kit.server.app.forms.publish(id)
    await kit.connectReceiver(id)
    kit.server.app.responses.create(id, { deliver: true })
    await kit.waitForDelivery({ status: 'delivered' }, PATIENT)
  })

  it('shows code that works', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await using kit = await startFormwire()
    const { server, receiver, clientOptions } = kit
    const formwire = new Formwire(clientOptions)

    const form = server.app.forms.create({
      title: 'Feedback',
      questions: [{ id: 'stars', type: 'rating', title: 'How was it?' }],
    })
    server.app.forms.publish(form.id)
    await kit.connectReceiver(form.id)
    server.app.responses.create(form.id, { answers: [{ question_id: 'stars', value: 5 }], deliver: true })
    const delivery = await kit.waitForDelivery({ status: 'delivered' })
    expect(delivery.http_status).toBe(200)
    expect(receiver.deliveries).toMatchObject([{ verified: true }])
    await formwire.forms.rename(form.id, 'Renamed')

    kit.expectRequest({ method: 'PATCH', path: `/api/v1/forms/${form.id}`, status: 200 })
    kit.expectRequests({ method: 'DELETE' }, 0)
    await kit.waitForResponse({ form_id: form.id, answers: [{ question_id: 'stars', value: 5 }] })

    const report = await runConformance({ ...clientOptions, formId: form.id })
    console.log(renderReport(report))
    expect(report.totals.broken).toBe(0)
    expect(log.mock.calls[0]?.[0]).toMatch(/ 0 broken, /)
    log.mockRestore()

    server.app.faults.add({ path: '/api/v1/forms/*', status: 503, retry_after: 2, times: 2 })
    server.app.faults.add({ method: 'PATCH', reset: 'unanswered', probability: 0.5, seed: 7 })
    expect(server.app.faults.list()).toHaveLength(2)
    kit.reset()
    expect(server.app.faults.list()).toEqual([])

    const make = await createSeedFactory(42)
    const seed = make.seed(
      make.form({ id: 'busyform0001', questions: everyQuestion(), responses: 200, drafts: 3 }),
      make.form({ title: 'Closed one', status: 'closed', closes_at: '-2d', responses: 12 }),
    )

    await using service = await startFormwire({ seed, listen: true })
    const { baseUrl, apiKey } = service.readOnlyClientOptions
    await using copy = await startFormwire({
      pull: { baseUrl, apiKey, forms: ['busyform0001'], limit: 100 },
    })
    const copied = new Formwire(copy.clientOptions)
    expect((await copied.forms.get('busyform0001')).response_count).toBe(200)
    expect((await copied.responses.list('busyform0001')).meta.total).toBe(100)

    await using costly = await startFormwire({ seed })
    await using fork = await costly.fork()
    expect(fork.server.app.forms.get('busyform0001').response_count).toBe(200)

    const test = base.extend<{ formwire: FormwireKit }>({ formwire: formwireFixture({ seed }) })
    expect(test).toBeTypeOf('function')

    await using other = await startFormwire({
      unspecified: { webhookDelete: '204', timestamps: 'microseconds' },
    })
    await using drawn = await startFormwire({ unspecified: 'random:7' })
    expect(drawn.server.unspecified).not.toEqual(other.server.unspecified)
    expect(other.server.app.forms.create({ title: 'A' }).created_at).toMatch(/\.\d{6}Z$/)
  })

  it('lists the options of a pull', async () => {
    const unknown: object = { thatDoesNotExist: true }
    const error = await startFormwire({ pull: unknown as never }).catch((reason: Error) => reason)
    const known = /known: (.*)\.$/.exec((error as Error).message)?.[1]?.split(', ')
    const section = page.slice(page.indexOf('### Pulling a seed'), page.indexOf('## Resetting'))
    expect([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(known)
  })

  it('shows a failure message exactly', async () => {
    const kit = await startFormwire()
    kits.push(kit)
    const formwire = new Formwire(kit.clientOptions)
    await formwire.forms.list({ status: 'closed' })
    await formwire.me()
    let text = ''
    try {
      kit.expectRequest({ path: '/api/v1/forms', query: { status: 'draft' } })
    } catch (error) {
      text = (error as Error).message
    }
    expect(text.split('\n').slice(0, 3).join('\n')).toBe(blocks('text')[0]?.trimEnd())
  })

  it('mentions only flags that exist, as does the reference of the server', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [binaryOf('reference-server'), '--help'])
    const pages = ['../../docs/reference/reference-server.md', '../../packages/reference-server/README.md']
    const texts = pages.map((path) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8'))
    const flags = new Set(
      [page, ...texts].join('\n').match(/(?<=formwire-server[^\n]*|\| `)--[a-z-]+/g) ?? [],
    )
    expect(flags.size).toBeGreaterThan(10)
    for (const flag of flags) expect(stdout).toContain(flag)
  })
})
