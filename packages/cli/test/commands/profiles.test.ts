import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { runCli } from '../support/run-cli.ts'
import { type Service, startService } from '../support/service.ts'

const TAB = '\t'
const WRITE_KEY = `svc_${'w'.repeat(40)}`
let service: Service
let homeDir: string
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.server.close())
beforeEach(() => {
  homeDir = temporaryDirectory()
})
const cli = (argv: string[], more: { terminal?: number; env?: Record<string, string> } = {}) =>
  runCli(argv, { homeDir, ...more, env: { NO_COLOR: '1', ...more.env } })
const login = (profile: string) =>
  runCli(['login', '--with-key', '--base-url', service.url, '--profile', profile], {
    homeDir,
    stdin: `${WRITE_KEY}\n`,
  })

describe('formwire profiles', () => {
  it('list prints a note without any, and [] with --json', async () => {
    expect(await cli(['profiles', 'list'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no profiles found\n',
    })
    expect(await cli(['profiles', 'list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  })

  it('list marks the current one and never shows a key', async () => {
    await login('staging')
    await login('live')
    expect(await cli(['profiles', 'ls'])).toEqual({
      code: 0,
      stdout: `staging\t${service.url}\t\nlive\t${service.url}${TAB}current\n`,
      stderr: '',
    })
    expect((await cli(['profiles', 'list'], { terminal: 80 })).stdout).toBe(
      `NAME     ${'SERVER'.padEnd(service.url.length)}  CURRENT
staging  ${service.url}
live     ${service.url}  current

2 profiles
`,
    )
    expect(JSON.parse((await cli(['profiles', 'list', '--json'])).stdout)).toEqual([
      { name: 'staging', base_url: service.url, current: false },
      { name: 'live', base_url: service.url, current: true },
    ])
  })

  it('login says that another profile becomes the current one', async () => {
    expect((await login('staging')).stderr).toMatch(/; profile "staging" in \S+\n$/)
    expect((await login('live')).stderr).toMatch(/; profile "live" in \S+, now the current one\n$/)
    expect((await login('live')).stderr).toMatch(/; profile "live" in \S+\n$/)
  })

  it('use selects a profile', async () => {
    await login('staging')
    await login('live')
    expect(await cli(['profiles', 'use', 'staging'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `the current profile is "staging" (${service.url})\n`,
    })
    expect((await cli(['whoami'])).stdout).toContain('key_source\tprofile "staging"\n')
    expect((await cli(['profiles', 'use', 'live'], { env: { FORMWIRE_API_KEY: 'svc_x' } })).stderr).toContain(
      'FORMWIRE_API_KEY is set and overrides the current profile\n',
    )
  })

  it.each(['use', 'remove'])('%s of an unknown profile exits with 3 and names the others', async (verb) => {
    await login('staging')
    expect(await cli(['profiles', verb, 'live'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'formwire: profile "live" not found\n  profiles: staging\n',
    })
    expect((await cli(['profiles', verb, 'a/b'])).code).toBe(2)
  })

  it('remove of the current one selects no other: the next command exits with 4', async () => {
    await login('staging')
    await login('live')
    expect(await cli(['profiles', 'rm', 'live'])).toEqual({
      code: 0,
      stdout: '',
      stderr:
        'removed the current profile "live"; no profile is current: run formwire profiles use staging\n',
    })
    expect(await cli(['whoami'])).toEqual({
      code: 4,
      stdout: '',
      stderr:
        'formwire: no API key\n  no profile is selected: run formwire profiles use staging, or set FORMWIRE_API_KEY\n',
    })
    expect(JSON.parse((await cli(['profiles', 'remove', 'staging', '--json'])).stdout)).toEqual({
      profile: 'staging',
      removed: true,
      current: null,
    })
    expect((await cli(['forms', 'list'])).code).toBe(4)
  })
})
