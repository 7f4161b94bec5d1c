import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { hasProgram } from '../../../../test/support/programs.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { Stopped } from '../../src/failure.ts'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
let path: string
beforeEach(async () => {
  service = await startService({ limits: 'off' })
  path = join(temporaryDirectory(), 'test.db')
})
afterEach(() => service.server.close())

const cli = (argv: string[], env: Record<string, string> = {}) =>
  runCli(argv, { env: { ...service.env, NO_COLOR: '1', ...env }, retriesAtOnce: true })

async function query(sql: string): Promise<unknown[]> {
  const { sqliteStore } = await import('@formwire/sync/sqlite')
  const store = sqliteStore(path)
  const rows = await store.transaction('', (session) => session.query(sql))
  await store.close()
  return rows
}

describe('formwire sync --once', () => {
  it('writes the responses to SQLite and prints what changed', async () => {
    const first = await cli(['sync', SURVEY, '--to', `sqlite:${path}`, '--once'])
    expect(first.stderr).toBe('')
    expect(first.stdout).toMatch(/^1 form: 2 inserted, 0 updated, 0 deleted \(3 requests, [^)]+\)\n$/)
    expect(first.code).toBe(0)
    expect(await query(`SELECT name, stars FROM formwire_form_${SURVEY} ORDER BY id`)).toEqual([
      { name: 'Bo', stars: 4 },
      { name: null, stars: 5 },
    ])
  })
  it('refuses another service with a workspace of the same id, unless --moved-from is its former URL', async () => {
    const to = ['sync', '--all', '--to', `sqlite:${path}`, '--once']
    await cli(to)
    const [before, after] = ['https://forms.example', String(service.env.FORMWIRE_BASE_URL)]
    await query(`UPDATE formwire_sync_workspaces SET service = '${before}'`)
    for (const argv of [[], ['--moved-from', after]]) {
      const { code, stderr } = await cli([...to, ...argv, '--json'])
      const { error } = JSON.parse(stderr)
      expect(error).toMatchObject({ code: 'database_other_workspace' })
      for (const shown of [before, after, `--moved-from ${before}`]) expect(error.message).toContain(shown)
      expect(code).toBe(1)
    }
    const { code, stderr } = await cli([...to, '--moved-from', `${before}/`])
    expect([code, stderr]).toEqual([0, ''])
    expect((await cli(to)).code).toBe(0)
  })
  it('prints the summary as JSON with --json', async () => {
    const { stdout } = await cli(['sync', '--all', '--to', `sqlite:${path}`, '--once', '--drafts', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      forms: 2,
      inserted: 3,
      updated: 0,
      deleted: 0,
      requests: 6,
      duration_ms: expect.any(Number),
    })
  })
  it.each([['--json', 'inserted'], ['--json=inserted'], ['--json', 'inserted,deleted']])(
    'prints only the fields of %s %s',
    async (...json) => {
      const { stdout } = await cli(['sync', SURVEY, '--to', `sqlite:${path}`, '--once', ...json])
      expect(JSON.parse(stdout)).toEqual(
        json[1]?.includes('deleted') ? { inserted: 2, deleted: 0 } : { inserted: 2 },
      )
    },
  )
  it('refuses fields while it follows, and unknown ones: exit 2', async () => {
    const following = await cli(['sync', SURVEY, '--to', `sqlite:${path}`, '--json', 'inserted'])
    expect([following.code, following.stdout]).toEqual([2, ''])
    expect(following.stderr).toContain('--json has fields only with --once')
    const unknown = await cli(['sync', SURVEY, '--to', `sqlite:${path}`, '--once', '--json=rows'])
    expect([unknown.code, unknown.stdout]).toEqual([2, ''])
    expect(unknown.stderr).toContain('unknown field \\"rows\\" in --json')
    expect(existsSync(path)).toBe(false)
  })
  it('synchronizes the other forms when one is unknown: exit 3', async () => {
    const { code, stdout, stderr } = await cli([
      'sync',
      'unknown00000',
      SURVEY,
      '--to',
      `sqlite:${path}`,
      '--once',
    ])
    expect(code).toBe(3)
    expect(stdout).toMatch(/^1 form: 2 inserted/)
    expect(stderr).toBe(
      'formwire: form unknown00000 not found\n  check the id and the workspace of the key: see formwire forms list\n',
    )
  })
  it.each([
    [['sync', SURVEY, '--once'], 'missing required option --to'],
    [['sync', '--to', 'sqlite:x.db'], 'missing form id'],
    [['sync', SURVEY, '--all', '--to', 'sqlite:x.db'], '--all cannot be combined with form ids'],
    [['sync', SURVEY, '--to', 'sqlite:'], '--to sqlite: requires a path'],
    [['sync', SURVEY, '--to', 'sqlite::memory:'], '--to sqlite::memory: is lost when the command exits'],
    [['sync', SURVEY, '--to', 'host=127.0.0.1 password=hush'], '--to must be sqlite:PATH or postgres'],
    [
      ['sync', SURVEY, '--to', 'sqlite:r.db', '--interval', '0s'],
      '--interval must be greater than 0, got "0s"',
    ],
    [['sync', SURVEY, '--to', 'responses.db'], '--to must be sqlite:PATH or postgres, got "responses.db"'],
    [
      ['sync', SURVEY, '--to', 'mysql://me:hush@host/db'],
      '--to must be sqlite:PATH or postgres, got "mysql:"',
    ],
    [
      ['sync', SURVEY, '--to', 'postgres://me:hush@host/db'],
      'a database password must not be on the command line',
    ],
    [
      ['sync', SURVEY, '--to', 'postgres://me@host/db?password=hush'],
      'a database password must not be on the command line',
    ],
    [
      ['sync', SURVEY, '--to', 'sqlite:x.db', '--metrics', '65536'],
      '--metrics must be an integer from 0 to 65535, got "65536"',
    ],
    [
      ['sync', SURVEY, '--to', 'sqlite:x.db', '--metrics', '0', '--once'],
      '--metrics cannot be combined with --once',
    ],
    [
      ['sync', SURVEY, '--to', 'sqlite:x.db', '--metrics-host', '0.0.0.0'],
      '--metrics-host requires --metrics',
    ],
    [
      ['sync', SURVEY, '--to', 'sqlite:x.db', '--metrics', '0', '--metrics-host', ''],
      '--metrics-host must not be empty',
    ],
    [
      ['sync', SURVEY, '--to', 'sqlite:x.db', '--deleted', 'drop'],
      '--deleted must be one of mark, erase, got "drop"',
    ],
  ])('%j is a usage error: exit 2', async (argv, message) => {
    const { code, stdout, stderr } = await cli(argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.split('\n')[0]).toBe(`formwire: ${message}`)
    expect(stderr).not.toContain('hush')
    expect(existsSync('x.db')).toBe(false)
  })
  it('refuses a file that is not a database, a damaged one and a foreign table: exit 1, nothing written', async () => {
    writeFileSync(path, 'name,stars\nBo,4\n')
    const other = await cli(['sync', SURVEY, '--to', `sqlite:${path}`, '--once'])
    expect([other.code, other.stdout]).toEqual([1, ''])
    expect(other.stderr).toContain('is not a SQLite database; it was left as it was')
    expect(readFileSync(path, 'utf8')).toBe('name,stars\nBo,4\n')

    const folder = temporaryDirectory()
    const inFolder = await cli(['sync', SURVEY, '--to', `sqlite:${folder}`, '--once'])
    expect([inFolder.code, inFolder.stdout]).toEqual([1, ''])
    expect(inFolder.stderr).toContain(`${folder} is a folder. Choose the path of a file.`)

    path = join(temporaryDirectory(), 'damaged.db')
    await cli(['sync', SURVEY, '--to', `sqlite:${path}`, '--once'])
    const bytes = readFileSync(path)
    bytes.fill(0x5a, 4096, 12_288)
    writeFileSync(path, bytes)
    const damaged = await cli(['sync', SURVEY, '--to', `sqlite:${path}`, '--once'])
    expect([damaged.code, damaged.stdout]).toEqual([1, ''])
    expect(damaged.stderr).toContain('is a damaged SQLite database')
    expect(readFileSync(path).equals(bytes)).toBe(true)

    path = join(temporaryDirectory(), 'foreign.db')
    await query('CREATE TABLE formwire_responses (mine TEXT)')
    const foreign = await cli(['sync', SURVEY, '--to', `sqlite:${path}`, '--once'])
    expect([foreign.code, foreign.stdout]).toEqual([1, ''])
    expect(foreign.stderr).toContain('"formwire_responses" that @formwire/sync did not create')
    expect(await query("SELECT name FROM sqlite_master WHERE type = 'table'")).toEqual([
      { name: 'formwire_responses' },
    ])
  })
  it('names the folder that is missing: exit 1, also instead of following', async () => {
    const { code, stderr } = await cli(['sync', SURVEY, '--to', `sqlite:${path}.d/test.db`])
    expect(code).toBe(1)
    expect(stderr).toContain(`there is no folder ${path}.d. Create it`)
  })
  it('counts the requests of a run that finds no form', async () => {
    const empty = await startService({ seed: 'empty' })
    const env = { FORMWIRE_BASE_URL: empty.url, FORMWIRE_API_KEY: empty.server.writeKey }
    const { stdout } = await runCli(['sync', '--all', '--to', `sqlite:${path}`, '--once'], { env })
    await empty.server.close()
    expect(stdout).toMatch(/^0 forms: 0 inserted, 0 updated, 0 deleted \(2 requests, /)
  })
  it('exits with 6 without a service and 4 with a wrong key', async () => {
    const argv = ['sync', SURVEY, '--to', `sqlite:${path}`, '--once']
    expect((await cli(argv, { FORMWIRE_BASE_URL: 'http://127.0.0.1:9' })).code).toBe(6)
    const { code, stderr } = await cli(argv, { FORMWIRE_API_KEY: `svc_${'x'.repeat(40)}` })
    expect([code, stderr]).toEqual([
      4,
      'formwire: could not sync form survey000001: the API key is missing, wrong or revoked\n' +
        '  the key in FORMWIRE_API_KEY was refused: create a new one in the app and set it there, or unset the variable to use a profile\n' +
        '  a reference server that was restarted has new keys, which it printed at startup\n',
    ])
    expect(existsSync(path)).toBe(false)
  })
  it('exits with 1 when PostgreSQL cannot be reached, without showing the password', async () => {
    const { code, stdout, stderr } = await cli(['sync', SURVEY, '--to', 'postgres', '--once'], {
      FORMWIRE_DATABASE_URL: 'postgres://me:hush@127.0.0.1:9/db',
    })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^formwire: cannot use the PostgreSQL database: .*[^.]\n$/)
    expect(stderr).not.toContain('hush')
    expect(stderr).not.toContain('PGHOST')
  })
  it('names the variables of PostgreSQL when none is set and no server runs', async () => {
    vi.stubEnv('PGHOST', undefined)
    vi.stubEnv('FORMWIRE_DATABASE_URL', undefined)
    vi.stubEnv('PGPORT', '9')
    const { code, stderr } = await cli(['sync', SURVEY, '--to', 'postgres', '--once'])
    vi.unstubAllEnvs()
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^formwire: cannot use the PostgreSQL database: .*\. Set FORMWIRE_DATABASE_URL or PGHOST to use another server\.\n$/,
    )
  })
})

