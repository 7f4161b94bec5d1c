import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sqliteStore } from '@formwire/sync/sqlite'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { Stopped } from '../../src/failure.ts'
import { type CliOptions, runCli, valuesOf } from '../support/run-cli.ts'
import { behind, eachService, PARTY, SURVEY } from '../support/service.ts'

const service = eachService({ limits: 'off' })
let path: string
beforeEach(() => {
  path = join(temporaryDirectory(), 'test.db')
})

/** Runs `formwire sync` of what is named, into the database of the test. */
const sync = (argv: readonly string[], options: CliOptions = {}) =>
  runCli(['sync', ...argv, '--to', `sqlite:${path}`], {
    retriesAtOnce: true,
    ...options,
    env: { ...service.env, NO_COLOR: '1', ...options.env },
  })
const ON_TERMINAL = { terminal: 80, errorTerminal: true }

async function query(sql: string): Promise<unknown[]> {
  const store = sqliteStore(path)
  const rows = await store.transaction('', (session) => session.query(sql))
  await store.close()
  return rows
}

describe('formwire sync --once', () => {
  it('writes the responses to SQLite and prints what changed', async () => {
    const first = await sync([SURVEY, '--once'])
    expect(first.stderr).toBe('')
    expect(first.stdout).toMatch(/^1 form: 2 inserted, 0 updated, 0 deleted \(3 requests, [^)]+\)\n$/)
    expect(first.code).toBe(0)
    expect(await query(`SELECT name, stars FROM formwire_form_${SURVEY} ORDER BY id`)).toEqual([
      { name: 'Bo', stars: 4 },
      { name: null, stars: 5 },
    ])
  })
  it('prints with --verify what differed in each form, and zeros once the database is equal', async () => {
    const all = ['--all', '--once']
    await sync(all)
    await query(`UPDATE formwire_responses SET answers = '[]' WHERE form_id = '${SURVEY}'`)
    await query(`DELETE FROM formwire_responses WHERE form_id = '${SURVEY}' AND id = 2`)
    await query(
      `INSERT INTO formwire_responses SELECT * FROM (SELECT workspace_id, form_id, value AS id, status, started_at, submitted_at,
        duration_sec, email, score, max_score, answers, meta, synced_at, deleted_at FROM formwire_responses, generate_series(901, 912)
        WHERE form_id = '${SURVEY}' AND id = 1)`,
    )
    const verified = await sync([...all, '--verify'])
    expect(verified.stdout).toMatch(
      new RegExp(
        `^${SURVEY}: 1 inserted \\(2\\), 1 updated \\(1\\), 12 deleted \\(901, 902, 903, 904, 905, 906, 907, 908, 909, 910, …\\)\n` +
          `2 forms: 1 inserted, 1 updated, 12 deleted \\(`,
      ),
    )
    const equal = await sync([...all, '--verify', '--json'])
    expect(JSON.parse(equal.stdout)).toMatchObject({ forms: 2, inserted: 0, updated: 0, deleted: 0 })
    expect((await sync([...all, '--verify'])).stdout).toMatch(/^2 forms: 0 inserted, 0 updated, 0 deleted \(/)
  })
  it.each([
    [
      '--json',
      { inserted: 2, updated: 0, deleted: 0, forms: 1, requests: 3, duration_ms: expect.any(Number) },
    ],
    ['--json=inserted', { inserted: 2 }],
    ['--json=inserted,deleted', { inserted: 2, deleted: 0 }],
  ])('prints the summary, or fields of it, with %s', async (json, expected) => {
    const { stdout } = await sync([SURVEY, '--once', json])
    expect(JSON.parse(stdout)).toEqual(expected)
  })
  it('reads all forms with their drafts', async () => {
    const { stdout } = await sync(['--all', '--once', '--drafts', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ forms: 2, inserted: 3, updated: 0, deleted: 0, requests: 6 })
  })
  it.each([
    [[], /^inserted\t.*\ninserted\t.*\n1 form: 2 inserted, 0 updated, 0 deleted /, true],
    [['--once'], /^1 form: 2 inserted/, false],
  ])(
    'synchronizes the other forms when one is unknown, with %j: exit 3',
    async (more, printed, isFollowing) => {
      const { code, stdout, stderr } = await sync(['unknown00000', SURVEY, ...more])
      expect([code, stdout]).toEqual([3, expect.stringMatching(printed)])
      expect(stderr).toBe(
        `${isFollowing ? 'following changes (Ctrl-C to stop)\n' : ''}formwire: form unknown00000 not found\n  check the id and the workspace of the key: see formwire forms list\n`,
      )
    },
  )
  const damage = async (file: string) => {
    await sync([SURVEY, '--once'])
    const bytes = readFileSync(file).fill(0x5a, 4096, 12_288)
    writeFileSync(file, bytes)
  }
  it.each<[what: string, prepare: (file: string) => unknown, message: string]>([
    [
      'is not a database',
      (file) => writeFileSync(file, 'name\n'),
      'is not a SQLite database; it was left as',
    ],
    ['is damaged', damage, 'is a damaged SQLite database'],
    ['is a folder', (file) => mkdirSync(file), 'test.db is a folder. Choose the path of a file.'],
    ['has no folder', () => (path = `${path}.d/test.db`), 'there is no folder FOLDER. Create it'],
  ])('refuses a file that %s: exit 1, nothing written', async (_what, prepare, message) => {
    await prepare(path)
    const before = existsSync(path) && !message.includes('is a folder') ? readFileSync(path) : undefined
    // Also instead of following.
    for (const argv of [[SURVEY, '--once'], [SURVEY]]) {
      const { code, stdout, stderr } = await sync(argv)
      expect([code, stdout.includes('inserted')]).toEqual([1, false])
      expect(stderr).toContain(message.replace('FOLDER', dirname(path)))
    }
    if (before) expect(readFileSync(path).equals(before)).toBe(true)
  })
  it('exits with 6 without a service and 4 with a wrong key', async () => {
    const argv = [SURVEY, '--once']
    expect((await sync(argv, { env: { FORMWIRE_BASE_URL: 'http://127.0.0.1:9' } })).code).toBe(6)
    const env = { FORMWIRE_API_KEY: `svc_${'x'.repeat(40)}` }
    const { code, stderr } = await sync(argv, { env })
    const message = 'could not sync form survey000001: the API key is missing, wrong or revoked'
    expect([code, stderr.split('\n')[0]]).toEqual([4, `formwire: ${message}`])
    expect(existsSync(path)).toBe(false)
  })
  it('exits with 1 when PostgreSQL cannot be reached, without showing the password', async () => {
    const env = { ...service.env, FORMWIRE_DATABASE_URL: 'postgres://me:hush@127.0.0.1:9/db' }
    const { code, stdout, stderr } = await runCli(`sync ${SURVEY} --to postgres --once`, { env })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^formwire: cannot use the PostgreSQL database: .*[^.]\n$/)
    expect(stderr).not.toContain('hush')
    expect(stderr).not.toContain('PGHOST')
  })
})

