import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { COMMANDS } from '../../src/all-commands.ts'
import { outcome, runCli, valuesOf } from '../support/run-cli.ts'
import { eachService, PARTY, SURVEY } from '../support/service.ts'

const service = eachService()
const cli = (argv: string[], env: Record<string, string> = {}) =>
  runCli(argv, { env: { ...service.env, ...env }, retriesAtOnce: true })
const fault = (fault: Record<string, unknown>) => service.server.app.faults.add(fault as never)

/** Returns a home directory whose current profile is "staging". */
function homeWithProfile(base_url: string, api_key: string): string {
  const homeDir = temporaryDirectory()
  mkdirSync(join(homeDir, '.config/formwire'), { recursive: true })
  writeFileSync(
    join(homeDir, '.config/formwire/profiles.json'),
    JSON.stringify({ current: 'staging', profiles: { staging: { base_url, api_key } } }),
  )
  return homeDir
}

/** Runs a command against a server with this response to every request. */
async function against(
  respond: (request: IncomingMessage) => { status: number; body: unknown; headers?: Record<string, string> },
  argv: string[],
  env: Record<string, string> = {},
) {
  const url = await serve((request, response) => {
    const { status, body, headers } = respond(request)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  return await cli(argv, { FORMWIRE_BASE_URL: url, ...env })
}

describe('[ERR-05] a 429', () => {
  it('announces the wait and retries once', async () => {
    fault({ path: '/api/v1/me', status: 429, retry_after: 1, times: 1 })
    const { code, stderr, stdout } = await cli(['whoami'])
    expect([code, stderr]).toEqual([0, 'rate limited; retrying in 1 s\n'])
    expect(stdout).toContain('Ada Byron')
  })
  it('exits with 5 after the second one', async () => {
    fault({ path: '/api/v1/me', status: 429, retry_after: 1 })
    const { code, stderr, stdout } = await cli(['whoami', '--json'])
    expect([code, stdout]).toEqual([5, ''])
    const [announced, failed] = valuesOf(stderr)
    expect(announced).toMatchObject({ event: 'rate_limited', wait_seconds: 1 })
    expect(failed.error).toMatchObject({ code: 'rate_limited', status: 429, exit_code: 5 })
    expect(service.server.app.requests.list()).toHaveLength(2)
  })
  it('exits immediately when Retry-After is too long', async () => {
    fault({ path: '/api/v1/me', status: 429, retry_after: 3600 })
    const { code, stderr } = await cli(['whoami'])
    expect(code).toBe(5)
    expect(stderr).not.toContain('retrying in')
  })
})

describe('failures', () => {
  it('announces a retry without the request, which --verbose prints', async () => {
    fault({ path: '/api/v1/me', status: 500, times: 1 })
    const { code, stderr } = await cli(['whoami'])
    expect([code, stderr]).toEqual([0, 'Injected fault; retrying\n'])
  })
  it.each([
    ['the current profile', [], {}, 'profile "staging"'],
    ['a profile', ['--profile', 'staging'], { FORMWIRE_BASE_URL: 'http://127.0.0.1:8' }, 'profile "staging"'],
    ['an option', ['--base-url', 'http://127.0.0.1:9'], {}, '--base-url'],
    [
      'the environment',
      [],
      { FORMWIRE_BASE_URL: 'http://127.0.0.1:9', FORMWIRE_API_KEY: 'svc_key' },
      'FORMWIRE_BASE_URL',
    ],
  ])(
    'names where the URL of a server comes from that cannot be reached: %s',
    async (_name, argv, env, source) => {
      const homeDir = homeWithProfile('http://127.0.0.1:9', 'svc_key')
      const { stderr } = await runCli(['whoami', '--no-wait', ...argv], { homeDir, env })
      expect(stderr).toBe(
        'formwire: could not show the current user at http://127.0.0.1:9: connection refused\n' +
          `  check that the server is running, and check the URL in ${source} and any proxy\n`,
      )
    },
  )
  it('a retry of long work has its wait and its number', async () => {
    const { code, stderr } = await runCli(['responses', 'export', 'f1'], {
      env: { ...service.env, FORMWIRE_BASE_URL: 'http://127.0.0.1:9' },
      retriesAtOnce: true,
      // The last request has to wait for its turn.
      onSleep: async () => undefined,
    })
    const retries = stderr.split('\n').slice(0, 10)
    expect(code).toBe(6)
    expect(retries.map((line) => line.replace(/in \d+ (?:ms|s) /, 'in N s '))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(
        (number) =>
          `could not reach http://127.0.0.1:9: connection refused; retrying in N s (${number} of 10)`,
      ),
    )
  })
  it.each([
    ['forms list', 'list the forms'],
    ['forms close f1', 'close form f1'],
    ['responses get f1 5', 'show response 5 of form f1'],
    ['responses delete f1 5 --yes', 'delete response 5 of form f1'],
    ['responses delete f1 5 6 --yes', 'delete responses of form f1'],
    ['responses export f1', 'export the responses of form f1'],
    ['responses tail f1 f2', 'follow the responses of forms f1, f2'],
    ['webhooks create f1 https://hooks.example.com', 'create a webhook endpoint on form f1'],
    ['deliveries show d1', 'show delivery d1'],
    ['listen --form f1', 'listen to form f1'],
    ['listen --form f1 --poll', 'follow form f1'],
    ['types f1', 'generate the types of form f1'],
  ])('%s leads with what was asked for and where it failed', async (line, task) => {
    const argv = line.split(' ')
    const base = { FORMWIRE_BASE_URL: 'http://127.0.0.1:9' }
    const message = `could not ${task} at http://127.0.0.1:9: connection refused`
    const { code, stdout, stderr } = await cli([...argv, '--no-wait'], base)
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([6, '', `formwire: ${message}`])
    const { terminal, errorTerminal } = { terminal: 80, errorTerminal: true }
    const env = { ...service.env, ...base, NO_COLOR: '1', CI: '1' }
    const onTerminal = await runCli([...argv, '--no-wait', '--yes'], { env, terminal, errorTerminal })
    // Wrapped at words, below the first one.
    const [text = ''] = onTerminal.stderr.split(/\n {2}check/)
    expect(text.replaceAll('\n  ', ' ')).toBe(`✗ ${message}`)
  })
  it('--verbose and --json add method, path and the code of the system', async () => {
    const argv = ['forms', 'get', 'f1', '--no-wait']
    const base = { FORMWIRE_BASE_URL: 'http://127.0.0.1:9' }
    expect((await cli([...argv, '--verbose'], base)).stderr).toContain(
      '\n  GET /forms/f1 got no response (ECONNREFUSED)\n  about this error: https://',
    )
    expect(JSON.parse((await cli([...argv, '--json'], base)).stderr)).toEqual({
      error: {
        code: 'unreachable',
        message: 'could not show form f1 at http://127.0.0.1:9: connection refused',
        hint: 'check that the server is running, and check the URL in FORMWIRE_BASE_URL and any proxy',
        request: 'GET /forms/f1',
        system_code: 'ECONNREFUSED',
        exit_code: 6,
        help_url: 'https://formwire.example/how-to/troubleshooting.html#unreachable',
      },
    })
  })
  it('every command that uses the service has words for what it was asked to do', () => {
    const withoutService = ['replay', 'receiver check', 'rehearse', 'doctor']
    const missing = COMMANDS.filter(({ path, exits, hidden, task }) => {
      const usesService = exits.includes(6) && !withoutService.includes(path.join(' '))
      return !hidden && usesService && task?.(['f1', '1'], { form: ['f1'] }) === undefined
    })
    expect(missing.map(({ path }) => path.join(' '))).toEqual([])
  })
  const WRONG_URL =
    'check the URL in FORMWIRE_BASE_URL: it is the root of the service, without /api/v1; and check any proxy'
  it.each([
    [200, 'text/html', WRONG_URL],
    [302, 'text/html', WRONG_URL],
    [401, 'text/html', WRONG_URL],
    [403, 'text/html', WRONG_URL],
    [404, 'text/html', WRONG_URL],
    [503, 'without a content type', 'the server, or a proxy before it, failed; try again later'],
  ])('a page with %i, %s instead of the API says what to check', async (status, type, hint) => {
    const page = await serve((_request, response) => {
      response.writeHead(status, type === 'text/html' ? { 'content-type': type } : {}).end('<p>Hello</p>')
    })
    const { code, stderr } = await cli(['forms', 'list'], { FORMWIRE_BASE_URL: page })
    const got = `got a page that is not from the service: ${status}, ${type}`
    const retried = status === 503 ? `${got}; retrying\n` : ''
    expect([code, stderr]).toEqual([6, `${retried}formwire: could not list the forms: ${got}\n  ${hint}\n`])
  })
  const ENDPOINT = `webhook endpoint 99 of form ${SURVEY}`
  const SEE = `see formwire webhooks list ${SURVEY}`
  const FORM = 'form nothere00000 not found\n  see formwire forms list'
  const DELIVERY = 'delivery nothere00000 not found\n  see formwire deliveries list FORM WEBHOOK'
  const UNKNOWN =
    'form nothere00000 not found\n  it does not exist, or this key has no access to its workspace: see formwire forms list'
  it.each([
    ['forms get nothere00000', UNKNOWN],
    // Of an unknown form, the form is what was not found.
    ['responses get nothere00000 1', UNKNOWN],
    ['responses delete nothere00000 1 --yes', UNKNOWN],
    ['responses delete nothere00000 1 2 --yes', UNKNOWN],
    ['responses list nothere00000', UNKNOWN],
    ['responses submit nothere00000', UNKNOWN],
    ['responses export nothere00000', UNKNOWN],
    ['responses tail nothere00000', UNKNOWN],
    [`responses tail ${SURVEY} nothere00000`, UNKNOWN],
    ['webhooks delete nothere00000 1 --yes', UNKNOWN],
    ['deliveries list nothere00000 1', FORM],
    ['deliveries test nothere00000 1', FORM],
    ['deliveries tail nothere00000', FORM],
    ['deliveries tail nothere00000 1', FORM],
    ['conformance nothere00000', UNKNOWN],
    ['conformance --form nothere00000', UNKNOWN],
    ['types nothere00000', UNKNOWN],
    [
      `responses get ${SURVEY} 99`,
      `response 99 of form ${SURVEY} not found\n  see formwire responses list ${SURVEY}`,
    ],
    [
      `responses get ${PARTY} 1`,
      `response 1 of form ${PARTY} not found\n  see formwire responses list ${PARTY}`,
    ],
    [`webhooks delete ${SURVEY} 99 --yes`, `${ENDPOINT} not found\n  ${SEE}`],
    [`deliveries list ${SURVEY} 99`, `${ENDPOINT} not found\n  ${SEE}`],
    [`deliveries pause ${SURVEY} 99`, `${ENDPOINT} not found\n  ${SEE}`],
    [`deliveries tail ${SURVEY} 99`, `${ENDPOINT} not found\n  ${SEE}`],
    ['deliveries tail --webhook 99', 'webhook endpoint 99 not found\n  see formwire webhooks list FORM'],
    ['deliveries replay nothere00000', DELIVERY],
    ['deliveries show nothere00000', DELIVERY],
  ])('%s exits with 3: %s', async (line, message) => {
    // A live view must not cover what there is to say.
    for (const terminal of line.startsWith('deliveries tail') ? [{}, { terminal: 80 }] : [{}])
      expect(await runCli(line, { env: service.env, retriesAtOnce: true, ...terminal })).toEqual(
        outcome(3, '', `formwire: ${message}\n`),
      )
  })
  it('exits with 6 when the server closes the connection', async () => {
    const hangingUp = await serve(createServer((socket) => socket.destroy()))
    expect((await cli(['whoami'], { FORMWIRE_BASE_URL: hangingUp })).code).toBe(6)
  })
  it('[AUTH-01] exits with 4 for a wrong key and suggests a new one', async () => {
    const { code, stdout, stderr } = await cli(['whoami'], { FORMWIRE_API_KEY: 'svc_wrong' })
    expect([code, stdout]).toEqual([4, ''])
    // Not a command that requires a valid key, such as whoami.
    expect(stderr).toBe(
      'formwire: could not show the current user: the API key is missing, wrong or revoked\n' +
        '  the key in FORMWIRE_API_KEY was refused: create a new one in the app and set it there, or unset the variable to use a profile\n' +
        '  a reference server that was restarted has new keys, which it printed at startup\n',
    )
    const homeDir = homeWithProfile(service.url, 'svc_wrong')
    expect((await runCli(['whoami'], { homeDir })).stderr.split('\n')[1]).toBe(
      '  the key of profile "staging" was refused: create a new one in the app, then run formwire login --profile staging',
    )
  })
  it.each([
    ['The key is old.', 'the key is old'],
    ['Sorry: Try later.', 'sorry: Try later'],
    ['HTTP is refused', 'HTTP is refused'],
    ['OpenAPI is unknown.', 'OpenAPI is unknown'],
    ['Formwire is closed.', 'Formwire is closed'],
  ])('goes on with the message of the service (%j) as a part of its own sentence', async (message, text) => {
    const { stderr } = await against(
      () => ({ status: 400, body: { error: { code: 'odd', message } } }),
      ['whoami'],
    )
    expect(stderr.split('\n')[0]).toBe(`formwire: could not show the current user: ${text}`)
  })
  it.each([
    ['whoami', {}],
    ['whoami --json', {}],
    ['whoami', { FORMWIRE_DEBUG: '1' }],
    ['deliveries replay d1', { FORMWIRE_ADMIN_TOKEN: 'k'.repeat(40) }],
  ])('[AUTH-02] redacts a key or token that the server echoes (%s %j)', async (line, env) => {
    const key = `svc_${'k'.repeat(40)}`
    const { code, stdout, stderr } = await against(
      ({ headers: { authorization: sent } }) => ({
        status: 400,
        body: { error: { code: sent, message: `You sent ${sent}.`, details: { field: sent, [key]: [key] } } },
      }),
      line.split(' '),
      { FORMWIRE_API_KEY: key, ...env },
    )
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('you sent Bearer ')
    expect(stderr).not.toContain('kkkkkkkkkk')
  })
  it.each([
    [400, 'quota_exhausted', 1],
    [401, 'key_expired', 4],
    [404, 'form_moved', 3],
    [409, 'brand_new', 1],
    [429, 'slow_down', 5],
  ])(
    '[ENV-04] prints a %d with the unknown code %s and unknown details, and has an exit code by its status',
    async (status, code, exit_code) => {
      const details = { deep: { er: [1] } }
      const body = { error: { code, message: 'No.', details, extra: 1 } }
      const run = await against(
        () => ({ status, body, headers: { 'retry-after': '3600' } }),
        ['whoami', '--json'],
      )
      expect([run.code, run.stdout]).toEqual([exit_code, ''])
      expect(JSON.parse(run.stderr).error).toMatchObject({ code, status, details, exit_code })
    },
  )
  it.each([
    'http://forms.example.com',
    'http://10.0.0.1',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://forms.test',
    'http://formwire.test.example.com',
  ])('[ENV-10] refuses %s: plain HTTP to another host', async (baseUrl) => {
    const { code, stdout, stderr } = await cli(['whoami'], { FORMWIRE_BASE_URL: baseUrl })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`${baseUrl} is plain HTTP`)
  })
  it('[ENV-10] accepts plain HTTP to every name of loopback', async () => {
    const { port } = new URL(service.url)
    for (const host of ['127.0.0.1', 'localhost']) {
      const { code } = await cli(['whoami'], { FORMWIRE_BASE_URL: `http://${host}:${port}` })
      expect([host, code]).toEqual([host, 0])
    }
  })
})

describe('a key or token that no header can carry', () => {
  const API_KEY = 'API key\n  a key is one word that starts with svc_'
  const TOKEN = 'admin token\n  it is one word, which the reference server printed at startup'
  it.each([
    ['whoami', { FORMWIRE_API_KEY: '…' }, 'FORMWIRE_API_KEY', API_KEY],
    ['whoami --profile staging', {}, 'profile "staging"', API_KEY],
    ['whoami', { FORMWIRE_API_KEY: '' }, 'profile "staging"', API_KEY],
    [`conformance ${SURVEY}`, { FORMWIRE_READ_KEY: 'two words' }, 'FORMWIRE_READ_KEY', API_KEY],
    [`deliveries list ${SURVEY} 1`, { FORMWIRE_ADMIN_TOKEN: '…' }, 'FORMWIRE_ADMIN_TOKEN', TOKEN],
    [`deliveries list ${SURVEY} 1 --admin-token …`, {}, '--admin-token', TOKEN],
    [
      'listen',
      { FORMWIRE_ADMIN_TOKEN: '…', FORMWIRE_WEBHOOK_SECRET: 'whsec_x' },
      'FORMWIRE_ADMIN_TOKEN',
      TOKEN,
    ],
    [`types ${SURVEY}`, { FORMWIRE_ADMIN_TOKEN: '…' }, 'FORMWIRE_ADMIN_TOKEN', TOKEN],
  ])('%s with %j is refused before it is used: exit 4', async (line, env, source, rest) => {
    const homeDir = homeWithProfile(service.url, 'svc_a\u0007b')
    const result = await runCli(line.split(' '), { env: { ...service.env, ...env }, homeDir })
    expect(result).toEqual(outcome(4, '', `formwire: ${source} does not contain a valid ${rest}\n`))
  })
})
