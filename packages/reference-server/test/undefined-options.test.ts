import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import { describe, expect, it } from 'vitest'
import { createMockReceiver, createReferenceServer, OptionError } from '../src/index.ts'
import { createSeedFactory, makeQuestion, type StartOptions, startFormwire } from '../src/testing/index.ts'
import { START_OPTIONS } from '../src/testing/start.ts'

/** As a wrapper hands on what it was not given. */
const NONE: StartOptions = Object.fromEntries(START_OPTIONS.map((name) => [name, undefined]))

describe('an option that is undefined is not given', () => {
  it.each<[string, StartOptions]>([
    ['all of them', NONE],
    ['limits of it', { limits: { requestsPerMinute: undefined, activeKeys: undefined } }],
    ['unspecified of it', { unspecified: { draftDeletion: undefined } }],
    ['the receiver of it', { receiver: { now: undefined, secret: undefined, script: undefined } }],
  ])('to a test kit: %s', async (_what, options) => {
    await using kit = await startFormwire(options)
    await using plain = await startFormwire()
    expect(kit.server.clock.mode).toBe('manual')
    expect(kit.server.writeKey).toBe(plain.server.writeKey)
    expect(kit.server.unspecified).toEqual(plain.server.unspecified)
    const { id } = kit.server.app.forms.create({ title: 'T', questions: undefined, language: undefined })
    await kit.connectReceiver(id)
    kit.server.app.forms.publish(id)
    kit.receiver.respond({ status: 201, body: undefined, delayMs: undefined, ending: undefined })
    kit.server.app.responses.create(id, { deliver: true, status: undefined, meta: undefined })
    await kit.server.clock.advance('1h')
    expect(kit.receiver.deliveries.map(({ status, verified }) => [status, verified])).toEqual([[201, true]])
  })

  it('to a server with limits and faults', () => {
    const server = createReferenceServer({ limits: { webhooksPerForm: undefined }, unspecified: {} })
    expect(server.app.faults.add({ status: 500, body: undefined, times: undefined })).toMatchObject({
      met: 0,
    })
    expect(() => createReferenceServer({ limits: { webhooksPerForm: null as never } })).toThrow(OptionError)
  })

  it('to a factory of seeds, a question and a signed delivery', async () => {
    const [one, two] = await Promise.all([createSeedFactory(5), createSeedFactory(5)])
    expect(one.person({ email: undefined, name: undefined })).toEqual(two.person())
    expect(one.form({ title: undefined, responses: undefined })).toEqual(two.form())
    expect(one.workspace({ plan: undefined, keys: undefined })).toEqual(two.workspace())
    expect(one.response([], { submitted_at: undefined })).toEqual(two.response([]))
    expect(makeQuestion('nps', { title: undefined, min: undefined })).toEqual(makeQuestion('nps'))
    expect(examplePayload({ id: undefined, meta: undefined })).toEqual(examplePayload())
    const delivery = createDelivery()
    expect(delivery.replay({ timestamp: undefined }).timestampSeconds).toBe(delivery.timestampSeconds)
  })

  it('to a receiver and where it listens', async () => {
    const receiver = createMockReceiver({ scriptPer: undefined, toleranceSeconds: undefined })
    await receiver.listen({ port: undefined, host: undefined, ref: undefined })
    expect(receiver.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    await receiver.close()
  })
})
