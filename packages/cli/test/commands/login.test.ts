import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { outcome, runCli } from '../support/run-cli.ts'
import { oneService } from '../support/service.ts'

const WRITE_KEY = `svc_${'w'.repeat(40)}`
const READ_KEY = `svc_${'r'.repeat(40)}`
const service = oneService()
let homeDir: string
beforeEach(() => {
  homeDir = temporaryDirectory()
})

const login = (key: string, more: string[] = [], env: Record<string, string> = {}) =>
  runCli(['login', '--with-key', '--base-url', service.url, ...more], { homeDir, env, stdin: `${key}\n` })
const whoami = (more: string[] = [], env: Record<string, string> = {}) =>
  runCli(['whoami', ...more], { homeDir, env })
/** Types the reply on a terminal. */
const typed = (reply: string, more: string[] = []) =>
  runCli(['login', ...more], { homeDir, env: { NO_COLOR: '1' }, errorTerminal: true, reply })
const file = () => join(homeDir, '.config/formwire/profiles.json')

describe('formwire login', () => {
  it('checks the key and stores it with mode 0600 in a directory of mode 0700, leaving no temporary file', async () => {
    const { code, stdout, stderr } = await login(WRITE_KEY)
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe(
      `logged in as Ada Byron (write, workspace "Analytical"); profile "default" in ${file()}\n`,
    )
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(statSync(join(homeDir, '.config/formwire')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(homeDir, '.config/formwire'))).toEqual(['profiles.json'])
    expect((await whoami()).stdout).toContain('key_source\tprofile "default"\n')
  })
  it('restricts the mode of an existing directory', async () => {
    await login(WRITE_KEY)
    chmodSync(join(homeDir, '.config/formwire'), 0o755)
    await login(WRITE_KEY)
    expect(statSync(join(homeDir, '.config/formwire')).mode & 0o777).toBe(0o700)
  })
  it('follows a symbolic link and restricts the mode of the file that it leads to', async () => {
    await login(WRITE_KEY)
    const dotfiles = temporaryDirectory()
    const target = join(dotfiles, 'formwire.json')
    renameSync(file(), target)
    chmodSync(target, 0o644)
    chmodSync(dotfiles, 0o755)
    symlinkSync(target, file())
    await login(READ_KEY, ['--profile', 'reports'])
    expect(lstatSync(file()).isSymbolicLink()).toBe(true)
    expect(Object.keys(JSON.parse(readFileSync(target, 'utf8')).profiles)).toEqual(['default', 'reports'])
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(statSync(dotfiles).mode & 0o777).toBe(0o755)
    expect(readdirSync(dotfiles)).toEqual(['formwire.json'])
  })
  it('follows a symbolic link to a file that does not exist yet', async () => {
    await login(WRITE_KEY)
    const target = join(temporaryDirectory(), 'formwire.json')
    rmSync(file())
    symlinkSync(relative(realpathSync(dirname(file())), target), file())
    await login(WRITE_KEY)
    expect(lstatSync(file()).isSymbolicLink()).toBe(true)
    expect(Object.keys(JSON.parse(readFileSync(target, 'utf8')).profiles)).toEqual(['default'])
  })
  it('asks for the server and then for the key on a terminal', async () => {
    const promptFor = (url: string) => `API key for ${url} (hidden): \n✓ logged in as Ada Byron `
    expect(await typed(`${service.url}\n${WRITE_KEY}\n`)).toEqual(
      outcome(
        0,
        '',
        `Server URL: ${promptFor(service.url)}(write, workspace "Analytical"); profile "default" in\n  ${file()}\n`,
      ),
    )
    expect((await typed(`${READ_KEY}\n`)).stderr).toMatch(`${promptFor(service.url)}(read, `)
    homeDir = temporaryDirectory()
    const { code, stderr } = await typed('\n')
    expect([code, stderr.includes('no base URL')]).toEqual([2, true])
  })
  it.each([
    ['without its scheme', (url: string) => url.slice('http://'.length)],
    ['with the path of the API', (url: string) => `${url}/api/v1/forms`],
  ])('completes a server that is typed %s', async (_how, urlOf) => {
    const { code, stderr } = await typed(`${urlOf(service.url)}\n${WRITE_KEY}\n`)
    expect([code, stderr.split('\n')[0]]).toEqual([0, `Server URL: API key for ${service.url} (hidden): `])
    expect(JSON.parse(readFileSync(file(), 'utf8')).profiles.default.base_url).toBe(service.url)
  })
  it.each([
    ['\n', 'no API key was entered\n  create one in the app, then log in again'],
    ['hello\n', 'the input does not contain a valid API key\n  a key is one word that starts with svc_'],
  ])('[AUTH-06] refuses the key %j without a request: exit 4', async (reply, message) => {
    const before = service.server.app.requests.list().length
    expect(await typed(reply, ['--base-url', service.url])).toEqual(
      outcome(4, '', [`API key for ${service.url} (hidden): `, `✗ ${message}`, ''].join('\n')),
    )
    expect(service.server.app.requests.list()).toHaveLength(before)
  })
  it('stores the profile below XDG_CONFIG_HOME', async () => {
    const xdg = temporaryDirectory()
    await login(WRITE_KEY, [], { XDG_CONFIG_HOME: xdg })
    expect(readdirSync(join(xdg, 'formwire'))).toEqual(['profiles.json'])
  })
  it.runIf(process.platform === 'linux')('ends at once where the folder cannot be made: exit 2', async () => {
    const { code, stderr } = await login(WRITE_KEY, [], { XDG_CONFIG_HOME: '/proc/x' })
    expect([code, stderr]).toEqual([
      2,
      'formwire: cannot write the profiles file /proc/x/formwire/profiles.json: its directory does not exist\n' +
        '  set XDG_CONFIG_HOME to another directory\n',
    ])
  })
  it('exits with 2 without --with-key or a base URL', async () => {
    expect((await runCli(['login', '--base-url', service.url], { homeDir, stdin: WRITE_KEY })).code).toBe(2)
    expect((await runCli(['login', '--with-key'], { homeDir, stdin: WRITE_KEY })).code).toBe(2)
  })
  it('[AUTH-02] does not send the key of a new profile to the server of the current one', async () => {
    await login(WRITE_KEY)
    const before = service.server.app.requests.list().length
    expect(await runCli(['login', '--with-key', '--profile', 'new'], { homeDir, stdin: READ_KEY })).toEqual(
      outcome(
        2,
        '',
        'formwire: no base URL for profile "new"\n  pass --base-url URL or set FORMWIRE_BASE_URL\n',
      ),
    )
    expect(service.server.app.requests.list()).toHaveLength(before)
    expect((await typed(`${service.url}\n${READ_KEY}\n`, ['--profile', 'new'])).stderr).toMatch(
      /^Server URL: API key for .* \(hidden\): \n✓ logged in as Ada Byron \(read, /,
    )
  })
  it.each([
    ['', 'formwire: no API key on stdin\n  stdin is empty: create a key in the app and pass it there\n'],
    [
      'svc_wrong',
      'formwire: could not log in: the API key is missing, wrong or revoked\n' +
        '  check that the key is complete and belongs to SERVER, or create a new one in the app\n' +
        '  a reference server that was restarted has new keys, which it printed at startup\n',
    ],
  ])(
    'stores nothing, and does not suggest the command that has just failed, with the key %j',
    async (key, stderr) => {
      const expected = stderr.replace('SERVER', service.url)
      expect(await login(key)).toEqual(outcome(4, '', expected))
      expect(readdirSync(homeDir)).toEqual([])
    },
  )
  it('reads the key with --key-stdin too', async () => {
    const argv = ['login', '--key-stdin', '--base-url', service.url]
    expect((await runCli(argv, { homeDir, stdin: `${WRITE_KEY}\n` })).code).toBe(0)
  })
})

describe('where the key comes from', () => {
  it('--profile overrides FORMWIRE_API_KEY, which overrides the current profile', async () => {
    await login(READ_KEY)
    expect((await whoami([], { FORMWIRE_API_KEY: WRITE_KEY })).stdout).toContain(
      'key_source\tFORMWIRE_API_KEY\n',
    )
    expect((await whoami(['--profile', 'default'], { FORMWIRE_API_KEY: WRITE_KEY })).stdout).toContain(
      'key_source\tprofile "default"\n',
    )
  })
  it.each([
    ['--base-url URL', '', 4, 'no API key\n  log in: formwire login, or set FORMWIRE_API_KEY'],
    ['', '', 4, 'no API key\n  log in: formwire login, or set FORMWIRE_API_KEY and FORMWIRE_BASE_URL'],
    [
      '',
      WRITE_KEY,
      2,
      'no base URL\n  pass --base-url URL, set FORMWIRE_BASE_URL, or log in: formwire login',
    ],
    ['--profile nope', '', 3, 'profile "nope" not found\n  store one: formwire login --profile nope'],
  ])('whoami %s with the key "%s" exits with %i', async (words, key, code, message) => {
    const argv = words === '' ? [] : words.replace('URL', service.url).split(' ')
    const env: Record<string, string> = key === '' ? {} : { FORMWIRE_API_KEY: key }
    expect(await whoami(argv, env)).toEqual(outcome(code, '', `formwire: ${message}\n`))
  })
  it('[AUTH-02] does not send a stored key to a different server named by the environment', async () => {
    await login(WRITE_KEY)
    const { code, stderr } = await whoami([], { FORMWIRE_BASE_URL: 'http://127.0.0.1:9' })
    expect(code).toBe(2)
    expect(stderr).toContain(`the key of profile "default" belongs to ${service.url}`)
  })
  const IN_URL = 'pass the key in FORMWIRE_API_KEY or a profile, never in a URL'
  it.each([
    ['forms.example.com', 'use https://forms.example.com'],
    ['localhost:8787', 'use http://localhost:8787'],
    ['127.0.0.1:8787/', 'use http://127.0.0.1:8787'],
    ['https://forms.example.com/api/v1/', 'use https://forms.example.com'],
    ['https://forms.example.com/api/v1/forms', 'use https://forms.example.com'],
    ['ftp://forms.example.com', 'pass the root of the service, for example https://forms.example.com'],
    ['nonsense', 'use https://nonsense'],
    ['https://@forms.example.com', IN_URL],
    ['https://user:secretpass@x.example.com', IN_URL],
    ['https://x.example.com/?key=svc_abcdef', IN_URL],
  ])('[AUTH-02] suggests the fix for the base URL %s', async (url, hint) => {
    const { code, stdout, stderr } = await whoami(['--base-url', url], { FORMWIRE_API_KEY: WRITE_KEY })
    expect([code, stdout, stderr.split('\n')[1]]).toEqual([2, '', `  ${hint}`])
    expect(stderr).not.toMatch(/secretpass|abcdef/)
  })
})

describe('formwire logout', () => {
  it('removes a profile and reports the current one', async () => {
    await login(WRITE_KEY)
    await login(READ_KEY, ['--profile', 'reports'])
    const { code, stderr } = await runCli(['logout'], { homeDir })
    expect([code, stderr]).toEqual([
      0,
      'removed the current profile "reports"; no profile is current: run formwire profiles use default\n',
    ])
    expect(readFileSync(file(), 'utf8')).not.toContain(READ_KEY)
    expect((await runCli(['logout', '--profile', 'reports'], { homeDir })).code).toBe(3)
    expect(await runCli(['logout'], { homeDir })).toEqual(
      outcome(4, '', 'formwire: not logged in: no profile is current\n  name one with --profile: default\n'),
    )
  })
})
