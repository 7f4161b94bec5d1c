import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.server.close())

const cli = (argv: string[], terminal?: number) =>
  runCli(argv, { env: { ...service.env, NO_COLOR: '1' }, ...(terminal === undefined ? {} : { terminal }) })

describe('formwire responses list', () => {
  it('[RESP-01] newest first, tab-separated on a pipe', async () => {
    expect(await cli(['responses', 'list', SURVEY])).toEqual({
      code: 0,
      stderr: '',
      stdout: `2\t2026-11-21T11:30:00.000Z\tsubmitted\t\t\t5 · Fast, "kind"
1\t2026-11-21T09:00:00.000Z\tsubmitted\tbo@example.com\t\tBo · 4
`,
    })
  })
  it('on a terminal', async () => {
    expect(
      (await cli(['responses', 'list', SURVEY], 90)).stdout,
    ).toBe(`ID  SUBMITTED       STATUS     EMAIL           ANSWERS
 2  30 minutes ago  submitted                  5 · Fast, "kind"
 1  3 hours ago     submitted  bo@example.com  Bo · 4

2 responses
`)
  })
  it('[RESP-02] --since is passed on; a span counts back from now', async () => {
    expect((await cli(['responses', 'list', SURVEY, '--since', '2026-11-21T11:30Z'])).stdout).toMatch(
      /^2\t[^\n]*\n$/,
    )
    expect((await cli(['responses', 'list', SURVEY, '--since', '1h'])).stdout).toMatch(/^2\t[^\n]*\n$/)
    const refused = await cli(['responses', 'list', SURVEY, '--since', 'yesterday'])
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain('since')
  })
  it('[RESP-01] --status in_progress lists drafts', async () => {
    expect((await cli(['responses', 'list', SURVEY, '--status', 'in_progress'])).stdout).toMatch(
      /^3\t.*\tin_progress\t\t\tCy\n$/,
    )
  })
  it('[ENV-04] prints fields that it does not know', async () => {
    const other = await startService({ unspecified: { extraFields: 'true' } as never })
    const { stdout, code } = await runCli(['responses', 'list', SURVEY, '--json'], { env: other.env })
    await other.server.close()
    const direct = JSON.parse(stdout) as Record<string, unknown>[]
    expect(code).toBe(0)
    expect(Object.keys(direct[0] ?? {}).length).toBeGreaterThan(11)
  })
})

describe('formwire responses get', () => {
  it('one line a field, then one an answer', async () => {
    expect((await cli(['responses', 'get', SURVEY, '2'])).stdout).toBe(`id\t2
form_id\tsurvey000001
status\tsubmitted
started_at\t2026-11-21T11:30:00.000Z
submitted_at\t2026-11-21T11:30:00.000Z
duration_sec\t0
email\t
score\t
stars\t5
why\tFast, "kind"
`)
  })
  it('on a terminal', async () => {
    expect((await cli(['responses', 'get', SURVEY, '1'], 80)).stdout).toBe(`Id         1
Form       survey000001
Status     submitted
Started    3 hours ago (2026-11-21T09:00:00.000Z)
Submitted  3 hours ago (2026-11-21T09:00:00.000Z)
Took       0 s
Email      bo@example.com
Score      none
Name       Bo
Stars      4
`)
  })
  it('[RESP-03] a response of another form: exit 3', async () => {
    expect((await cli(['responses', 'get', PARTY, '1'])).code).toBe(3)
  })
})

