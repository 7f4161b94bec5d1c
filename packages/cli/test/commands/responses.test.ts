import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { outcome, rowsOf, runCli, valuesOf } from '../support/run-cli.ts'
import { eachService, fill, SURVEY, testService } from '../support/service.ts'

const service = eachService()

const cli = (argv: string[], terminal?: number) =>
  runCli(argv, { env: { ...service.env, NO_COLOR: '1' }, ...(terminal === undefined ? {} : { terminal }) })

describe('formwire responses list', () => {
  it.each([
    ['2026-11-21', [2, 1]],
    ['2026-11-21 11:30', [2]],
    ['2026-11-21T11:30Z', [2]],
    ['2026-11-21T11:29:59.123456Z', [2]],
    ['2026-11-21T11:30+0000', [2]],
    ['2026-11-21T12:30:00+01:00', [2]],
    ['1h', [2]],
    ['2w', [2, 1]],
  ])('[RESP-02] --since %s filters by submission time; a span counts back from now', async (since, ids) => {
    const { code, stdout } = await cli(['responses', 'list', SURVEY, '--since', since])
    expect([code, rowsOf(stdout).map(([id]) => Number(id))]).toEqual([0, ids])
  })
  it.each(['list', 'tail', 'export'])(
    '%s --since rejects what is neither a time nor a span: exit 2',
    async (verb) => {
      for (const since of ['yesterday', '2026-02-30', '2026-11-21T25:00', '2 h', '']) {
        const refused = await cli(['responses', verb, SURVEY, '--since', since])
        expect([refused.code, refused.stdout], since).toEqual([2, ''])
        expect(refused.stderr).toBe(
          `formwire: --since must be an ISO 8601 time or a span, got "${since}"\n  for example 2026-11-21, 2026-11-21T09:30Z, 30m, 2h, 7d or 2w (back from now); a time without a zone is UTC\n`,
        )
      }
    },
  )
  it('[RESP-01] --status in_progress lists drafts', async () => {
    expect((await cli(['responses', 'list', SURVEY, '--status', 'in_progress'])).stdout).toMatch(
      /^3\t.*\tin_progress\t\t\tCy\n$/,
    )
  })
  it('[ENV-04] prints unknown fields', async () => {
    const other = await testService({ unspecified: { extraFields: 'true' } as never })
    const { stdout, code } = await runCli(['responses', 'list', SURVEY, '--json'], { env: other.env })
    const direct = JSON.parse(stdout) as Record<string, unknown>[]
    expect(code).toBe(0)
    expect(Object.keys(direct[0] ?? {}).length).toBeGreaterThan(11)
  })
})

describe('formwire responses list of many', () => {
  it.each([
    [['--limit', '150', '--page', '2'], 102, 103],
    [['--limit', '100', '--page', '2'], 100, 153],
    [['--all', '--limit', '10', '--page', '2'], 242, 243],
    [['--all', '--page', '3'], 52, 53],
  ])('--page counts in steps of --limit: %j', async (argv, count, first) => {
    fill(service, 250)
    const rows = (await cli(['responses', 'list', SURVEY, ...argv])).stdout.trimEnd().split('\n')
    expect([rows.length, Number(rows[0]?.split('\t')[0])]).toEqual([count, first])
  })
  it.each([
    // The header has the questions of all responses.
    [250, { header: 3, hundred: 3, next: 3, all: 3 }],
    // The header comes after the ten pages that it is from, the first hundred rows before any other page.
    [1050, { header: 10, hundred: 10, next: 11, all: 20 }],
  ])('CSV of %i responses has a header with every question', async (number, expected) => {
    fill(service, number)
    const lines: number[] = []
    const { stdout, stderr } = await runCli(['responses', 'list', SURVEY, '--all', '--format', 'csv'], {
      env: service.env,
      onStdout: (text) => {
        for (const _line of text.match(/\r\n/g) ?? []) lines.push(service.server.app.requests.list().length)
      },
    })
    expect(stdout.split('\r\n')).toHaveLength(number + 4)
    expect(stdout.split('\r\n')[0]).toMatch(/,Name,Stars,Why\?(?:,other_answers)?$/)
    expect(stderr).toBe('')
    expect({ header: lines[0], hundred: lines[100], next: lines[101], all: lines.at(-1) }).toEqual(expected)
  })
})

