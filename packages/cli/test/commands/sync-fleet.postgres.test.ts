import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sqliteStore } from '@formwire/sync/sqlite'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { describeOnPostgres } from '../../../../packages/sync/test/support/describe-on-postgres.ts'
import { startPostgres } from '../../../../packages/sync/test/support/postgres-server.ts'
import { node22 } from '../../../../test/support/node-22.ts'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { serve } from '../../../../test/support/serve.ts'
import { type Spawned, startProgram } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { parseExposition } from '../support/exposition.ts'
import { rowsOf, runCli } from '../support/run-cli.ts'
import { eachService, PARTY, SURVEY } from '../support/service.ts'

const service = eachService({ limits: 'off' })

const cli = (argv: string[], env: Record<string, string> = {}) =>
  runCli(argv, { env: { ...service.env, NO_COLOR: '1', ...env }, retriesAtOnce: true })

function configFile(config: unknown, name = 'fleet.json'): string {
  const path = join(temporaryDirectory(), name)
  writeFileSync(path, typeof config === 'string' ? config : JSON.stringify(config))
  return path
}

/** Starts the built program, with the key of the workspace. */
async function start(words: readonly string[], env: Record<string, string | undefined> = {}) {
  const withKey = { ...service.env, KEY_A: service.env.FORMWIRE_API_KEY, ...env }
  return startProgram(node22, [inject('programs').cli, ...words], withKey)
}

/** Starts a worker that reads every second, until the test has finished. */
async function startWorker(env: Record<string, string | undefined>, config: object = {}, ...more: string[]) {
  const path = configFile({ workspaces: [WORKSPACE], intervalMs: 1000, rateLimit: false, ...config })
  const worker = await start(['sync', '--fleet', path, ...more], env)
  onTestFinished(() => void worker.child.kill('SIGKILL'))
  return worker
}

const SERIES = `{workspace="main",form="${SURVEY}"}`
const WORKSPACE = { name: 'main', apiKeyEnv: ['KEY_A'] }

describe('formwire sync --fleet', () => {
  it.each<[config: unknown, message: string]>([
    ['{', 'fleet.json is not valid JSON'],
    [{}, 'fleet.json: "workspaces" is invalid: expected array, received undefined'],
    [
      { workspaces: [WORKSPACE, { ...WORKSPACE, apiKey: 'svc_hush' }] },
      'fleet.json: unknown member "workspaces[1].apiKey"',
    ],
    [
      { workspaces: [WORKSPACE], connectionString: 'postgres://me:hush@h/d' },
      'fleet.json: unknown member "connectionString"',
    ],
    [{ workspaces: [WORKSPACE], rateLimit: { perMinute: '120' } }, 'fleet.json: "rateLimit" is invalid'],
    [{ workspaces: [WORKSPACE], poolSize: 0 }, '"poolSize" must be a positive integer, got 0.'],
    [{ workspaces: [WORKSPACE, WORKSPACE] }, '"workspaces[1].name" must be a name of its own, got "main".'],
  ])('refuses the configuration %j: exit 2', async (config, message) => {
    const { code, stdout, stderr } = await cli(['sync', '--fleet', configFile(config)], { KEY_A: 'svc_hush' })
    expect(stderr).toContain(message)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toContain('hush')
  })
  it('names the environment variable that lacks a key: exit 4', async () => {
    const { code, stderr } = await cli(['sync', '--fleet', configFile({ workspaces: [WORKSPACE] })])
    expect(stderr).toContain('the environment variable KEY_A is not set')
    expect(stderr).toContain('workspaces[0].apiKeyEnv[0]')
    expect(code).toBe(4)
  })
  it('names the variable for the database when nothing does and the connection is refused: exit 1', async () => {
    const { code, stderr } = await (await startWorker({ PGPORT: '1' })).finished
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr).toContain('Set FORMWIRE_DATABASE_URL or PGHOST to use another server')
    expect(code).toBe(1)
  })
  it.each(['sync --all --to postgres --once', 'sync --fleet CONFIG', 'inbox list --queue postgres'])(
    'names the database that refuses the connection of %s, whatever the reason: exit 1',
    async (line) => {
      // Promises TLS and does not speak it.
      const url = await serve(
        createServer((socket) => void socket.once('data', () => socket.end('S no TLS at all'))),
      )
      const FORMWIRE_DATABASE_URL = `${url.replace('http://', 'postgres://me@')}/db?sslmode=require`
      const words = line.replace('CONFIG', configFile({ workspaces: [WORKSPACE] })).split(' ')
      const { code, stderr } = await (await start(words, { FORMWIRE_DATABASE_URL })).finished
      expect(stderr).toContain('cannot use the PostgreSQL database: ')
      expect(stderr).not.toContain('--base-url')
      expect(code).toBe(1)
    },
  )
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
      new RegExp(
        `^id\\trows\\tlag_seconds\\tlast_synced_at\\tlast_error\\n${PARTY}\\t0\\t\\t[\\dTZ:.-]+\\t\\n${SURVEY}\\t2\\t[\\d.]+\\t[\\dTZ:.-]+\\t\\n$`,
      ),
    )
  })
  it('shows the workspace where there are several, and says that a code is one of SQL', async () => {
    const path = join(temporaryDirectory(), 'test.db')
    await cli(['sync', '--all', '--to', `sqlite:${path}`, '--once'])
    const store = sqliteStore(path)
    await store.transaction('', async (session) => {
      await session.query("UPDATE formwire_sync_state SET error = '23505' WHERE form_id = ?", [SURVEY])
      await session.query("UPDATE formwire_forms SET workspace_id = '2' WHERE id = ?", [PARTY])
    })
    await store.close()
    const { stdout } = await cli(['sync', 'status', '--to', `sqlite:${path}`])
    expect(rowsOf(stdout)).toEqual([
      ['workspace_id', 'id', 'rows', 'lag_seconds', 'last_synced_at', 'last_error'],
      ['1', PARTY, ...Array(4).fill(expect.any(String))],
      ['1', SURVEY, '2', expect.any(String), expect.any(String), 'SQL error 23505'],
      ['2', PARTY, ...Array(4).fill(expect.any(String))],
    ])
  })
})