describe('formwire responses delete', () => {
  it('where nobody can be asked: exit 2 and nothing done, not even a request', async () => {
    const before = service.server.app.requests.list().length
    expect(await cli(['responses', 'delete', SURVEY, '1'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'formwire: deleting needs --yes where nobody can be asked; nothing was deleted\n  add --yes\n',
    })
    expect(service.server.app.requests.list()).toHaveLength(before)
  })
  it('[RESP-04] with --yes deletes', async () => {
    expect(await cli(['responses', 'delete', SURVEY, '1', '--yes', '--json'])).toEqual({
      code: 0,
      stdout: '{"id":1,"deleted":true}\n',
      stderr: '',
    })
    expect((await cli(['responses', 'get', SURVEY, '1'])).code).toBe(3)
    expect((await cli(['responses', 'delete', SURVEY, '1', '--yes'])).code).toBe(3)
  })
  it('on a terminal asks, with the title, and deletes only on yes', async () => {
    const ask = (answer: string) =>
      runCli(['responses', 'delete', SURVEY, '1'], {
        env: service.env,
        terminal: 80,
        errorTerminal: true,
        answer,
      })
    const question =
      'Delete response 1 of "Customer survey" (submitted 2026-11-21T09:00:00.000Z by bo@example.com) with its answers and files? It cannot be undone. [y/N] '
    const no = await ask('\n')
    expect(no.code).toBe(1)
    expect(no.stderr.startsWith(question)).toBe(true)
    expect((await cli(['responses', 'get', SURVEY, '1'])).code).toBe(0)
    const yes = await ask('y\n')
    expect(yes).toEqual({ code: 0, stdout: '', stderr: `${question}deleted response 1 of form ${SURVEY}\n` })
    expect((await cli(['responses', 'get', SURVEY, '1'])).code).toBe(3)
  })
})

describe('formwire responses export', () => {
  it('CSV: oldest first, one column a question in the order of the form, RFC 4180', async () => {
    expect(await cli(['responses', 'export', SURVEY])).toEqual({
      code: 0,
      stderr: '2 responses\n',
      stdout:
        'id,status,started_at,submitted_at,duration_sec,email,score,max_score,Name,Stars,Why?\r\n' +
        '1,submitted,2026-11-21T09:00:00.000Z,2026-11-21T09:00:00.000Z,0,bo@example.com,,,Bo,4,\r\n' +
        '2,submitted,2026-11-21T11:30:00.000Z,2026-11-21T11:30:00.000Z,0,,,,,5,"Fast,\n""kind"""\r\n',
    })
  })
  it('CSV is safe in a spreadsheet: formulas are quoted, numbers stay numbers', async () => {
    service.server.app.responses.create(SURVEY, {
      answers: [
        { question_id: 'name', value: '=HYPERLINK("http://x","y")' },
        { question_id: 'stars', value: 3 },
        { question_id: 'why', value: '-2+3\u001b[31m' },
      ],
    })
    const { stdout } = await cli(['responses', 'export', SURVEY, '--since', '1m'])
    expect(stdout.split('\r\n')[1]).toMatch(/,"'=HYPERLINK\(""http:\/\/x"",""y""\)",3,'-2\+3\[31m$/)
  })
  it('NDJSON and JSON', async () => {
    const lines = (await cli(['responses', 'export', SURVEY, '--format', 'ndjson'])).stdout
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2])
    const json = await cli(['responses', 'export', SURVEY, '--json'])
    expect((JSON.parse(json.stdout) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2])
    expect(json.stderr).toBe('')
    expect((await cli(['responses', 'export', PARTY, '--json'])).stdout).toBe('[]\n')
  })
  it('drafts too, and a form that is not there writes nothing', async () => {
    expect(
      (await cli(['responses', 'export', SURVEY, '--status', 'in_progress', '--format', 'ndjson'])).stdout,
    ).toContain('"Cy"')
    expect(await cli(['responses', 'export', 'nothere00000'])).toMatchObject({ code: 3, stdout: '' })
  })
  it('shows progress on stderr when that is a terminal', async () => {
    for (let number = 0; number < 150; number += 1) {
      service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'stars', value: 1 }] })
    }
    const { stderr } = await runCli(['responses', 'export', SURVEY], {
      env: service.env,
      terminal: 80,
      errorTerminal: true,
    })
    expect(stderr).toContain('\r\u001b[2K100 of 152 responses …')
    expect(stderr.endsWith('\r\u001b[2K152 responses\n')).toBe(true)
  })
})

describe('[POLL-01] formwire responses tail', () => {
  const add = (name: string) =>
    service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: name }] })
  /** Runs a tail until it has printed `count` lines, adding a response after each. */
  const tail = async (argv: string[], count: number, names: string[]) => {
    const queue = [...names]
    const waiting = setInterval(() => {
      const name = queue.shift()
      if (name) add(name)
    }, 60)
    const result = await cli([
      'responses',
      'tail',
      SURVEY,
      '--interval',
      '20ms',
      '--count',
      String(count),
      ...argv,
    ])
    clearInterval(waiting)
    return result
  }

  it('begins now, whatever the clocks say, and goes oldest first', async () => {
    const { stdout, code, stderr } = await tail([], 2, ['Di', 'Ed'])
    expect(stdout.split('\n').map((line) => line.split('\t').at(-1))).toEqual(['Di', 'Ed', ''])
    expect([code, stderr]).toEqual([0, 'waiting for responses; Ctrl-C ends\n'])
  })
  it('--since begins earlier; --json is NDJSON', async () => {
    const { stdout, stderr } = await tail(['--since', '2026-11-21', '--json'], 3, ['Di'])
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: number }).id),
    ).toEqual([1, 2, 4])
    expect(stderr).toBe('')
  })
  it('a form without responses: the first one is told', async () => {
    service.server.app.responses.delete(SURVEY, 1)
    service.server.app.responses.delete(SURVEY, 2)
    expect((await tail([], 1, ['First'])).stdout).toContain('First')
  })
  it('a form that is not there: exit 3 at once', async () => {
    expect(await cli(['responses', 'tail', 'nothere00000'])).toMatchObject({ code: 3, stdout: '' })
  })
  it('[POLL-02] --checkpoint goes on where the last run stopped', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'formwire-tail-')), 'seen.json')
    const names = ({ stdout }: { stdout: string }) =>
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t').at(-1))
    expect(names(await tail(['--checkpoint', file], 2, ['Di', 'Ed']))).toEqual(['Di', 'Ed'])
    add('Fay')
    expect(names(await tail(['--checkpoint', file], 2, ['Gus']))).toEqual(['Fay', 'Gus'])
  })
})
