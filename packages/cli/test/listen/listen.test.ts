import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import {
  firstOf,
  startListen as openListen,
  PAYLOAD as payload,
  post,
  SECRET,
  signed,
  startHandler,
} from '../support/listen.ts'
import { NOON, outcome, runCli } from '../support/run-cli.ts'
import { eachService, PARTY } from '../support/service.ts'
import { until } from '../support/wait.ts'

const service = eachService()

const startListen = (argv: string[], options: Parameters<typeof openListen>[2] = {}) =>
  openListen(
    argv,
    { ...service.env, FORMWIRE_WEBHOOK_SECRET: SECRET, FORMWIRE_ADMIN_TOKEN: undefined },
    options,
  )

describe('[DLV-10] formwire listen verifies on the raw bytes', () => {
  it('prints one line for a valid delivery and responds with 200', async () => {
    const { url, result, lines } = await startListen(['--count', '1'])
    expect((await post(url, signed())).status).toBe(200)
    const { code, stderr } = await result
    expect(code).toBe(0)
    expect(lines).toEqual(['2026-11-21T12:00:00.000Z\tresponse.submitted\tdlv_1\t7\tverified\t200\t\t\n'])
    expect(stderr).toContain(`listening on ${url}\n`)
    expect(stderr).not.toContain(SECRET)
  })
  it('prints rows that fit on a terminal, with the whole advice', async () => {
    const { url, result, lines } = await startListen(['--count', '1', '--view', 'lines'], { terminal: 80 })
    await post(url, signed({ secret: 'whsec_other' }))
    await until('the first row', () => lines.length === 1)
    await post(url, signed())
    expect((await result).code).toBe(0)
    expect(lines).toEqual([
      `TIME                  FORM         RESULT          DURATION       NEXT  RESPONSE
2026-11-21T12:00:00Z               wrong_secret
  dlv_1
  The signature does not match: the secret is wrong, or the body was altered.
  Use the secret of this endpoint, including whsec_. Rotating the secret in the
  app invalidates the old one immediately.
`,
      `2026-11-21T12:00:00Z  survey0000…  200                                         7
  dlv_1
`,
    ])
  })
  it.each([
    ['wrong_secret', 401, 'the secret is wrong', { secret: 'whsec_other' }],
    ['timestamp_too_old', 400, 'signed 301 s ago', { timestamp: new Date(NOON - 301_000) }],
    ['timestamp_in_future', 400, 'signed 400 s in the future', { timestamp: new Date(NOON + 400_000) }],
    ['missing_header', 400, 'x-service-signature', {}],
    ['altered_body', 401, 'after re-serializing the JSON compactly', {}],
  ])('reports %s with %i: %s', async (code, status, message, change) => {
    const { url, end, lines } = await startListen(['--json'])
    const { headers, body } = signed(change)
    const { 'X-Service-Signature': _signature, ...others } = headers
    const sent = {
      headers: code === 'missing_header' ? others : headers,
      body: code === 'altered_body' ? JSON.stringify(JSON.parse(body), null, 2) : body,
    }
    expect((await post(url, sent)).status).toBe(status)
    await until('the line', () => lines.length === 1)
    expect((await end()).code).toBe(130)
    const received = JSON.parse(lines[0] ?? '')
    expect(received).toMatchObject({ verified: false, answered: status, problem: { code }, payload: null })
    expect(received.problem.message).toContain(message)
  })
  it('reports an altered body, not a wrong secret, after a valid delivery', async () => {
    const { url, end, lines } = await startListen(['--json'])
    await post(url, signed())
    const { headers, body } = signed()
    await post(url, { headers, body: body.replace('Bo', 'Xy') })
    await until('two lines', () => lines.length === 2)
    await end()
    expect(JSON.parse(lines[1] ?? '').problem).toMatchObject({ code: 'altered_body' })
  })
  it('refuses a body of more than 2.5 MiB', async () => {
    const { url, end } = await startListen([])
    const big = await post(url, { headers: {}, body: 'x'.repeat(2_621_441) }).catch(() => undefined)
    if (big) expect(big.status).toBe(413)
    expect((await end()).stderr).toContain('refused a body larger than 2621440 bytes')
  })
})