describe('formwire responses delete of several', () => {
  const NOT_AN_ID = 'must begin with a response id, got'
  const notFound = (given: number) => `formwire: 1 of ${given} responses of form ${SURVEY} not found: 9\n`
  const COLUMN = 'one id per line; what follows a tab or a comma is ignored'
  type Row = [line: string, stdin: string, code: number, stdout: string, stderr: string, deleted: number[]]
  it.each<Row>([
    // Each, and those that do not exist are reported.
    ['1 9 2 1 --yes', '', 3, '', `deleted 2 responses of form ${SURVEY}\n${notFound(3)}`, [1, 2]],
    ['1 2 --yes --json', '', 0, '[{"id":1,"deleted":true},{"id":2,"deleted":true}]\n', '', [1, 2]],
    [
      '1 9 --dry-run',
      '',
      3,
      '1\t2026-11-21T09:00:00.000Z\tsubmitted\tbo@example.com\t\tBo · 4\n',
      `dry run: 1 response of form ${SURVEY} would be deleted; nothing was deleted\n${notFound(2)}`,
      [],
    ],
    // The first column of an export or a list.
    [
      '--from-file - --yes',
      'id,status\r\n1,submitted\r\n',
      0,
      '',
      `deleted 1 response of form ${SURVEY}\n`,
      [1],
    ],
    ['--from-file - --yes', '2\t2026-11-21\t\n', 0, '', `deleted 1 response of form ${SURVEY}\n`, [2]],
    ['--from-file - --yes', '', 0, '', 'no response ids in stdin: nothing was deleted\n', []],
    ['--from-file - --yes --json', '', 0, '[]\n', '', []],
    ...(
      [
        ['1\n2\nabc\n', 3, 'abc'],
        ['id,submitted_at\n1,x\n2x,y\n', 3, '2x'],
        [`${'9'.repeat(80)}\n`, 1, '9'.repeat(60)],
      ] as const
    ).map(([stdin, number, text]): Row => {
      const stderr = `formwire: line ${number} of stdin ${NOT_AN_ID} "${text}"\n  ${COLUMN}\n`
      return ['--from-file - --yes', stdin, 2, '', stderr, []]
    }),
  ])('%s with %j on stdin: exit %i', async (line, stdin, code, stdout, stderr, deleted) => {
    const argv = ['responses', 'delete', SURVEY, ...line.split(' ')]
    expect(await runCli(argv, { env: service.env, stdin })).toEqual(outcome(code, stdout, stderr))
    const left = service.server.app.responses.list(SURVEY).items.map(({ id }) => id)
    expect(left).toEqual([2, 1].filter((id) => !deleted.includes(id)))
    if (code === 2) expect(service.server.app.requests.list()).toEqual([])
  })
  it('asks once, with their number', async () => {
    const { code, stderr } = await runCli(['responses', 'delete', SURVEY, '1', '2'], {
      env: { ...service.env, NO_COLOR: '1' },
      terminal: 80,
      errorTerminal: true,
      reply: 'n\n',
    })
    expect([code, stderr]).toEqual([
      0,
      'Delete 2 responses (1, 2) of "Customer survey" with their answers and files?\nThis cannot be undone. [y/N] – nothing was deleted\n',
    ])
  })
  it('--from-file reads a file', async () => {
    const file = join(temporaryDirectory(), 'ids.csv')
    writeFileSync(file, '1\n')
    expect((await cli(['responses', 'delete', SURVEY, '--from-file', file, '--yes'])).stderr).toBe(
      `deleted 1 response of form ${SURVEY}\n`,
    )
  })
  it('--from-file reads ids that are typed on a terminal', async () => {
    const argv = ['responses', 'delete', SURVEY, '--from-file', '-', '--dry-run']
    expect((await runCli(argv, { env: service.env, reply: '1\n' })).code).toBe(0)
  })
  it.each([
    ['DELETE', '--yes'],
    ['GET', '--dry-run'],
  ])('takes no 404 of a proxy for a missing response: exit 6', async (method, option) => {
    const path = `/api/v1/forms/${SURVEY}/responses/1`
    service.server.app.faults.add({ path, method, status: 404, body: 'html' } as never)
    const { code, stdout, stderr } = await cli(['responses', 'delete', SURVEY, '1', '2', option])
    expect([code, stdout]).toEqual([6, ''])
    expect(stderr).not.toMatch(/deleted|not found/)
    expect(service.server.app.responses.list(SURVEY).total).toBe(2)
  })
})

