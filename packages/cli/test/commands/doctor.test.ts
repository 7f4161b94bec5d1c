import { chmodSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { checkNode } from '../../src/doctor/checks.ts'
import { NOON, runCli } from '../support/run-cli.ts'
import { testService } from '../support/service.ts'

const TAB = '\t'
const KEY = `svc_${'w'.repeat(40)}`
const ME = {
  user: { id: 1, name: 'Ada Byron', email: 'ada@example.com' },
  workspace: { id: 1, name: 'Analytical', role: 'owner' },
  key: { id: 1, name: 'CI', prefix: 'svc_wwwwww', scope: 'write' },
}

/** Starts a service whose clock is `secondsAhead` of the client's. */
async function start(
  { status = 200, secondsAhead = 0, body = { data: ME } as unknown } = {},
  listener?: RequestListener,
): Promise<string> {
  return await serve((request, response) => {
    if (listener) return listener(request, response)
    const found = request.url === '/api/v1/me'
    response.writeHead(found ? status : 404, {
      'content-type': 'application/json',
      date: new Date(NOON + secondsAhead * 1000).toUTCString(),
    })
    response.end(JSON.stringify(found ? body : { error: { code: 'not_found', message: 'Not found.' } }))
  })
}

const doctor = (baseUrl: string | undefined, argv: string[] = [], more: Parameters<typeof runCli>[1] = {}) =>
  runCli(['doctor', ...argv], {
    ...more,
    env: { NO_COLOR: '1', FORMWIRE_API_KEY: KEY, FORMWIRE_BASE_URL: baseUrl, ...more.env },
  })
describe('formwire doctor', () => {
  it('names version, Node, server, key and clock when all is well: exit 0', async () => {
    const url = await start()
    const { code, stdout, stderr } = await doctor(url)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      [
        ['version', 'ok', 'formwire 0.0.0', ''].join('\t'),
        `node\tok\t${process.versions.node}\t`,
        `configuration\tok\tserver ${url}; no profiles\t`,
        `server\tok\t${url} responded in 0 s\t`,
        'key\tok\tCI (svc_wwwwww…, write) of Ada Byron, owner in "Analytical", from FORMWIRE_API_KEY\t',
        'clock\tok\tin step with the server\t',
        '',
      ].join('\n'),
    )
  })

  it('has a mark of its own for each status on a terminal, without colour too', async () => {
    const warned = await doctor(await start({ secondsAhead: -120 }), [], { terminal: 80 })
    expect(warned.stdout).toMatch(/^✓ node /m)
    expect(warned.stdout).toMatch(/^◦ clock /m)
    const skipped = await doctor(undefined, [], { terminal: 80 })
    expect(skipped.stdout).toMatch(/^✗ configuration /m)
    expect(skipped.stdout).toMatch(/^– clock /m)
  })

  it.each([
    [0, 'ok', 0],
    [20, 'ok', 0],
    [-120, 'warning', 0],
    [299, 'warning', 0],
    [-302, 'fault', 1],
    [600, 'fault', 1],
  ])('a clock %d s off is %s: exit %d', async (secondsAhead, status, exitCode) => {
    const { code, stdout } = await doctor(await start({ secondsAhead }), ['--json'])
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { name: string; status: string }[] }
    expect([code, ok]).toEqual([exitCode, exitCode === 0])
    expect(checks.find(({ name }) => name === 'clock')?.status).toBe(status)
  })

  const REFUSED = {
    status: 401,
    body: { error: { code: 'unauthorized', message: 'The API key is not valid.' } },
  }
  const PAGE = 'sent a page that is not from the service: 200, without a content type'
  it.each<[what: string, code: number, line: string, server: () => Promise<string> | string, key?: string]>([
    ['no server, also without a key', 6, 'key\tfault\tno API key\t', () => 'http://127.0.0.1:9', ''],
    [
      'a refused key, also when the clock is wrong',
      4,
      'key\tfault\tThe API key is not valid (key from FORMWIRE_API_KEY)\t',
      () => start({ ...REFUSED, secondsAhead: 600 }),
    ],
    ['a missing key', 4, 'key\tfault\tno API key\t', () => start(REFUSED), ''],
    ['no base URL', 1, 'server\tskipped\tno base URL\t', () => ''],
    ['an invalid base URL', 1, 'server\tskipped\tthe configuration is not valid\t', () => 'nonsense'],
    [
      '[AUTH-02] a 401 without a body that asks for a key, as the service does',
      4,
      'server\tok\tURL responded in ',
      () =>
        start({}, (_request, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()),
    ],
    [
      'another server',
      6,
      `server\tfault\tURL ${PAGE}\tcheck the base URL: it is the root of the service\n`,
      () => start({}, (_request, response) => response.end('<html>')),
    ],
  ])('reports %s: exit %i', async (_what, code, line, server, key = KEY) => {
    const url = await server()
    const result = await doctor(url, [], { env: { FORMWIRE_API_KEY: key } })
    expect(result.code).toBe(code)
    expect(url === '' ? result.stdout : result.stdout.replaceAll(url, 'URL')).toContain(`\n${line}`)
    expect(result.stdout).not.toContain('wwwwwwwww')
  })

  it('prints all checks with --json, and their faults in the error', async () => {
    const { stdout, stderr } = await doctor('http://127.0.0.1:9', ['--json'], {
      env: { FORMWIRE_API_KEY: '' },
    })
    const { ok, checks } = JSON.parse(stdout)
    expect([ok, checks.map(({ name, status }: Record<string, string>) => `${name} ${status}`)]).toEqual([
      false,
      ['version ok', 'node ok', 'configuration ok', 'server fault', 'key fault', 'clock skipped'],
    ])
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'not_healthy',
      message: '2 faults: server, key',
      exit_code: 6,
    })
  })

  it('names the version of a reference server', async () => {
    const service = await testService()
    const { code, stdout } = await doctor(service.url, [], { now: Date.now() })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^server\tok\treference server \d+\.\d+\.\d+, http:/m)
  })

  it('warns when the clock of a reference server is another one: exit 0', async () => {
    const service = await testService()
    const inStep = await doctor(service.url)
    await service.server.clock.advance('3d')
    const ahead = await doctor(service.url)
    expect(inStep.stdout).toContain('clock\tok\tin step with the server\t\n')
    expect(ahead.code).toBe(0)
    expect(ahead.stdout).toContain('clock\twarning\t3 d behind the server\tthe server has a manual clock\n')
  })

  it.each([
    ['reference server', { version: '1.0.0' }],
    ['service that responds to every path', {}],
  ])('a clock 600 s off is a fault for a %s: exit 1', async (_name, more) => {
    const url = await start({}, (_request, response) => {
      const date = new Date(NOON + 600_000).toUTCString()
      response.writeHead(200, { date }).end(JSON.stringify({ data: { ...ME, ...more } }))
    })
    const { code, stdout } = await doctor(url)
    expect(code).toBe(1)
    expect(stdout).toContain('clock\tfault\t10 min behind the server')
  })

  it('warns when others can read the profiles, and refuses a damaged file', async () => {
    const homeDir = temporaryDirectory()
    const url = await start()
    await runCli(['login', '--with-key', '--base-url', url], { homeDir, stdin: KEY })
    const path = join(homeDir, '.config/formwire/profiles.json')
    chmodSync(path, 0o644)
    const wide = await doctor(url, [], { homeDir, env: { FORMWIRE_API_KEY: '' } })
    expect(wide.code).toBe(0)
    expect(wide.stdout).toContain(
      `configuration\twarning\tserver ${url}; 1 profile in ${path}, "default" current, readable by others${TAB}chmod 600 ${path}\n`,
    )
    writeFileSync(path, '{')
    const damaged = await doctor(url, [], { homeDir })
    expect(damaged.code).toBe(1)
    expect(damaged.stdout).toContain(`configuration\tfault\t${path} is not a valid profiles file\t`)
  })

  it('exits with 3 for an unknown profile', async () => {
    expect((await doctor(undefined, ['--profile', 'nope'])).code).toBe(3)
  })

  it.each([
    ['18.20.0', 'fault'],
    ['20.18.9', 'fault'],
    ['20.19.0', 'ok'],
    ['22.0.0', 'ok'],
  ])('Node.js %s: %s', (version, status) => {
    expect(checkNode(version).status).toBe(status)
  })
})