describe('[ERR-05] a rate limit during formwire sync', () => {
  const limit = (times?: number) =>
    service.server.app.faults.add({ path: '/api/v1/forms/*', status: 429, retry_after: 1, times } as never)

  it('is waited out more often than a call is retried, and slows the requests after it', async () => {
    limit(5)
    const slept: number[] = []
    const onSleep = async (ms: number) => void slept.push(ms)
    const { code, stdout } = await sync([SURVEY, '--once', '--json'], { onSleep })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ inserted: 2, requests: 8 })
    expect(slept).toContain(500)
  })
  it.each([[['--once']], [[]]])('ends it with 5 with --no-wait %j', async (options) => {
    limit()
    const { code, stdout } = await sync([SURVEY, '--no-wait', ...options])
    expect([code, stdout]).toEqual([5, ''])
  })
})

describe('formwire sync', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'follows until %s and prints a line a change and the summary: exit %i',
    async (signal, code) => {
      const stop = new AbortController()
      let stdout = ''
      let exitCodeSet: number | undefined
      let atSummary: number | undefined
      const running = sync(['--all', '--interval', '10ms', '--json'], {
        stop: stop.signal,
        onSetExitCode: (exitCode) => {
          exitCodeSet = exitCode
        },
        onStdout(text) {
          stdout += text
          atSummary = exitCodeSet
          if (stdout.split('\n').length === 3) service.server.app.responses.create(PARTY, {})
          if (stdout.includes(PARTY)) stop.abort(new Stopped('interrupted', signal))
        },
      })
      expect((await running).code).toBe(code)
      // The summary is printed while it cleans up: a second signal then exits with the code of the first.
      expect(atSummary).toBe(code)
      expect(valuesOf(stdout)).toEqual([
        { event: 'inserted', form_id: SURVEY, id: 1, status: 'submitted' },
        { event: 'inserted', form_id: SURVEY, id: 2, status: 'submitted' },
        { event: 'inserted', form_id: PARTY, id: 4, status: 'submitted' },
        expect.objectContaining({ forms: 2, inserted: 3, updated: 0, deleted: 0 }),
      ])
    },
  )
  it('prints the summary at the end too when the key is revoked while it follows: exit 4', async () => {
    const onStdout = () => service.server.app.faults.add({ status: 401 })
    const { code, stdout, stderr } = await sync([SURVEY, '--interval', '10ms', '--json'], { onStdout })
    expect(code).toBe(4)
    expect(stderr).toContain('unauthorized')
    expect(valuesOf(stdout)).toEqual([
      { event: 'inserted', form_id: SURVEY, id: 1, status: 'submitted' },
      { event: 'inserted', form_id: SURVEY, id: 2, status: 'submitted' },
      expect.objectContaining({ forms: expect.any(Number), inserted: 2, updated: 0, deleted: 0 }),
    ])
  })
  it.each([[[]], [['--once']], [['--once', '--json']]])(
    'prints no summary when the only form is unknown, with %j',
    async (more) => expect(await sync(['unknown00000', ...more])).toMatchObject({ code: 3, stdout: '' }),
  )
})