describe('forwarding', () => {
  it('forwards the same bytes and headers of a verified delivery only, and returns the status', async () => {
    const handler = await startHandler(202)
    const { url, result, lines } = await startListen(['--forward-to', handler.url, '--count', '1', '--json'])
    await post(url, signed({ secret: 'whsec_other' }))
    const delivery = signed()
    const response = await post(url, delivery)
    expect([response.status, await response.text()]).toEqual([202, 'handled'])
    expect((await result).code).toBe(0)
    expect(handler.got).toHaveLength(1)
    const { event, body } = firstOf(handler)
    expect([event.deliveryId, body]).toEqual(['dlv_1', delivery.body])
    expect(JSON.parse(lines[1] ?? '').forwarded).toMatchObject({ status: 202, reason: null })
  })
  it('explains a refusal by the handler and exits with 1', async () => {
    const handler = await startHandler(401)
    const { url, result, lines } = await startListen(['--forward-to', handler.url, '--count', '1'])
    expect((await post(url, signed())).status).toBe(401)
    const { code, stderr } = await result
    expect(code).toBe(1)
    expect(lines[0]).toContain('the handler refused the signature: check that it verifies the raw bytes')
    expect(stderr).toContain(
      'formwire: 1 of 1 deliveries failed: the handler responded with 401\n  the handler refused the signature: check',
    )
  })
  it('responds with 502 when the handler is unreachable', async () => {
    const { url, result, lines } = await startListen(['--forward-to', 'http://127.0.0.1:9/', '--count', '1'])
    expect((await post(url, signed())).status).toBe(502)
    expect((await result).code).toBe(1)
    expect(lines[0]).toContain('connection refused')
  })
})

describe('listen in CI', () => {
  it('--match waits for a matching delivery', async () => {
    const { url, result, lines } = await startListen(['--match', 'event=test.ping', '--match', 'response=0'])
    await post(url, signed())
    await post(
      url,
      signed({
        event: 'test.ping',
        deliveryId: 'dlv_2',
        payload: { ...payload, response: { ...payload.response, id: 0 } },
      }),
    )
    expect((await result).code).toBe(0)
    expect(lines.map((line) => line.split('\t')[2])).toEqual(['dlv_2'])
  })
  it('exits with 1 after --timeout and reports how many deliveries arrived', async () => {
    let pass = (): void => {}
    const passed = new Promise<void>((resolve) => {
      pass = resolve
    })
    const { result } = await startListen(['--count', '2', '--timeout', '30s'], { onSleep: () => passed })
    pass()
    const { code, stderr } = await result
    expect(code).toBe(1)
    expect(stderr).toContain('timed out after 30 s: received 0 of 2 expected deliveries')
  })
  it('--respond responds with each status in turn and repeats the last one', async () => {
    const { url, result } = await startListen(['--respond', '500,503,200', '--count', '4'])
    const statuses: number[] = []
    for (let number = 0; number < 4; number += 1) statuses.push((await post(url, signed())).status)
    expect(statuses).toEqual([500, 503, 200, 200])
    expect((await result).code).toBe(0)
  })
  it('ignores a blank FORMWIRE_WEBHOOK_SECRET and trims white space', async () => {
    const blank = { ...service.env, FORMWIRE_WEBHOOK_SECRET: ' ' }
    expect(await runCli(['listen'], { env: blank })).toMatchObject({ code: 2, stdout: '' })
    const { url, result } = await startListen(['--count', '1'], {
      env: { NO_COLOR: '1', FORMWIRE_WEBHOOK_SECRET: `${SECRET}\n` },
    })
    expect((await post(url, signed())).status).toBe(200)
    expect((await result).code).toBe(0)
  })
  it('waits 5 seconds for a secret on a piped stdin, then exits with 2', async () => {
    const waits: number[] = []
    const { code, stderr } = await runCli(['listen'], {
      env: { ...service.env, FORMWIRE_WEBHOOK_SECRET: undefined },
      stdin: new Readable({ read() {} }),
      onSleep: async (ms) => void waits.push(ms),
    })
    expect([code, waits]).toEqual([2, [5_000]])
    expect(stderr).toContain('no endpoint secret\n')
  })
})

