import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeOnPostgres } from '../../../../packages/sync/test/support/describe-on-postgres.ts'
import { bundled } from '../../../../test/support/bundled.ts'
import { node22 } from '../../../../test/support/node-22.ts'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { type Spawned, startProgram } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
beforeEach(async () => {
  service = await startService({ limits: 'off' })
})
afterEach(() => service.server.close())

const cli = (argv: string[], env: Record<string, string> = {}) =>
  runCli(argv, { env: { ...service.env, NO_COLOR: '1', ...env }, retriesAtOnce: true })

function configFile(config: unknown, name = 'fleet.json'): string {
  const path = join(temporaryDirectory(), name)
  writeFileSync(path, typeof config === 'string' ? config : JSON.stringify(config))
  return path
}

const WORKSPACE = { name: 'main', apiKeyEnv: ['KEY_A'] }

describe('formwire sync --fleet', () => {
  it.each<[string, unknown, string]>([
    ['is not JSON', '{', 'fleet.json is not valid JSON'],
    ['has no workspaces', {}, 'fleet.json: "workspaces" is invalid: expected array, received undefined'],
    [
      'has an unknown member',
      { workspaces: [WORKSPACE, { ...WORKSPACE, apiKey: 'svc_hush' }] },
      'fleet.json: unknown member "workspaces[1].apiKey"',
    ],
    [
      'contains a password',
      { workspaces: [WORKSPACE], connectionString: 'postgres://me:hush@h/d' },
      'fleet.json: unknown member "connectionString"',
    ],
    [
      'has a value of the wrong kind',
      { workspaces: [WORKSPACE], rateLimit: { perMinute: '120' } },
      'fleet.json: "rateLimit" is invalid',
    ],
    [
      'has a name twice',
      { workspaces: [WORKSPACE, WORKSPACE] },
      '"workspaces[1].name" must be a name of its own, got "main".',
    ],
  ])('refuses a configuration that %s: exit 2', async (_what, config, message) => {
    const { code, stdout, stderr } = await cli(['sync', '--fleet', configFile(config)], { KEY_A: 'svc_hush' })
    expect(stderr).toContain(message)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toContain('hush')
  })
  it.each([
    [['--all'], '--all'],
    [['--to', 'postgres'], '--to'],
    [['--once'], '--once'],
    [['--no-deletions'], '--no-deletions'],
    [[SURVEY], 'form ids'],
  ])('refuses %j beside it: exit 2', async (given, named) => {
    const { code, stderr } = await cli(['sync', ...given, '--fleet', configFile({ workspaces: [WORKSPACE] })])
    expect(stderr).toContain(`--fleet cannot be combined with ${named}`)
    expect(code).toBe(2)
  })
  it('names the environment variable that lacks a key: exit 4', async () => {
    const { code, stderr } = await cli(['sync', '--fleet', configFile({ workspaces: [WORKSPACE] })])
    expect(stderr).toContain('the environment variable KEY_A is not set')
    expect(stderr).toContain('workspaces[0].apiKeyEnv[0]')
    expect(code).toBe(4)
  })
  it.skipIf(Number(process.versions.node.split('.')[0]) >= 22)('requires Node 22.12: exit 1', async () => {
    const env = { KEY_A: 'svc_hush', FORMWIRE_DATABASE_URL: 'postgres://127.0.0.1:9/db' }
    const { code, stderr } = await cli(
      ['sync', '--json', '--fleet', configFile({ workspaces: [WORKSPACE] })],
      env,
    )
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'database_unsupported_node' } })
    expect(code).toBe(1)
  })
})

describe('formwire sync status', () => {
  it('shows rows, delay, last reading and last error of each form of a SQLite file', async () => {
    const path = join(temporaryDirectory(), 'test.db')
    await cli(['sync', '--all', '--to', `sqlite:${path}`, '--once'])
    const { code, stdout, stderr } = await cli(['sync', 'status', '--to', `sqlite:${path}`, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    const form = {
      workspace_id: '1',
      last_synced_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      last_error: null,
    }
    expect(JSON.parse(stdout)).toEqual({
      forms: [
        { ...form, id: PARTY, rows: 0, lag_seconds: null },
        { ...form, id: SURVEY, rows: 2, lag_seconds: expect.any(Number) },
      ],
      queue: {},
    })
    const { stdout: lines } = await cli(['sync', 'status', '--to', `sqlite:${path}`])
    expect(lines).toMatch(
      new RegExp(`^${PARTY}\\t0\\t\\t[\\dTZ:.-]+\\t\\n${SURVEY}\\t2\\t[\\d.]+\\t[\\dTZ:.-]+\\t\\n$`),
    )
  })
  it('creates no file: exit 2', async () => {
    const path = join(temporaryDirectory(), 'missing.db')
    const { code, stderr } = await cli(['sync', 'status', '--to', `sqlite:${path}`])
    expect(stderr).toContain(`${path} does not exist`)
    expect(code).toBe(2)
  })
  it('requires --to: exit 2', async () => {
    const { code, stderr } = await cli(['sync', 'status'])
    expect(stderr).toContain('missing required option --to')
    expect(code).toBe(2)
  })
})

describeOnPostgres((serverUrl) => {
  it('shares the work of a fleet between two processes, and ends with 143 on SIGTERM', async () => {
    const program = await bundled(new URL('../../src/bin.ts', import.meta.url))
    const path = configFile({ workspaces: [WORKSPACE], intervalMs: 1000, rateLimit: false })
    const env = {
      ...service.env,
      KEY_A: service.env.FORMWIRE_API_KEY,
      FORMWIRE_API_KEY: undefined,
      FORMWIRE_DATABASE_URL: serverUrl(),
    }
    const run = (): Spawned => startProgram(node22, [program, 'sync', '--fleet', path], env)
    const workers = [run(), run()]
    const printed = (): string => workers.map(({ stdout }) => stdout).join('')
    await vi.waitUntil(() => printed().split('\n').length === 3, { timeout: WAIT_MS })
    expect(printed()).toMatch(new RegExp(`^(inserted\\tmain\\t${SURVEY}\\t\\d+\\tsubmitted\\n){2}$`))
    const { stdout } = await cli(['sync', 'status', '--to', 'postgres', '--json'], {
      FORMWIRE_DATABASE_URL: serverUrl(),
    })
    expect(JSON.parse(stdout)).toMatchObject({
      forms: [
        { id: PARTY, rows: 0 },
        { id: SURVEY, rows: 2, last_synced_at: expect.any(String), last_error: null },
      ],
      queue: { retrying: 0, failed: 0 },
    })
    for (const { child, finished } of workers) {
      child.kill('SIGTERM')
      expect((await finished).code).toBe(143)
    }
    for (const { stderr } of workers) expect(stderr).toContain('working for main')
  })

  it('ends when the only key is revoked: exit 4, and never shows it', async () => {
    const program = await bundled(new URL('../../src/bin.ts', import.meta.url))
    const path = configFile(
      `export default { workspaces: [{ name: 'main', apiKeys: ['svc_hush'], schema: 'revoked' }], intervalMs: 1000 }`,
      'fleet.mjs',
    )
    const env = { ...service.env, FORMWIRE_DATABASE_URL: serverUrl() }
    const { finished } = startProgram(node22, [program, 'sync', '--fleet', path], env)
    const { code, stdout, stderr } = await finished
    expect(stderr).toContain('main: ')
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).not.toContain('hush')
  })
})
