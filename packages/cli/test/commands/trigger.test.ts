import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { firstOf, SECRET, startHandler, type TestHandler } from '../support/listen.ts'
import { NOON, outcome, runCli } from '../support/run-cli.ts'
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
  it('prints a sentence on a terminal', async () => {
    const { code, stdout } = await trigger(['response.submitted'], { env: ENV, terminal: 80 })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^delivery [\w-]{36}: HTTP 200 after \d+ ms\n$/)
  })
  it('[DLV-02] test.ping has response id 0 and one example answer', async () => {
    expect((await trigger(['test.ping', '--json'])).code).toBe(0)
    expect(received().event).toMatchObject({
      type: 'test.ping',
      response: { id: 0, answers: [{ question_id: 'example' }] },
    })
  })
  it('prints one JSON object with --json', async () => {
    const { stdout } = await trigger(['response.submitted', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      delivery_id: expect.stringMatching(/^[\w-]{36}$/),
      event: 'response.submitted',
      status: 200,
      duration_ms: expect.any(Number),
    })
  })
  it('does not claim that a refused delivery is retried', async () => {
    handler.server.removeAllListeners('request')
    handler.server.on('request', (_request, response) => response.writeHead(500).end())
    const { code, stderr } = await trigger(['test.ping'])
    expect([code, stderr]).toEqual([
      1,
      'formwire: the handler responded with 500\n  the handler failed: check its log\n',
    ])
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
  it('reads the secret from stdin with --secret-stdin', async () => {
    const { code } = await trigger(['test.ping', '--secret-stdin'], { stdin: `${SECRET}\n` })
    expect([code, received().event.type]).toEqual([0, 'test.ping'])
  })
  it('exits with 1 for a status other than 2xx, with 6 when the handler is unreachable', async () => {
    handler = await startHandler(401)
    const refused = await trigger(['test.ping'])
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('\t401\t') })
    expect(refused.stderr).toContain('the handler responded with 401\n  the handler refused the signature')
    const nobody = ['trigger', 'test.ping', '--forward-to', String(await freePort())]
    expect(await runCli(nobody, { env: ENV })).toMatchObject({ code: 6, stdout: '' })
  })
  it('--data that is not an event of this type exits with 2', async () => {
    const cases = [
      ['nonsense', 'is not valid JSON'],
      ['{"event":"test.ping"}', 'must be "response.submitted", got "test.ping"'],
      ['null', 'must be "response.submitted", got none'],
      ['{"event":"response.submitted"}', `is not the body of an event: the body's "form" must be an object`],
    ] as const
    for (const [content, message] of cases) {
      const { code, stderr } = await trigger(['response.submitted', '--data', file(content)])
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    }
    expect(handler.got).toEqual([])
  })
  it('exits with 2 without a secret', async () => {
    expect(await trigger(['test.ping'], { env: {} })).toMatchObject({ code: 2, stdout: '' })
  })
})

it('replay accepts only events', async () => {
  const cases = [
    ['[]', 'the body must be a JSON object, got an array'],
    ['{"event":"response.submitted"}', `the body's "form" must be an object, got undefined`],
    ['{"a":1}', `the body's "event" must be a string, got undefined`],
    ['"text"', 'the body must be a JSON object, got string'],
  ] as const
  for (const [content, problem] of cases) {
    const path = file(content)
    expect(await runCli(['replay', path, '--forward-to', handler.url], { env: ENV })).toEqual(
      outcome(
        2,
        '',
        `formwire: ${path} is not the body of an event: ${problem}\n  an event is {"event": …, "form": {…}, "response": {…}}\n`,
      ),
    )
  }
  expect(handler.got).toEqual([])
})
