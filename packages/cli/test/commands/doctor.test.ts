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
const failing = (checks: string[], exitCode: number, code = 'not_healthy') => ({
  code,
  message: `${checks.length} fault${checks.length === 1 ? '' : 's'}: ${checks.join(', ')}`,
  exit_code: exitCode,
  help_url: 'https://formwire.example/how-to/troubleshooting.html#not_healthy',
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

  it('exits with 6 for a server that cannot be reached, also when there is no key', async () => {
    const unreachable = await doctor('http://127.0.0.1:9', ['--json'], { env: { FORMWIRE_API_KEY: '' } })
    expect(unreachable.code).toBe(6)
    const { ok, checks } = JSON.parse(unreachable.stdout)
    expect(ok).toBe(false)
    expect(checks.map(({ name, status }: Record<string, string>) => [name, status])).toEqual([
      ['version', 'ok'],
      ['node', 'ok'],
      ['configuration', 'ok'],
      ['server', 'fault'],
      ['key', 'fault'],
      ['clock', 'skipped'],
    ])
    expect(JSON.parse(unreachable.stderr).error).toEqual(failing(['server', 'key'], 6))
  })

  it('exits with 4 for a key that is refused or missing, also when the clock is wrong', async () => {
    const body = { error: { code: 'unauthorized', message: 'The API key is not valid.' } }
    const refused = await doctor(await start({ status: 401, body, secondsAhead: 600 }), ['--json'])
    expect(refused.code).toBe(4)
    expect(JSON.parse(refused.stderr).error).toEqual(failing(['key', 'clock'], 4))
    expect(refused.stdout).toContain('The API key is not valid (key from FORMWIRE_API_KEY)')
    expect(refused.stdout).not.toContain('wwwwwwwww')
    const missing = await doctor(await start({ status: 401, body }), [], { env: { FORMWIRE_API_KEY: '' } })
    expect([missing.code, missing.stderr]).toEqual([4, 'formwire: 1 fault: key\n'])
  })

  it('exits with 1 without a base URL, or with an invalid one', async () => {
    for (const url of [undefined, 'nonsense']) {
      const { code, stdout } = await doctor(url)
      expect([url, code]).toEqual([url, 1])
      expect(stdout).toContain('configuration\tfault\t')
      expect(stdout).toContain('server\tskipped\t')
    }
  })

  it('[AUTH-02] takes a 401 without a body for the service if it asks for a key', async () => {
    const url = await start({}, (_request, response) =>
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
    )
    const { code, stdout } = await doctor(url)
    expect(code).toBe(4)
    expect(stdout).toContain(`server\tok\t${url} responded in`)
  })

  it('recognises a server that is not the service', async () => {
    const url = await start({}, (_request, response) => response.end('<html>'))
    const { code, stdout } = await doctor(url)
    expect(code).toBe(6)
    expect(stdout).toContain(
      `server\tfault\t${url} sent a page that is not from the service: 200, without a content type\tcheck the base URL: it is the root of the service\n`,
    )
  })

  it('names the version of a reference server', async () => {
    const service = await testService()
    const { code, stdout } = await doctor(service.url, [], { now: Date.now() })
    await service.server.close()
    expect(code).toBe(0)
    expect(stdout).toMatch(/^server\tok\treference server \d+\.\d+\.\d+, http:/m)
  })

  it('warns when the clock of a reference server is another one: exit 0', async () => {
    const service = await testService()
    const inStep = await doctor(service.url)
    await service.server.clock.advance('3d')
    const ahead = await doctor(service.url)
    await service.server.close()
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