describe('formwire responses delete', () => {
  it('[RESP-04] deletes with --yes', async () => {
    expect(await cli(['responses', 'delete', SURVEY, '1', '--yes', '--json'])).toEqual(
      outcome(0, '{"id":1,"deleted":true}\n'),
    )
    expect((await cli(['responses', 'get', SURVEY, '1'])).code).toBe(3)
    expect((await cli(['responses', 'delete', SURVEY, '1', '--yes'])).code).toBe(3)
  })
  it('prompts with the title on a terminal and deletes only on yes', async () => {
    const ask = (reply: string) =>
      runCli(['responses', 'delete', SURVEY, '1'], {
        env: { ...service.env, NO_COLOR: '1' },
        terminal: 80,
        errorTerminal: true,
        reply,
      })
    const question =
      'Delete response 1 of "Customer survey" (submitted 3 hours ago by\nbo@example.com) with its answers and files? This cannot be undone. [y/N] '
    const no = await ask('\n')
    expect(no).toEqual(outcome(0, '', `${question}– nothing was deleted\n`))
    expect((await cli(['responses', 'get', SURVEY, '1'])).code).toBe(0)
    const yes = await ask('y\n')
    expect(yes).toEqual(outcome(0, '', `${question}✓ deleted response 1 of form ${SURVEY}\n`))
    expect((await cli(['responses', 'get', SURVEY, '1'])).code).toBe(3)
  })
})

