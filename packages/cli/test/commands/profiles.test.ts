import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { systemClock } from '../../../sdk/src/clock.ts'
import { outcome, runCli } from '../support/run-cli.ts'
import { oneService } from '../support/service.ts'

const TAB = '\t'
const WRITE_KEY = `svc_${'w'.repeat(40)}`
const service = oneService()
let homeDir: string
beforeEach(() => {
  homeDir = temporaryDirectory()
})
const cli = (argv: string[], more: { terminal?: number; env?: Record<string, string> } = {}) =>
  runCli(argv, { homeDir, ...more, env: { NO_COLOR: '1', ...more.env } })
const folder = () => join(homeDir, '.config/formwire')
const login = (profile: string) =>
  runCli(['login', '--with-key', '--base-url', service.url, '--profile', profile], {
    homeDir,
    stdin: `${WRITE_KEY}\n`,
    async onSleep() {
      while (existsSync(join(folder(), 'profiles.json.json.lock'))) await new Promise(setImmediate)
    },
  })

describe('formwire profiles', () => {
  it('list marks the current one and never shows a key', async () => {
    await login('staging')
    await login('live')
    expect(await cli(['profiles', 'ls'])).toEqual(
      outcome(0, `staging\t${service.url}\t\nlive\t${service.url}${TAB}current\n`),
    )
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
    expect(await cli(['profiles', 'use', 'staging'])).toEqual(
      outcome(0, '', `the current profile is "staging" (${service.url})\n`),
    )
    expect((await cli(['whoami'])).stdout).toContain('key_source\tprofile "staging"\n')
    expect((await cli(['profiles', 'use', 'live'], { env: { FORMWIRE_API_KEY: 'svc_x' } })).stderr).toContain(
      'FORMWIRE_API_KEY is set and overrides the current profile\n',
    )
  })

  it.each(['use', 'remove'])('%s of an unknown profile exits with 3 and names the others', async (verb) => {
    await login('staging')
    expect(await cli(['profiles', verb, 'live'])).toEqual(
      outcome(3, '', 'formwire: profile "live" not found\n  profiles: staging\n'),
    )
  })

  it('remove of the current one selects no other: the next command exits with 4', async () => {
    await login('staging')
    await login('live')
    expect(await cli(['profiles', 'rm', 'live'])).toEqual(
      outcome(
        0,
        '',
        'removed the current profile "live"; no profile is current: run formwire profiles use staging\n',
      ),
    )
    expect(await cli(['whoami'])).toEqual(
      outcome(
        4,
        '',
        'formwire: no API key\n  no profile is selected: run formwire profiles use staging, or set FORMWIRE_API_KEY\n',
      ),
    )
    expect(JSON.parse((await cli(['profiles', 'remove', 'staging', '--json'])).stdout)).toEqual({
      profile: 'staging',
      removed: true,
      current: null,
    })
    expect((await cli(['forms', 'list'])).code).toBe(4)
  })
})

describe('a profiles file that other commands change meanwhile', () => {
  const LOCK_OWNER = `process ${process.pid}`
  const stored = () => JSON.parse(readFileSync(join(folder(), 'profiles.json'), 'utf8'))
  const add = (name: string) => {
    const file = stored()
    file.profiles[name] = { base_url: service.url, api_key: WRITE_KEY }
    writeFileSync(join(folder(), 'profiles.json'), JSON.stringify(file))
  }
  const lock = async () => {
    mkdirSync(folder(), { recursive: true })
    return await fileCheckpoint(folder()).acquire?.('profiles.json')
  }

  it('keeps the profiles of four logins at once', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map(login))
    expect(Object.keys(stored().profiles).toSorted()).toEqual(['a', 'b', 'c', 'd'])
    expect(readdirSync(folder())).toEqual(['profiles.json'])
  })

  it('does not bring back a profile that is removed while a login waits for its key', async () => {
    await login('gone')
    async function* slowKey() {
      await cli(['profiles', 'remove', 'gone'])
      yield Buffer.from(`${WRITE_KEY}\n`)
    }
    const argv = ['login', '--with-key', '--base-url', service.url, '--profile', 'slow']
    expect((await runCli(argv, { homeDir, stdin: Readable.from(slowKey()) })).code).toBe(0)
    expect(Object.keys(stored().profiles)).toEqual(['slow'])
  })

  it.each([
    ['profiles use live', 'live', ['staging', 'live', 'added']],
    ['profiles remove live', null, ['staging', 'added']],
    ['logout --profile live', null, ['staging', 'added']],
  ])('%s waits for a command that has the file, and keeps what it adds', async (line, current, names) => {
    await login('staging')
    await login('live')
    const lease = await lock()
    const onSleep = async () => {
      add('added')
      await lease?.release()
    }
    expect((await runCli(line.split(' '), { homeDir, onSleep })).code).toBe(0)
    expect([stored().current, Object.keys(stored().profiles)]).toEqual([current, names])
  })

  it('names a process that keeps the file for ten seconds: exit 2', async () => {
    await login('staging')
    const lease = await lock()
    let waited = 0
    const onSleep = async (ms: number) => {
      waited += ms
    }
    const { code, stderr } = await runCli(['logout'], { homeDir, onSleep })
    await lease?.release()
    expect([code, waited]).toEqual([2, 10_000])
    expect(stderr).toContain(`profiles.json is in use by ${LOCK_OWNER} on `)
  })

  it('names the file, not a checkpoint, if its lock cannot be taken: exit 2', async () => {
    // The time for attempts is over at once.
    let now = 0
    const clock = vi.spyOn(systemClock, 'now').mockImplementation(() => (now += 60_000))
    onTestFinished(() => clock.mockRestore())
    const { code, stderr } = await login('live')
    expect([code, stderr.replace(folder(), '…')]).toEqual([
      2,
      'formwire: …/profiles.json is in use by another command\n  end that command, then try again\n',
    ])
  })
})