describe('on a server that is stopped', () => {
  it('says once that PostgreSQL is down and up again, and at the end that it finishes what it reads', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.stop())
    const worker = await startWorker({ FORMWIRE_DATABASE_URL: server.url })
    await vi.waitUntil(() => worker.stdout.split('\n').length === 3, { timeout: WAIT_MS })
    await server.halt()
    await vi.waitUntil(() => worker.stderr.includes('PostgreSQL'), { timeout: WAIT_MS })
    await server.restart()
    await vi.waitUntil(() => worker.stderr.includes('again'), { timeout: WAIT_MS })
    const lines = worker.stderr.trimEnd().split('\n').slice(1)
    expect(lines).toEqual([
      expect.stringMatching(/^(?:PostgreSQL: (?!Cannot)|cannot use the PostgreSQL database: )./),
      'PostgreSQL: connected again',
    ])
    const { faults, responses } = service.server.app
    faults.add({ path: '/api/v1/forms/*/responses', delay_ms: 5000, times: 100 })
    responses.create(SURVEY, {})
    // Not the state of the job: one that was active when the server stopped stays so.
    const isReading = () => faults.list()[0]?.times !== 100
    await vi.waitUntil(isReading, { timeout: WAIT_MS, interval: 50 })
    worker.child.kill('SIGINT')
    await vi.waitUntil(
      () => worker.stderr.includes('ending what is being read, in 10 s at most (Ctrl-C to end now)'),
      {
        timeout: WAIT_MS,
      },
    )
    expect((await worker.finished).code).toBe(130)
  })
})