describe('[POLL-01] formwire responses tail', () => {
  const add = (name: string) =>
    service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: name }] })
  /** Runs a tail until it has printed `count` lines, adding a response after each. */
  const tail = async (argv: string[], count: number, names: string[]) => {
    const queue = [...names]
    const requests = (): number => service.server.app.requests.list().length
    const before = requests()
    const waiting = setInterval(() => {
      // The first request of the tail finds its start.
      if (requests() < before + 2) return
      const name = queue.shift()
      if (name) add(name)
    }, 60)
    const always = ['responses', 'tail', SURVEY, '--interval', '20ms', '--count', String(count)]
    const result = await cli([...always, ...argv])
    clearInterval(waiting)
    return result
  }

  it('starts now, independent of clocks, and prints oldest first', async () => {
    const { stdout, code, stderr } = await tail([], 2, ['Di', 'Ed'])
    expect(stdout.split('\n').map((line) => line.split('\t').at(-1))).toEqual(['Di', 'Ed', ''])
    expect([code, stderr]).toEqual([0, 'waiting for responses (Ctrl-C to stop)\n'])
  })
  it('prints lines on a terminal below a head, in columns that no response moves', async () => {
    add('A name that is far too long for what is left of this line of the terminal')
    const argv = ['responses', 'tail', SURVEY, '--since', '2026-11-21', '--count', '3']
    expect((await cli(argv, 80)).stdout).toBe(
      `TIME                        ID  EMAIL                      SCORE  ANSWERS
2026-11-21T09:00:00Z         1  bo@example.com                    Bo · 4
2026-11-21T11:30:00Z         2                                    5 · Fast, "ki…
2026-11-21T12:00:00Z         4                                    A name that i…
`,
    )
    expect((await cli(argv, 50)).stdout.split('\n').slice(0, 2)).toEqual([
      'TIME                        ID  ANSWERS',
      '2026-11-21T09:00:00Z         1  Bo · 4',
    ])
    expect((await cli(argv)).stdout.split('\n')[1]).toBe(
      '2\t2026-11-21T11:30:00.000Z\tsubmitted\t\t\t5 · Fast, "kind"',
    )
  })
  it('--since starts earlier; --json prints NDJSON', async () => {
    const { stdout, stderr } = await tail(['--since', '2026-11-21', '--json'], 3, ['Di'])
    expect(valuesOf(stdout).map(({ id }) => id)).toEqual([1, 2, 4])
    expect(stderr).toBe('')
  })
  it('prints the first response of an empty form', async () => {
    service.server.app.responses.delete(SURVEY, 1)
    service.server.app.responses.delete(SURVEY, 2)
    expect((await tail([], 1, ['First'])).stdout).toContain('First')
  })
  it('[POLL-02] --checkpoint resumes where the last run stopped', async () => {
    const path = join(temporaryDirectory(), 'seen')
    const names = ({ stdout }: { stdout: string }) => rowsOf(stdout).map((row) => row.at(-1))
    expect(names(await tail(['--checkpoint', path], 2, ['Di', 'Ed']))).toEqual(['Di', 'Ed'])
    add('Fay')
    // The aborted poll removes its lock within a second, or later in the background.
    await expect.poll(() => readdirSync(path).filter((name) => name.endsWith('.lock'))).toEqual([])
    expect(names(await tail(['--checkpoint', path], 2, ['Gus']))).toEqual(['Fay', 'Gus'])
  })
  it('--checkpoint creates no directory for a tail of an unknown form', async () => {
    const path = join(temporaryDirectory(), 'seen')
    const { code } = await cli(['responses', 'tail', SURVEY, 'unknown00000', '--checkpoint', path])
    expect([code, existsSync(path)]).toEqual([3, false])
  })
  it.runIf(existsSync('/proc/self'))('names a --checkpoint that cannot be created: exit 2', async () => {
    const { code, stderr } = await cli(['responses', 'tail', SURVEY, '--checkpoint', '/proc/none'])
    expect([code, stderr]).toEqual([
      2,
      'formwire: cannot write to /proc/none: its directory does not exist\n',
    ])
  })
  it('follows several forms, with the form id first', async () => {
    const { id: other } = service.server.app.forms.create({
      title: 'Other',
      questions: [{ id: 'name', type: 'short_text', title: 'Name' }],
    })
    service.server.app.forms.publish(other)
    service.server.app.responses.create(other, { answers: [{ question_id: 'name', value: 'Gus' }] })
    const args = ['responses', 'tail', SURVEY, other, '--since', '1d', '--interval', '20ms', '--count', '3']
    const { code, stdout } = await cli(args)
    expect(code).toBe(0)
    expect(
      rowsOf(stdout)
        .map(([form, id]) => `${form} ${id}`)
        .sort(),
    ).toEqual([`${SURVEY} 1`, `${SURVEY} 2`, `${other} 4`].sort())
  })
  const quickTail = (argv: string[]) =>
    runCli(['responses', 'tail', SURVEY, ...argv], {
      env: { ...service.env, NO_COLOR: '1' },
      retriesAtOnce: true,
    })
  it('[RATE-01] waits as often as it is rate limited', async () => {
    service.server.app.faults.add({
      path: '/api/v1/forms/*/responses',
      status: 429,
      retry_after: 1,
      times: 3,
    })
    const { code, stdout, stderr } = await quickTail(['--since', '1d', '--count', '2'])
    expect([code, stdout.split('\n').length]).toEqual([0, 3])
    expect(stderr.match(/^rate limited; retrying in 1 s$/gm)).toHaveLength(3)
    expect(stderr).not.toContain('connection lost')
  })
  it.each([
    ['fails', { status: 503 }],
    ['is behind a proxy that responds with pages and 200', { status: 200, body: 'html' }],
  ])('reports an outage once when it begins and once when it ends: the server %s', async (_how, fault) => {
    service.server.app.faults.add({ path: '/api/v1/forms/*/responses', times: 3, ...fault } as never)
    const { code, stderr } = await quickTail(['--since', '1d', '--count', '2'])
    expect(code).toBe(0)
    expect(stderr.match(/^connection lost \(.*\); reconnecting$/gm)).toHaveLength(1)
    expect(stderr.match(/^connected again$/gm)).toHaveLength(1)
  })
})