describe('what formwire sync reports on stderr', () => {
  it('is a progress bar while a long form is read', async () => {
    for (let number = 0; number < 2499; number += 1) service.server.app.responses.create(PARTY, {})
    const { stdout, stderr } = await sync([PARTY, '--once'], ON_TERMINAL)
    const shown = stderr.split('\r\u001b[2K')
    expect(shown).toEqual([
      '',
      `━━━━──────────────── 500 of 2,499 responses (20%) · ${PARTY}`,
      `━━━━━━━━──────────── 1,000 of 2,499 responses (40%) · ${PARTY}`,
      `━━━━━━━━━━━━──────── 1,500 of 2,499 responses (60%) · ${PARTY}`,
      `━━━━━━━━━━━━━━━━──── 2,000 of 2,499 responses (80%) · ${PARTY}`,
      '',
    ])
    expect(stdout).toMatch(/^1 form: 2,499 inserted, 0 updated, 0 deleted \(/)
  })

  it('names the form that is waited for, once the service has been silent for a second', async () => {
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const proxy = await behind(service, async (_number, { pathname }) => {
      if (pathname.includes('/responses')) await released
      return undefined
    })
    const { code, stderr } = await sync([SURVEY, '--once'], {
      ...ON_TERMINAL,
      retriesAtOnce: false,
      env: { FORMWIRE_BASE_URL: proxy },
      onSleep: () => new Promise((resolve) => setImmediate(resolve)),
      onStderr: (text) => text.includes('(2 s)') && release(),
    })
    const shown = stderr.split('\r\u001b[2K')
    expect(code).toBe(0)
    expect(shown).toEqual(
      expect.arrayContaining([`waiting for form ${SURVEY} (1 s)`, `waiting for form ${SURVEY} (2 s)`]),
    )
    expect(shown.at(-1)).toBe('')
  })

  it('is one line of state on a terminal while it follows, in place of a line per change', async () => {
    const stop = new AbortController()
    const { app } = service.server
    let shown = ''
    const { code, stdout } = await sync(['--all', '--interval', '10ms'], {
      ...ON_TERMINAL,
      stop: stop.signal,
      onStderr(text) {
        shown += text
        if (text.includes('2 inserted') && text.includes('up to date at')) app.responses.create(PARTY, {})
        if (text.includes('3 inserted')) stop.abort(new Stopped('interrupted', 'SIGINT'))
      },
    })
    expect(code).toBe(130)
    expect(stdout).toMatch(/^2 forms: 3 inserted, 0 updated, 0 deleted \([^)]+\)\n$/)
    const lines = shown.replaceAll('\r\u001b[2K', '\n').split('\n')
    expect(lines.filter((line) => line !== '').slice(0, 2)).toEqual([
      '◦ following changes (Ctrl-C to stop)',
      'reading · 2 inserted, 0 updated, 0 deleted',
    ])
    expect(lines).toContain('✓ up to date: 2 forms, 2 inserted, 0 updated, 0 deleted')
    expect(lines).toContain('up to date at 12:00:00Z · 3 inserted, 0 updated, 0 deleted')
    expect(lines.at(-1)).toBe('')
    expect(shown).not.toMatch(/inserted\t/)
  })

  it.each([
    ['resets connections', { path: '/api/v1/forms/*', reset: true }],
    ['responds with 503', { path: '/api/v1/forms/*', status: 503 }],
  ])('is an outage, once when it begins and once when it ends: the server %s', async (_name, fault) => {
    // Each round fails after three retries.
    service.server.app.faults.add({ ...fault, times: 12 } as never)
    const stop = new AbortController()
    const { stderr } = await sync([SURVEY], {
      stop: stop.signal,
      onStdout: () => stop.abort(new Stopped('interrupted', 'SIGINT')),
    })
    expect(stderr.split('\n')).toEqual([
      'following changes (Ctrl-C to stop)',
      expect.stringMatching(/^connection lost \([^)]+\); reconnecting$/),
      'connected again',
      '',
    ])
  })
  it('names a form that is lost once, and goes on', async () => {
    const stop = new AbortController()
    const { app } = service.server
    let isTrashed = false
    const { code, stderr } = await sync([SURVEY, PARTY, '--interval', '1ms'], {
      stop: stop.signal,
      onStdout() {
        if (!isTrashed) app.forms.trash(SURVEY)
        isTrashed = true
      },
      async onStderr(text) {
        if (!text.includes(SURVEY)) return
        const before = app.requests.list().length
        await vi.waitUntil(() => app.requests.list().length > before + 30, { timeout: WAIT_MS })
        stop.abort(new Stopped('interrupted', 'SIGINT'))
      },
    })
    expect(code).toBe(130)
    expect(stderr).toBe(
      `following changes (Ctrl-C to stop)\nform ${SURVEY} was trashed or is no longer accessible; its rows stay, and it will be retried\n`,
    )
    expect(await query('SELECT id FROM formwire_responses WHERE deleted_at IS NOT NULL')).toEqual([])
  })
})