describe('a worker of a fleet', () => {
  describeOnPostgres((serverUrl) => {
    it('shares the work of a fleet between two processes, and ends with 143 on SIGTERM', async () => {
      const env = { FORMWIRE_API_KEY: undefined, FORMWIRE_DATABASE_URL: serverUrl() }
      const workers = await Promise.all([startWorker(env), startWorker(env)])
      const printed = (): string => workers.map(({ stdout }) => stdout).join('')
      await vi.waitUntil(() => printed().split('\n').length === 3, { timeout: WAIT_MS })
      expect(printed()).toMatch(new RegExp(`^(inserted\\tmain\\t${SURVEY}\\t\\d+\\tsubmitted\\n){2}$`))
      const status = async () => {
        const argv = ['sync', 'status', '--to', 'postgres', '--json']
        return JSON.parse((await cli(argv, { FORMWIRE_DATABASE_URL: serverUrl() })).stdout)
      }
      const elsewhere = new URL(serverUrl())
      elsewhere.searchParams.set('options', '-c search_path=elsewhere')
      const { code, stderr } = await cli(['sync', 'status', '--to', 'postgres'], {
        FORMWIRE_DATABASE_URL: elsewhere.href,
      })
      expect([code, stderr]).toEqual([1, expect.stringContaining('schema of their own need --schema NAME')])
      // It is recorded after the rows are printed.
      await vi.waitUntil(async () => (await status()).forms[1].last_synced_at !== null, { timeout: WAIT_MS })
      expect(await status()).toMatchObject({
        forms: [
          { id: PARTY, rows: 0 },
          { id: SURVEY, rows: 2, last_synced_at: expect.any(String), last_error: null },
        ],
        queue: { retrying: 0, failed: 0 },
      })
      // The rows may all be printed before the second worker has started.
      const works = ({ stderr }: Spawned) => stderr.includes('working for main')
      await vi.waitUntil(() => workers.every(works), { timeout: WAIT_MS })
      for (const { child, finished } of workers) {
        child.kill('SIGTERM')
        expect((await finished).code).toBe(143)
      }
    })
    it('serves metrics of each workspace and of the queue', async () => {
      const config = { workspaces: [{ ...WORKSPACE, schema: 'watched' }], queueSchema: 'watched_queue' }
      const env = { FORMWIRE_DATABASE_URL: serverUrl() }
      const worker = await startWorker(env, config, '--metrics', '0', '--json')
      const events = () => worker.stderr.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))
      await vi.waitUntil(() => events().length > 0, { timeout: WAIT_MS })
      const [{ event, url }] = events() as [{ event: string; url: string }]
      expect(event).toBe('metrics')
      const get = async (name: string) => {
        const response = await fetch(new URL(name, url))
        return { status: response.status, body: await response.text() }
      }
      await vi.waitUntil(async () => (await get('/readyz')).status === 200, { timeout: WAIT_MS })
      await vi.waitUntil(() => worker.stdout.split('\n').length === 3, { timeout: WAIT_MS })
      expect(await get('/healthz')).toEqual({ status: 200, body: '{"ok":true}\n' })
      const metricsOf = async () => parseExposition((await get('/metrics')).body)
      // The database is read again every 15 seconds.
      await vi.waitUntil(async () => SERIES in ((await metricsOf()).formwire_sync_rows?.values ?? {}), {
        timeout: 2 * WAIT_MS,
        interval: 500,
      })
      const metrics = await metricsOf()
      expect(metrics.formwire_sync_rows?.values[SERIES]).toBe(2)
      expect(metrics.formwire_sync_changes_total?.values).toMatchObject({
        '{workspace="main",kind="inserted"}': 2,
      })
      expect(metrics.formwire_sync_ready?.values).toEqual({ '': 1 })
      expect(Object.keys(metrics.formwire_sync_queue_jobs?.values ?? {})).toEqual([
        '{state="queued"}',
        '{state="active"}',
        '{state="retrying"}',
      ])
      expect(metrics.formwire_sync_queue_dead_letters?.values).toEqual({ '': 0 })
      worker.child.kill('SIGTERM')
      expect((await worker.finished).code).toBe(143)
      await expect(get('/healthz')).rejects.toThrow()
    })
    it('ends when the only key is revoked: exit 4, and never shows it', async () => {
      const path = configFile(
        `export default { workspaces: [{ name: 'main', apiKeys: ['svc_hush'], schema: 'revoked' }], intervalMs: 1000 }`,
        'fleet.mjs',
      )
      const { finished } = await start(['sync', '--fleet', path], { FORMWIRE_DATABASE_URL: serverUrl() })
      const { code, stdout, stderr } = await finished
      expect(stderr).toContain('the service of workspace main: ')
      expect([code, stdout]).toEqual([4, ''])
      expect(stderr).not.toContain('hush')
    })
  })
})
