import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCommand } from '../../src/open-url.ts'
import { hostileService } from '../support/hostile-service.ts'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.server.close())

/** Runs `open` and returns what it opened. */
async function open(argv: string[], terminal?: number) {
  const opened: string[] = []
  const result = await runCli(['open', ...argv], {
    env: service.env,
    ...(terminal === undefined ? {} : { terminal }),
    onOpenUrl: (url) => opened.push(url),
  })
  return { ...result, opened }
}

describe('formwire open', () => {
  it('opens the public link on a terminal', async () => {
    const url = `${service.url}/f/survey`
    expect(await open([SURVEY], 80)).toEqual({ code: 0, stdout: `${url}\n`, stderr: '', opened: [url] })
  })
  it('says that a form which is not published accepts no responses', async () => {
    expect(await open([PARTY])).toEqual({
      code: 0,
      stdout: `${service.url}/f/party\n`,
      stderr: `form ${PARTY} is closed: its link accepts no responses\n`,
      opened: [],
    })
  })
  it('only prints it on a pipe, with --print and with --json', async () => {
    const url = `${service.url}/f/survey`
    expect(await open([SURVEY])).toEqual({ code: 0, stdout: `${url}\n`, stderr: '', opened: [] })
    expect((await open([SURVEY, '--print'], 80)).opened).toEqual([])
    expect(await open([SURVEY, '--json'])).toMatchObject({ stdout: `{"url":"${url}"}\n`, opened: [] })
  })
  it('prints and opens the link without control characters', async () => {
    const hostile = 'http://x.example/\u001b]0;owned\u0007\u202e\u009b2J'
    const env = await hostileService({ id: SURVEY, status: 'published', url: hostile })
    const opened: string[] = []
    const { code, stdout, stderr } = await runCli(['open', SURVEY], {
      env,
      terminal: 80,
      onOpenUrl: (url) => opened.push(url),
    })
    const url = 'http://x.example/%1B]0;owned%07%E2%80%AE%C2%9B2J'
    expect([code, stdout, stderr, opened]).toEqual([0, `${url}\n`, '', [url]])
  })
  it('--console opens the console, without a request', async () => {
    const before = service.server.app.requests.list().length
    const { opened, stderr } = await open(['--console'], 80)
    expect(opened).toEqual([`${service.url}/_app/console`])
    expect(stderr).toBe('sign in with the admin token in FORMWIRE_ADMIN_TOKEN\n')
    expect(service.server.app.requests.list()).toHaveLength(before)
  })
  it('exits with 2 with both or neither, with 3 for an unknown form', async () => {
    expect((await open([])).code).toBe(2)
    expect((await open([SURVEY, '--console'])).code).toBe(2)
    expect((await open(['nothere00000'])).code).toBe(3)
  })
  it('reports that no browser was found', async () => {
    const { code, stderr } = await runCli(['open', '--console'], {
      env: { ...service.env, FORMWIRE_ADMIN_TOKEN: '' },
      terminal: 80,
      onOpenUrl: () => {
        throw Object.assign(new Error('spawn xdg-open ENOENT'), { code: 'ENOENT' })
      },
    })
    expect([code, stderr]).toEqual([
      1,
      'sign in with the admin token that formwire-server printed when it started\n' +
        'formwire: could not open a browser: xdg-open not found\n  open the URL above yourself, or set BROWSER to the program to use\n',
    ])
  })
  it.each([
    ['darwin', {}, ['open']],
    ['linux', {}, ['xdg-open']],
    ['linux', { BROWSER: 'firefox' }, ['firefox']],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
  ] as const)('on %s with %j runs %j, never a shell', (platform, env, command) => {
    expect(openCommand(platform, env)).toEqual(command)
  })
})