describe('listen --form', () => {
  const endpoints = () => service.server.app.webhooks.list(PARTY).map(({ url }) => url)

  it.each([
    ['interrupted', 130],
    ['output closed', 0],
  ] as const)('deletes the endpoint when %s', async (why, code) => {
    const { url, end } = await startListen(['--form', PARTY])
    await until('the endpoint', () => endpoints().length === 1)
    expect(endpoints()[0]).toMatch(new RegExp(`^${url}/formwire-listen-[0-9a-f]{16}$`))
    expect((await end(why)).code).toBe(code)
    expect(endpoints()).toEqual([])
  })
  it('registers --public-url instead of the local URL', async () => {
    const { end } = await startListen(['--form', PARTY, '--public-url', 'http://127.0.0.1:9/tunnel'])
    await until('the endpoint', () => endpoints().length === 1)
    expect(endpoints()).toEqual(['http://127.0.0.1:9/tunnel'])
    await end()
  })
  it('uses the clock of a reference server, and reports attempts from its log', async () => {
    const { end, lines } = await startListen(['--form', PARTY, '--respond', '500,200', '--json'], {
      env: { ...service.env },
      // The timeout of a request to the log never ends; the waits between its polls are short.
      onSleep: (ms) => new Promise((resolve) => (ms < 1000 ? setImmediate(resolve) : undefined)),
    })
    await until('the endpoint', () => endpoints().length === 1)
    await service.server.clock.advance('3h')
    service.server.app.webhooks.test(PARTY, service.server.app.webhooks.list(PARTY)[0]?.id ?? 0)
    await until('the first attempt', () => lines.length === 1)
    await service.server.clock.advance('1m')
    await until('the second attempt', () => lines.length === 2)
    await end()
    const [first, second] = lines.map((line) => JSON.parse(line))
    expect(first).toMatchObject({
      verified: true,
      answered: 500,
      attempt: 1,
      next_attempt_at: '2026-11-21T15:01:00.000Z',
    })
    expect(second).toMatchObject({ verified: true, answered: 200, attempt: 2, next_attempt_at: null })
    expect(second.delivery_id).toBe(first.delivery_id)
  })
  it('exits with 4 for a read-only key and creates no endpoint', async () => {
    const env = { ...service.env, FORMWIRE_API_KEY: `svc_${'r'.repeat(40)}` }
    expect(await runCli(['listen', '--form', PARTY], { env })).toEqual(
      outcome(
        4,
        '',
        `formwire: could not listen to form ${PARTY}: this key is read-only; use a key with write scope\n` +
          '  an endpoint requires a write key of an owner or editor: see formwire whoami\n' +
          `  a read key can follow the form through the API: formwire listen --form ${PARTY} --poll\n`,
      ),
    )
    expect(endpoints()).toEqual([])
  })
})

describe('recording and replaying', () => {
  it('replays a recorded delivery: the same bytes with a new signature', async () => {
    const directory = join(temporaryDirectory(), 'deliveries')
    const { url, result } = await startListen(['--count', '1', '--record', directory])
    const delivery = signed()
    await post(url, delivery)
    expect((await result).stderr.split('\n').slice(0, 3)).toEqual([
      `listening on ${url}`,
      'waiting for deliveries (Ctrl-C to stop)',
      `recording deliveries in ${directory}`,
    ])
    const [name = ''] = readdirSync(directory)
    expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(directory, name), 'utf8')).not.toContain('ignature')

    const handler = await startHandler(200, 500)
    const again = () =>
      runCli(['replay', join(directory, name), '--forward-to', handler.url, '--secret-stdin'], {
        stdin: SECRET,
        now: NOON + 3_600_000,
      })
    const { code, stdout } = await again()
    expect(code).toBe(0)
    expect(stdout).toMatch(/^[\w-]{36}\t200\t\d+ ms\n$/)
    const { event, body } = firstOf(handler, SECRET, NOON + 3_600_000)
    expect(body).toBe(delivery.body)
    expect(event.timestamp.toISOString()).toBe('2026-11-21T13:00:00.000Z')
    expect(event.deliveryId).not.toBe('dlv_1')
    expect(await again()).toMatchObject({ code: 1 })
  })
  it('replays the JSON body of an event; exits with 6 without a handler, with 2 without a file', async () => {
    const file = join(temporaryDirectory(), 'event.json')
    writeFileSync(file, signed().body)
    const handler = await startHandler()
    const replay = (path: string, to: string) =>
      runCli(['replay', path, '--forward-to', to], { env: { FORMWIRE_WEBHOOK_SECRET: SECRET } })
    expect((await replay(file, handler.url)).code).toBe(0)
    expect(handler.got[0]?.headers['x-service-event']).toBe('response.submitted')
    expect((await replay(file, 'http://127.0.0.1:9/')).code).toBe(6)
    expect((await replay(`${file}.none`, handler.url)).code).toBe(2)
  })
})
