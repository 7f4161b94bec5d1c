import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { verifyWebhook } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { TLS_CERTIFICATE, TLS_KEY } from '../../../../test/support/tls.ts'
import {
  firstOf,
  post,
  SECRET,
  signed,
  startHandler,
  startListen,
  startPlain,
  type TestHandler,
} from '../support/listen.ts'
import { NOON, runCli } from '../support/run-cli.ts'
import { eachService, PARTY, SURVEY, testService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const service = eachService()
const env = () => ({ ...service.env, FORMWIRE_ADMIN_TOKEN: undefined })

const endpoints = (formId: string) => service.server.app.webhooks.list(formId)

/** Sends a test event to each active endpoint of the form and returns the delivery ids. */
function ping(formId: string): string[] {
  const active = endpoints(formId).filter((endpoint) => endpoint.active)
  return active.map(({ id }) => service.server.app.webhooks.test(formId, id).id)
}

describe('the secret of a listen session', () => {
  it('is printed once on stderr, even with --quiet, and signs what the handler receives', async () => {
    const handler = await startHandler()
    const running = startPlain(`listen --form ${PARTY} --forward-to ${handler.url} --quiet --count 1`, env())
    await until('the secret', () => running.stderr().includes('whsec_'))
    ping(PARTY)
    const { code, stderr, stdout } = await running.result
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^listening on http:\/\/127\.0\.0\.1:\d+\nwebhook secret: whsec_\S+ \(valid until this command ends\)\n$/,
    )
    expect(stdout).not.toContain('whsec_')
    expect(firstOf(handler, /whsec_\S+/.exec(stderr)?.[0]).event.type).toBe('test.ping')
  })

  it('is part of the listening event with --json', async () => {
    const running = startPlain(['listen', '--form', PARTY, '--json'], env())
    await until('the event', () => running.stderr().includes('\n'))
    await running.end()
    expect(JSON.parse(running.stderr().split('\n')[0] ?? '')).toEqual({
      event: 'listening',
      message: expect.stringMatching(/^listening on http:\/\/127\.0\.0\.1:\d+$/),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      forms: [PARTY],
      secret: expect.stringMatching(/^whsec_/),
    })
  })

  it('--secret-file writes it for its owner alone, replaces what is there, and removes it on exit', async () => {
    const folder = temporaryDirectory()
    const path = join(folder, 'secret')
    const other = join(folder, 'other')
    writeFileSync(other, 'kept', { mode: 0o644 })
    symlinkSync(other, path)
    const handler = await startHandler()
    const line = `listen --form ${PARTY} --forward-to ${handler.url} --secret-file ${path} --count 1`
    const running = startPlain(line, env())
    await until('the announcement', () => running.stderr().includes('listening'))
    const text = readFileSync(path, 'utf8')
    expect(text).toMatch(/^whsec_\S+$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(other, 'utf8')).toBe('kept')
    ping(PARTY)
    const { code, stderr } = await running.result
    expect([code, existsSync(path)]).toEqual([0, false])
    expect(stderr).not.toContain('whsec_')
    expect(stderr).toContain(`replaced ${path} with the webhook secret; it is removed on exit\n`)
    expect(firstOf(handler, text).event.type).toBe('test.ping')
  })

  it('a process that exits at once removes --secret-file and names the endpoint', async () => {
    const path = join(temporaryDirectory(), 'secret')
    const atExit = new Set<() => void>()
    const running = startPlain(['listen', '--form', PARTY, '--secret-file', path], env(), { atExit })
    await until('the announcement', () => running.stderr().includes('Ctrl-C'))
    const [endpoint] = endpoints(PARTY)
    for (const action of atExit) action()
    expect(existsSync(path)).toBe(false)
    expect(running.stderr()).toContain(
      `the temporary endpoint ${endpoint?.id} on form ${PARTY} may still exist; to delete it, run: formwire webhooks delete ${PARTY} ${endpoint?.id} --yes\n`,
    )
    await running.end()
    expect([atExit.size, endpoints(PARTY)]).toEqual([0, []])
  })

  it.each([
    ['its directory does not exist', 'missing/secret'],
    ['it is a directory', ''],
  ])('--secret-file that cannot be written exits with 2 and leaves no endpoint: %s', async (why, name) => {
    const path = join(temporaryDirectory(), name)
    expect(await runCli(['listen', '--form', PARTY, '--secret-file', path], { env: env() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`cannot write the secret to ${path}: ${why}\n`),
    })
    expect(endpoints(PARTY)).toEqual([])
  })

  it.each([
    ['FORMWIRE_WEBHOOK_SECRET', '', { FORMWIRE_WEBHOOK_SECRET: SECRET }, undefined],
    ['--secret-stdin', ' --secret-stdin', {}, `${SECRET}\n`],
  ] as const)(
    '%s signs the same body, id, event and timestamp; nothing is shown',
    async (_name, args, more, stdin) => {
      const handler = await startHandler()
      const line = `--form ${PARTY} --forward-to ${handler.url} --count 1${args}`
      const options = stdin === undefined ? {} : { stdin }
      const running = await startListen(line, { ...env(), ...more }, options)
      await until('the announcement', () => running.stderr().includes('listening'))
      const [deliveryId] = ping(PARTY)
      const { code, stderr } = await running.result
      expect([code, stderr.includes('whsec_')]).toEqual([0, false])
      const { event, headers } = firstOf(handler)
      expect(event).toMatchObject({ type: 'test.ping', deliveryId, timestamp: new Date(NOON) })
      expect(headers['x-service-event']).toBe('test.ping')
    },
  )

  it('is one for several forms; each has its endpoint and its handler', async () => {
    const survey = await startHandler()
    const rest = await startHandler()
    const running = await startListen(
      `--form ${SURVEY} --form ${PARTY} --forward-to ${SURVEY}=${survey.url} --forward-to ${rest.url} --count 2`,
      env(),
    )
    await until('the secret', () => running.stderr().includes('whsec_'))
    ping(PARTY)
    ping(SURVEY)
    const { code, stderr } = await running.result
    expect(code).toBe(0)
    expect(stderr.match(/whsec_/g)).toHaveLength(1)
    const secret = /whsec_\S+/.exec(stderr)?.[0] ?? ''
    const formsOf = ({ got }: TestHandler) =>
      got.map(
        ({ headers, body }) =>
          (verifyWebhook({ secret, headers, body, now: NOON }) as { form: { id: string } }).form.id,
      )
    expect([formsOf(survey), formsOf(rest)]).toEqual([[SURVEY], [PARTY]])
    expect(endpoints(PARTY)).toEqual([])
    expect(endpoints(SURVEY)).toHaveLength(1)
  })

  it('advice on a refused signature names the secret that the handler can have', async () => {
    const handler = await startHandler(401)
    const running = await startListen(['--form', PARTY, '--forward-to', handler.url, '--count', '1'], env())
    await until('the secret', () => running.stderr().includes('whsec_'))
    ping(PARTY)
    expect((await running.result).code).toBe(1)
    expect(running.lines[0]).toContain(
      'the handler refused the signature: check that it verifies the raw bytes with the secret that listen printed at startup',
    )
  })
})