describe('what formwire sync reports on stderr', () => {
  it('is a progress bar while a long form is read', async () => {
    for (let number = 0; number < 2499; number += 1) service.server.app.responses.create(PARTY, {})
    const { stdout, stderr } = await runCli(['sync', PARTY, '--to', `sqlite:${path}`, '--once'], {
      env: { ...service.env, NO_COLOR: '1' },
      retriesAtOnce: true,
      terminal: 80,
      errorTerminal: true,
    })
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

  it('is one line of state on a terminal while it follows, in place of a line per change', async () => {
    const stop = new AbortController()
    const { app } = service.server
    let shown = ''
    const { code, stdout } = await runCli(['sync', '--all', '--to', `sqlite:${path}`, '--interval', '10ms'], {
      env: { ...service.env, NO_COLOR: '1' },
      retriesAtOnce: true,
      terminal: 80,
      errorTerminal: true,
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

  it('is nothing with --quiet, where the terminal shows each change, and the summary below the ^C', async () => {
    const stop = new AbortController()
    const { stdout, stderr } = await runCli(['sync', SURVEY, '--to', `sqlite:${path}`, '--quiet'], {
      env: service.env,
      terminal: 80,
      errorTerminal: true,
      stop: stop.signal,
      onStdout: () => stop.abort(new Stopped('interrupted', 'SIGINT')),
    })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^inserted\t.*\t1\t.*\ninserted\t.*\t2\t.*\n\n1 form: 2 inserted, /)
  })

  it('is a form that fails, once, and that it can be read again', async () => {
    const { app } = service.server
    const fault = app.faults.add({ path: `/api/v1/forms/${SURVEY}/responses`, status: 500 })
    const stop = new AbortController()
    const { code, stderr } = await runCli(['sync', SURVEY, PARTY, '--to', `sqlite:${path}`], {
      env: { ...service.env, NO_COLOR: '1' },
      retriesAtOnce: true,
      stop: stop.signal,
      onStderr(text) {
        if (text.includes('cannot be read')) app.faults.remove(fault.id)
        if (text.includes('can be read again')) stop.abort(new Stopped('interrupted', 'SIGINT'))
      },
    })
    expect(code).toBe(130)
    expect(stderr).toBe(
      `following changes (Ctrl-C to stop)
form ${SURVEY} cannot be read: injected fault; retrying; other forms continue
form ${SURVEY} can be read again
`,
    )
  })

  it.each([
    ['resets connections', { path: '/api/v1/forms/*', reset: true }],
    ['responds with 503', { path: '/api/v1/forms/*', status: 503 }],
  ])('is an outage, once when it begins and once when it ends: the server %s', async (_name, fault) => {
    // Each round fails after three retries.
    service.server.app.faults.add({ ...fault, times: 12 } as never)
    const stop = new AbortController()
    const { stderr } = await runCli(['sync', SURVEY, '--to', `sqlite:${path}`], {
      env: { ...service.env, NO_COLOR: '1' },
      retriesAtOnce: true,
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

  it('is each change of a form once, also in later runs', async () => {
    const { app } = service.server
    const sync = (...argv: string[]) => cli(['sync', '--all', '--to', `sqlite:${path}`, '--once', ...argv])
    app.forms.publish(PARTY)
    expect((await sync()).stderr).toBe('')
    const questions = [
      { id: 'stars', type: 'scale', title: 'Stars' },
      { id: 'extra', type: 'long_text', title: 'Anything else?' },
    ]
    app.forms.update(SURVEY, { questions: questions as never })
    app.forms.publish(SURVEY)
    app.responses.create(SURVEY, {
      submitted_at: '2026-11-21T12:00:00.000Z',
      answers: [
        { question_id: 'stars', value: 4 },
        { question_id: 'extra', value: 'No' },
      ],
    })
    app.forms.close(PARTY)
    expect((await sync()).stderr).toBe(
      `form ${PARTY} was closed; its rows stay
form ${SURVEY}: question stars changed from rating to scale
form ${SURVEY}: question extra (long_text) is new
`,
    )
    expect((await sync()).stderr).toBe('')
    app.forms.trash(PARTY)
    for (let count = 0; count < 12; count += 1)
      app.responses.create(SURVEY, {
        submitted_at: `2026-11-21T12:01:${10 + count}.000Z`,
        answers: [{ question_id: 'extra', value: 'No' }],
      })
    const { stderr } = await sync('--json')
    expect(
      stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        event: 'form_stopped',
        message: `form ${PARTY} was trashed or is no longer accessible; its rows stay`,
        form_id: PARTY,
        reason: 'trashed',
      },
      {
        event: 'question_removed',
        message: `form ${SURVEY}: question stars (scale) is no longer answered`,
        form_id: SURVEY,
        question_id: 'stars',
        type: 'scale',
      },
    ])
  })

  it('is a wait for a database that another program has locked', async () => {
    const { sqliteStore } = await import('@formwire/sync/sqlite')
    const holder = sqliteStore(path)
    let release = (): void => undefined
    let isHeld = false
    const holding = holder.transaction('', async () => {
      isHeld = true
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    await vi.waitUntil(() => isHeld, { timeout: WAIT_MS })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const triesAgain = () => timers.mock.calls.some(([, ms]) => ms === 20)
    const locked = vi.waitUntil(triesAgain, { timeout: WAIT_MS }).then(() => undefined)
    const { code, stderr } = await runCli(['sync', SURVEY, '--to', `sqlite:${path}`, '--once'], {
      env: { ...service.env, NO_COLOR: '1' },
      // Time passes only while the file is locked.
      onSleep: (ms) => (ms === 2000 && isHeld ? locked : new Promise(() => undefined)),
      onStderr() {
        isHeld = false
        release()
      },
    })
    timers.mockRestore()
    await holding
    await holder.close()
    expect([code, stderr]).toEqual([0, 'waiting for the database; another program may have locked it\n'])
  })
})

describe('[ERR-05] a rate limit during formwire sync', () => {
  const limit = (times?: number) =>
    service.server.app.faults.add({ path: '/api/v1/forms/*', status: 429, retry_after: 1, times } as never)

  it('is waited out more often than a call is retried, and slows the requests after it', async () => {
    limit(5)
    const slept: number[] = []
    const { code, stdout } = await runCli(['sync', SURVEY, '--to', `sqlite:${path}`, '--once', '--json'], {
      env: service.env,
      retriesAtOnce: true,
      onSleep: async (ms) => void slept.push(ms),
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ inserted: 2, requests: 8 })
    expect(slept).toContain(500)
  })
  it.each([[['--once']], [[]]])('ends it with 5 with --no-wait %j', async (options) => {
    limit()
    const { code, stdout } = await cli(['sync', SURVEY, '--to', `sqlite:${path}`, '--no-wait', ...options])
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
      const running = runCli(['sync', '--all', '--to', `sqlite:${path}`, '--interval', '10ms', '--json'], {
        env: service.env,
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
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines).toEqual([
        { event: 'inserted', form_id: SURVEY, id: 1, status: 'submitted' },
        { event: 'inserted', form_id: SURVEY, id: 2, status: 'submitted' },
        { event: 'inserted', form_id: PARTY, id: 4, status: 'submitted' },
        expect.objectContaining({ forms: 2, inserted: 3, updated: 0, deleted: 0 }),
      ])
    },
  )
  it('prints the summary at the end too when the key is revoked while it follows: exit 4', async () => {
    const { code, stdout, stderr } = await runCli(
      ['sync', SURVEY, '--to', `sqlite:${path}`, '--interval', '10ms', '--json'],
      {
        env: service.env,
        onStdout: () => service.server.app.faults.add({ status: 401 }),
      },
    )
    expect(code).toBe(4)
    expect(stderr).toContain('unauthorized')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { event: 'inserted', form_id: SURVEY, id: 1, status: 'submitted' },
      { event: 'inserted', form_id: SURVEY, id: 2, status: 'submitted' },
      expect.objectContaining({ forms: expect.any(Number), inserted: 2, updated: 0, deleted: 0 }),
    ])
  })
  it('ends when a form is unknown at the start, after the others: exit 3', async () => {
    const { code, stdout, stderr } = await cli(['sync', 'unknown00000', SURVEY, '--to', `sqlite:${path}`])
    expect(code).toBe(3)
    expect(stdout).toMatch(/^inserted\t.*\ninserted\t.*\n1 form: 2 inserted, 0 updated, 0 deleted /)
    expect(stderr).toContain('form unknown00000 not found')
  })
  it.each([[[]], [['--once']], [['--once', '--json']]])(
    'prints no summary when the only form is unknown, with %j',
    async (more) => {
      const argv = ['sync', 'unknown00000', '--to', `sqlite:${path}`, ...more]
      expect(await cli(argv)).toMatchObject({ code: 3, stdout: '' })
    },
  )
  it('prints no summary when nothing was synchronized', async () => {
    service.server.app.faults.add({ status: 401 })
    const { code, stdout } = await cli(['sync', SURVEY, '--to', `sqlite:${path}`])
    expect([code, stdout]).toEqual([4, ''])
  })
  it.each([[['--all']], [[SURVEY, PARTY]]])(
    'reports a form that is lost once, and goes on: %j',
    async (forms) => {
      const stop = new AbortController()
      const { app } = service.server
      let isTrashed = false
      const { code, stderr } = await runCli(
        ['sync', ...forms, '--to', `sqlite:${path}`, '--interval', '1ms'],
        {
          env: { ...service.env, NO_COLOR: '1' },
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
        },
      )
      expect(code).toBe(130)
      expect(stderr).toBe(
        `following changes (Ctrl-C to stop)\nform ${SURVEY} was trashed or is no longer accessible; its rows stay, and it will be retried\n`,
      )
      expect(
        await query('SELECT count(*) AS number FROM formwire_responses WHERE deleted_at IS NOT NULL'),
      ).toEqual([{ number: 0 }])
    },
  )
  it.skipIf(!hasProgram('sqlite3'))('lets the sqlite3 program read the file while it follows', async () => {
    const stop = new AbortController()
    let seen = ''
    await runCli(['sync', SURVEY, '--to', `sqlite:${path}`], {
      env: service.env,
      stop: stop.signal,
      onStdout() {
        setImmediate(() => {
          const sql = 'SELECT count(*) FROM formwire_responses'
          seen = spawnSync('sqlite3', [path, sql], { encoding: 'utf8' }).stdout
          stop.abort(new Stopped('interrupted', 'SIGINT'))
        })
      },
    })
    expect(seen).toBe('2\n')
  })
})
