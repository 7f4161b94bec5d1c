import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { installCommand } from '../../src/update/install-command.ts'
import { looksForUpdates, saveLatest, updateNotice } from '../../src/update/notice.ts'
import { registryOf } from '../../src/update/registry.ts'
import { isNewer } from '../../src/update/versions.ts'
import { runCli } from '../support/run-cli.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const HOUR = 3_600_000
const TERMINAL = { stdout: true, stderr: true }
const place = (env: Record<string, string> = {}) => ({ env, homeDir: temporaryDirectory() })

describe('the update notice', () => {
  it('is printed at most once a day, and a check is due at most once a day', () => {
    const here = place()
    expect(updateNotice(here, '1.0.0', NOW)).toEqual({ notice: undefined, isCheckDue: true })
    saveLatest(here, '1.1.0')
    expect(updateNotice(here, '1.0.0', NOW + HOUR)).toEqual({
      notice: 'formwire 1.1.0 is available, this is 1.0.0: npm install --global @formwire/cli',
      isCheckDue: false,
    })
    expect(updateNotice(here, '1.0.0', NOW + 2 * HOUR).notice).toBeUndefined()
    expect(updateNotice(here, '1.0.0', NOW + 24 * HOUR)).toEqual({ notice: undefined, isCheckDue: true })
    expect(updateNotice(here, '1.0.0', NOW + 25 * HOUR).notice).toContain('1.1.0')
    expect(updateNotice(here, '1.1.0', NOW + 60 * HOUR).notice).toBeUndefined()
  })

  it('names the command that updates the installation that runs', () => {
    const [project, elsewhere] = [temporaryDirectory(), temporaryDirectory()]
    const program = (root: string): string => {
      const folder = join(root, 'node_modules/@formwire/cli/dist')
      mkdirSync(folder, { recursive: true })
      mkdirSync(join(root, 'node_modules/.bin'))
      writeFileSync(join(folder, 'bin.js'), '')
      symlinkSync(join(folder, 'bin.js'), join(root, 'node_modules/.bin/formwire'))
      return join(root, 'node_modules/.bin/formwire')
    }
    writeFileSync(join(project, 'package.json'), '{}')
    mkdirSync(join(project, 'src'))
    const ofProject = program(project)
    expect(installCommand(ofProject, join(project, 'src'))).toBe('npm install @formwire/cli@latest')
    expect(installCommand(ofProject, elsewhere)).toBe('npm install --global @formwire/cli')
    expect(installCommand(program(elsewhere), elsewhere)).toBe('npm install --global @formwire/cli')
    const npx = join(temporaryDirectory(), '_npx', 'f00')
    expect(installCommand(program(npx), project)).toBe('npx @formwire/cli@latest')
    const here = place()
    saveLatest(here, '1.1.0')
    expect(updateNotice(here, '1.0.0', NOW, 'npx @formwire/cli@latest').notice).toBe(
      'formwire 1.1.0 is available, this is 1.0.0: npx @formwire/cli@latest',
    )
  })

  it('asks the registry that npm is configured with', () => {
    const here = place()
    expect(registryOf(here)).toBe('https://registry.npmjs.org')
    writeFileSync(
      join(here.homeDir, '.npmrc'),
      '# registry=https://no.example\nregistry = https://npm.example/all/\n',
    )
    expect(registryOf(here)).toBe('https://npm.example/all/')
    writeFileSync(
      join(here.homeDir, '.npmrc'),
      'registry=https://npm.example/all/\n@formwire:registry=https://npm.example/own/\n',
    )
    expect(registryOf(here)).toBe('https://npm.example/own/')
    expect(registryOf({ ...here, env: { npm_config_registry: 'https://env.example' } })).toBe(
      'https://env.example',
    )
  })

  it('is off without a terminal, in CI, with NO_UPDATE_NOTIFIER, for scripts and for a development build', () => {
    const on = (
      env: Record<string, string>,
      terminal = TERMINAL,
      argv = ['forms', 'list'],
      version = '1.0.0',
    ) => looksForUpdates(place(env), terminal, argv, version)
    expect(on({})).toBe(true)
    expect(on({ CI: 'true' })).toBe(false)
    expect(on({ NO_UPDATE_NOTIFIER: '1' })).toBe(false)
    expect(on({}, { stdout: true, stderr: false })).toBe(false)
    expect(on({}, { stdout: false, stderr: true })).toBe(false)
    for (const word of ['--json', '--quiet', '-q', '__complete', '__check-update'])
      expect([word, on({}, TERMINAL, ['forms', 'list', word])]).toEqual([word, false])
    expect(on({}, TERMINAL, ['forms', 'list'], '0.0.0')).toBe(false)
  })

  it('is off with the setting in config.json', () => {
    const here = place()
    const folder = join(here.homeDir, '.config/formwire')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.json'), '{"update_notice": false}')
    expect(looksForUpdates(here, TERMINAL, [], '1.0.0')).toBe(false)
    writeFileSync(join(folder, 'config.json'), '{')
    expect(looksForUpdates(here, TERMINAL, [], '1.0.0')).toBe(true)
  })

  it('is not printed where the cache cannot be written', () => {
    const here = { env: {}, homeDir: '/dev/null' }
    saveLatest(here, '9.0.0')
    expect(updateNotice(here, '1.0.0', NOW)).toEqual({ notice: undefined, isCheckDue: true })
  })

  it('leaves no temporary file where its cache cannot be replaced', () => {
    const here = place()
    mkdirSync(join(here.homeDir, '.cache/formwire/update.json'), { recursive: true })
    saveLatest(here, '9.0.0')
    expect(readdirSync(join(here.homeDir, '.cache/formwire'))).toEqual(['update.json'])
    expect(updateNotice(here, '1.0.0', NOW)).toEqual({ notice: undefined, isCheckDue: true })
  })

  it('learns of a version from the registry, to which it sends nothing about the user', async () => {
    const requests: unknown[] = []
    const registry = createServer((request, response) => {
      requests.push([
        request.method,
        decodeURIComponent(request.url ?? ''),
        request.headers.authorization,
        request.headers['user-agent'],
      ])
      response.end('{"version":"2.0.0"}')
    })
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
    const here = place({ npm_config_registry: url, FORMWIRE_API_KEY: 'svc_secret' })
    const run = () => runCli(['__check-update'], here)
    expect(await run()).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(updateNotice(here, '1.0.0', NOW).notice).toContain('formwire 2.0.0 is available')
    expect(requests).toEqual([['GET', '/@formwire/cli/latest', undefined, undefined]])
    registry.closeAllConnections()
    await new Promise((resolve) => registry.close(resolve))
    // A registry that cannot be reached is no error.
    expect(await run()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it.each([
    ['1.0.1', '1.0.0', true],
    ['1.10.0', '1.9.9', true],
    ['1.0.0', '1.0.0', false],
    ['0.9.9', '1.0.0', false],
    ['1.0.0', '1.0.0-beta.1', true],
    ['2.0.0-beta.1', '1.0.0', false],
    ['\u001b[31m9.0.0', '1.0.0', false],
    [null, '1.0.0', false],
  ])('%j is newer than %s: %s', (latest, current, newer) => {
    expect(isNewer(latest, current)).toBe(newer)
  })
})
