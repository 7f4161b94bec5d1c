import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { firstOf, SECRET, startHandler, type TestHandler } from '../support/listen.ts'
import { NOON, runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, testService } from '../support/service.ts'

let handler: TestHandler
let service: Service | undefined
beforeEach(async () => {
  handler = await startHandler()
})

/** The environment of a developer without a key and a server. */
const ENV = { FORMWIRE_WEBHOOK_SECRET: SECRET }

const trigger = (args: string[], options: Parameters<typeof runCli>[1] = { env: ENV }) =>
  runCli(['trigger', ...args, '--forward-to', String(handler.port)], options)

const received = () => firstOf(handler)

const file = (content: string): string => {
  const path = join(temporaryDirectory(), 'event.json')
  writeFileSync(path, content)
  return path
}

describe('[DLV-03] formwire trigger', () => {
  it('sends a sample without a key or a server', async () => {
    const { code, stdout, stderr } = await trigger(['response.submitted'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^[\w-]{36}\t200\t\d+ ms\n$/)
    const { event, headers } = received()
    expect(event).toMatchObject({
      type: 'response.submitted',
      deliveryId: stdout.slice(0, 36),
      timestamp: new Date(NOON),
      form: { id: 'sample000001', title: 'Sample form' },
      response: { id: NOON, submitted_at: '2026-11-21T12:00:00.000Z' },
    })
    expect(headers['x-service-event']).toBe('response.submitted')
  })
  it('prints a sentence on a terminal, and one JSON object with --json', async () => {
    const { code, stdout } = await trigger(['response.submitted'], { env: ENV, terminal: 80 })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^delivery [\w-]{36}: HTTP 200 after \d+ ms\n$/)
    expect(JSON.parse((await trigger(['response.submitted', '--json'])).stdout)).toEqual({
      delivery_id: expect.stringMatching(/^[\w-]{36}$/),
      event: 'response.submitted',
      status: 200,
      duration_ms: expect.any(Number),
    })
  })
  it('[DLV-02] test.ping has response id 0 and one example answer; the secret may come from stdin', async () => {
    expect((await trigger(['test.ping', '--secret-stdin'], { stdin: `${SECRET}\n` })).code).toBe(0)
    expect(received().event).toMatchObject({
      type: 'test.ping',
      response: { id: 0, answers: [{ question_id: 'example' }] },
    })
  })
  it('sends an existing response with --form and --response', async () => {
    service = await testService()
    const env = { ...service.env, ...ENV }
    expect((await trigger(['response.submitted', '--form', SURVEY, '--response', '2'], { env })).code).toBe(0)
    expect(JSON.parse(received().body)).toMatchObject({
      event: 'response.submitted',
      form: { id: SURVEY, title: 'Customer survey' },
      response: {
        id: 2,
        submitted_at: '2026-11-21T11:30:00.000Z',
        answers: [{ question_id: 'stars' }, { question_id: 'why' }],
      },
    })
    const missing = await trigger(['response.submitted', '--form', SURVEY, '--response', '99'], { env })
    expect(missing.code).toBe(3)
    const draft = await trigger(['response.submitted', '--form', SURVEY, '--response', '3'], { env })
    expect(draft).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('response 3 is a draft: only submitted responses are delivered'),
    })
    expect(handler.got).toHaveLength(1)
  })
  it('sends the bytes of --data', async () => {
    const text =
      '{ "event": "response.submitted",\n "form": {"id": "f"}, "response": {"id": 5, "answers": []} }\n'
    expect((await trigger(['response.submitted', '--data', file(text)])).code).toBe(0)
    expect(received().body).toBe(text)
    expect((await trigger(['response.submitted', '--data', '-'], { env: ENV, stdin: text })).code).toBe(0)
    expect(handler.got[1]?.body.toString()).toBe(text)
  })
  it.each([
    [
      401,
      'the handler refused the signature: check that it verifies the raw bytes with the secret that signed it',
    ],
    // It is not sent again.
    [500, 'the handler failed: check its log'],
  ])('exits with 1 for the status %i', async (status, hint) => {
    handler = await startHandler(status)
    expect(await trigger(['test.ping'])).toEqual({
      code: 1,
      stdout: expect.stringContaining(`\t${status}\t`),
      stderr: `formwire: the handler responded with ${status}\n  ${hint}\n`,
    })
  })
  it('exits with 6 when the handler is unreachable, with 2 without a secret', async () => {
    const nobody = ['trigger', 'test.ping', '--forward-to', String(await freePort())]
    expect(await runCli(nobody, { env: ENV })).toMatchObject({ code: 6, stdout: '' })
    expect(await trigger(['test.ping'], { env: {} })).toMatchObject({ code: 2, stdout: '' })
  })
})

const FORM_MISSING = `the body's "form" must be an object, got undefined`
it.each([
  ['trigger', 'nonsense', '@ is not valid JSON'],
  ['trigger', '{"event":"test.ping"}', 'the "event" of @ must be "response.submitted", got "test.ping"'],
  ['trigger', 'null', 'the "event" of @ must be "response.submitted", got none'],
  ['trigger', '{"event":"response.submitted"}', `@ is not the body of an event: ${FORM_MISSING}`],
  ['replay', '{"event":"response.submitted"}', `@ is not the body of an event: ${FORM_MISSING}`],
  ['replay', '[]', '@ is not the body of an event: the body must be a JSON object, got an array'],
  ['replay', '{"a":1}', `@ is not the body of an event: the body's "event" must be a string, got undefined`],
  ['replay', '"text"', '@ is not the body of an event: the body must be a JSON object, got string'],
])('%s sends only events of its type, not %s: exit 2', async (command, content, message) => {
  const path = file(content)
  const argv = command === 'replay' ? [path] : ['response.submitted', '--data', path]
  const result = await runCli([command, ...argv, '--forward-to', handler.url], { env: ENV })
  expect([result.code, result.stdout]).toEqual([2, ''])
  expect(result.stderr.replaceAll(path, '@').split('\n')[0]).toBe(`formwire: ${message}`)
  expect(handler.got).toEqual([])
})