describe('requests to the handler', () => {
  const given = () => ({ ...env(), FORMWIRE_WEBHOOK_SECRET: SECRET })

  it('--header adds headers; their values are never shown', async () => {
    const bearer = ['--header', 'Authorization:Bearer abc:def']
    const handler = await startHandler(401)
    const running = await startListen(
      [...`--forward-to ${handler.url} --count 1 --header`.split(' '), 'X-Tenant: acme', ...bearer],
      given(),
    )
    await post(running.url, signed())
    const { stdout, stderr } = await running.result
    expect(handler.got[0]?.headers).toMatchObject({ 'x-tenant': 'acme', authorization: 'Bearer abc:def' })
    expect(stdout + stderr).not.toContain('abc:def')
  })
  it('--insecure accepts a self-signed certificate; without it the note says what to do', async () => {
    const handler = createServer({ key: TLS_KEY, cert: TLS_CERTIFICATE }, (request, response) => {
      request.resume().once('end', () => response.writeHead(200).end())
    })
    const url = (await serve(handler)).replace('http://127.0.0.1', 'https://localhost')
    const strict = await startListen(['--forward-to', url, '--count', '1'], given())
    expect((await post(strict.url, signed())).status).toBe(502)
    await strict.result
    expect(strict.lines[0]).toMatch(
      /\tthe certificate of the handler is not trusted \(\w+\); pass --insecure for a local handler\n$/,
    )
    const lax = await startListen(['--forward-to', url, '--count', '1', '--insecure'], given())
    expect((await post(lax.url, signed())).status).toBe(200)
    expect((await lax.result).code).toBe(0)
  })
})

it('explains that the service cannot reach this machine, and names --poll and --public-url', async () => {
  Object.assign(service, await testService({ addressRules: 'production' }))
  const running = await runCli(['listen', '--form', PARTY], { env: env() })
  expect(running).toMatchObject({ code: 1, stdout: '' })
  expect(running.stderr).toMatch(
    /^formwire: the service cannot reach this machine at http:\/\/127\.0\.0\.1:\d+\/formwire-listen-\w+: /,
  )
  expect(running.stderr).not.toMatch(/POST|Request id/)
  expect(running.stderr).toContain(`without an endpoint: formwire listen --form ${PARTY} --poll\n`)
  expect(running.stderr).toContain('--public-url https://')
})

describe('what is printed before a live view opens, which fails', () => {
  const created = `created temporary endpoint 2 on form ${PARTY}; it is deleted on exit`
  const listen = async (errorTerminal: boolean) => {
    // The second endpoint is refused.
    Object.assign(service, await testService({ limits: { webhooksPerForm: 1 } }))
    const line = `listen --form ${PARTY} --form ${SURVEY} --view live --no-color`
    const options = { env: { ...service.env, HOME: temporaryDirectory() }, terminal: 100, errorTerminal }
    // A reply makes stdin a terminal.
    return await runCli(line, { ...options, reply: '' })
  }

  it('is printed once it has failed', async () => {
    const { code, stderr } = await listen(true)
    const [progress, ...printed] = stderr.split('\r\u001b[2K').slice(1)
    expect(progress).toBe(created)
    expect(printed.join('')).toMatch(new RegExp(`^${created}\\n✗ .*already has 1 webhook`))
    expect(code).not.toBe(0)
  })
  it('is printed at once where stderr is no terminal', async () => {
    expect((await listen(false)).stderr).toMatch(new RegExp(`^${created}\\n.*already has 1 webhook`))
  })
})
