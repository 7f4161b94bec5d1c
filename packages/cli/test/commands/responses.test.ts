import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { hostileService } from '../support/hostile-service.ts'
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
  it('[RESP-01] prints newest first, tab-separated on a pipe', async () => {
    expect(await cli(['responses', 'list', SURVEY])).toEqual({
      code: 0,
      stderr: '',
      stdout: `2\t2026-11-21T11:30:00.000Z\tsubmitted\t\t\t5 · Fast, "kind"
1\t2026-11-21T09:00:00.000Z\tsubmitted\tbo@example.com\t\tBo · 4
`,
    })
  })
  it('prints aligned text on a terminal', async () => {
    expect(
      (await cli(['responses', 'list', SURVEY], 90)).stdout,
    ).toBe(`ID  SUBMITTED       STATUS     EMAIL           ANSWERS
 2  30 minutes ago  submitted                  5 · Fast, "kind"
 1  3 hours ago     submitted  bo@example.com  Bo · 4

2 responses
`)
  })
  it('[RESP-02] --since filters by submission time; a span counts back from now', async () => {
    expect((await cli(['responses', 'list', SURVEY, '--since', '2026-11-21T11:30Z'])).stdout).toMatch(
      /^2\t[^\n]*\n$/,
    )
    expect((await cli(['responses', 'list', SURVEY, '--since', '1h'])).stdout).toMatch(/^2\t[^\n]*\n$/)
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
  it.each([
    '2026-11-21',
    '2026-11-21 11:30',
    '2026-11-21T11:29:59.123456Z',
    '2026-11-21T11:30+0000',
    '2026-11-21T12:30:00+01:00',
  ])('[RESP-02] list --since accepts %s', async (since) => {
    const { code, stdout } = await cli(['responses', 'list', SURVEY, '--since', since])
    expect([code, stdout.length > 0]).toEqual([0, true])
  })
  it('[RESP-01] --status in_progress lists drafts', async () => {
    expect((await cli(['responses', 'list', SURVEY, '--status', 'in_progress'])).stdout).toMatch(
      /^3\t.*\tin_progress\t\t\tCy\n$/,
    )
  })
  it('[ENV-04] prints unknown fields', async () => {
    const other = await startService({ unspecified: { extraFields: 'true' } as never })
    const { stdout, code } = await runCli(['responses', 'list', SURVEY, '--json'], { env: other.env })
    await other.server.close()
    const direct = JSON.parse(stdout) as Record<string, unknown>[]
    expect(code).toBe(0)
    expect(Object.keys(direct[0] ?? {}).length).toBeGreaterThan(11)
  })
})

const RESPONSE = {
  id: 1,
  form_id: SURVEY,
  status: 'submitted',
  started_at: '2026-11-21T09:00:00.000Z',
  submitted_at: '2026-11-21T09:00:00.000Z',
  duration_sec: 0,
  email: null,
  score: null,
  max_score: null,
  meta: {},
}

describe('formwire responses get', () => {
  it('prints no control character of a question id on a pipe', async () => {
    const answer = {
      question_id: 'a\u001b]0;owned\u0007\u202e\tb',
      type: 'short_text',
      title: 'Q',
      text: 'yes',
    }
    const env = await hostileService({ ...RESPONSE, answers: [answer] })
    const { stdout } = await runCli(['responses', 'get', SURVEY, '1'], { env })
    expect(stdout.split('\n').at(-2)).toBe('answer.a]0;owned b\tyes')
  })
  it('prints one line per field, then one per answer, whose further lines begin with a tab', async () => {
    expect((await cli(['responses', 'get', SURVEY, '2'])).stdout).toBe(`id\t2
form_id\tsurvey000001
status\tsubmitted
started_at\t2026-11-21T11:30:00.000Z
submitted_at\t2026-11-21T11:30:00.000Z
duration_sec\t0
email\t
score\t
answer.stars\t5
answer.why\tFast,
\t"kind"
`)
  })
  it('prints aligned text on a terminal', async () => {
    expect((await cli(['responses', 'get', SURVEY, '1'], 80)).stdout).toBe(`Id         1
Form       survey000001
Status     submitted
Started    3 hours ago (2026-11-21T09:00:00.000Z)
Submitted  3 hours ago (2026-11-21T09:00:00.000Z)
Duration   0 s
Email      bo@example.com
Score      none
Name       Bo
Stars      4
`)
  })
  it('[RESP-03] exits with 3 for a response of another form', async () => {
    const { code, stderr } = await cli(['responses', 'get', PARTY, '1'])
    expect([code, stderr]).toEqual([
      3,
      `formwire: response 1 of form ${PARTY} not found\n  see formwire responses list ${PARTY}\n`,
    ])
  })
  it('gives a question that is longer than a third of the terminal its own line, and keeps line breaks', async () => {
    const form = service.server.app.forms.create({
      title: 'Long',
      questions: [
        { id: 'email', type: 'short_text', title: 'How likely are you to recommend us to a friend?' },
        { id: 'why', type: 'long_text', title: 'Why?' },
      ],
    })
    service.server.app.forms.publish(form.id)
    const { id } = service.server.app.responses.create(form.id, {
      answers: [
        { question_id: 'email', value: 'Very' },
        { question_id: 'why', value: 'Fast.\nKind, and it answers every question that I could think of.' },
      ],
    })
    const { stdout } = await cli(['responses', 'get', form.id, String(id)], 60)
    expect(stdout.slice(stdout.indexOf('Score'))).toBe(`Score      none
How likely are you to recommend us to a friend?
           Very
Why?       Fast.
           Kind, and it answers every question that I could
           think of.
`)
    const piped = (await cli(['responses', 'get', form.id, String(id)])).stdout
    expect(piped).toContain('\nemail\t\n')
    expect(piped).toMatch(/^answer\.email\tVery$/m)
  })
})

describe('formwire responses list --columns', () => {
  it('shows members and answers', async () => {
    const argv = ['responses', 'list', SURVEY, '--columns', 'id,answer.stars,duration_sec']
    expect((await cli(argv)).stdout).toBe('2\t5\t0\n1\t4\t0\n')
    expect((await cli(argv, 80)).stdout).toBe(
      `ID  STARS  DURATION SEC
 2  5      0
 1  4      0

2 responses
`.replace('Stars', 'STARS'),
    )
    expect((await cli([...argv, '--format', 'csv'])).stdout).toBe(
      'id,answer.stars,duration_sec\r\n2,5,0\r\n1,4,0\r\n',
    )
    expect((await cli(['responses', 'list', SURVEY, '--json', 'id,answer.stars'])).stdout).toBe(
      '[{"id":2,"answer.stars":5},{"id":1,"answer.stars":4}]\n',
    )
  })
  it.each([undefined, 80])(
    'reports ids without an answer with those that have one (%s columns)',
    async (terminal) => {
      const warning =
        'none of the 2 responses shown has an answer to "nosuch"; answered questions: stars, why, name\n'
      const list = ['responses', 'list', SURVEY]
      const table = await cli([...list, '--columns', 'id,answer.nosuch'], terminal)
      expect([table.code, table.stderr]).toEqual([0, warning])
      expect(table.stdout).toBe(
        terminal === undefined ? '2\t\n1\t\n' : 'ID  ANSWER.NOSUCH\n 2\n 1\n\n2 responses\n',
      )
      expect(
        (await cli([...list, '--columns', 'answer.nosuch', '-L', '1', '--format', 'csv'], terminal)).stderr,
      ).toContain('the response shown has no answer to "nosuch"; answered questions: stars, why\n')
      expect(
        JSON.parse((await cli([...list, '--json', 'id,answer.nosuch,answer.no'], terminal)).stderr),
      ).toEqual({
        event: 'unanswered_columns',
        message:
          'none of the 2 responses shown has an answer to "nosuch" or "no"; answered questions: stars, why, name',
      })
      expect((await cli([...list, '--columns', 'answer.nosuch', '--quiet'], terminal)).stderr).toBe('')
      expect((await cli([...list, '--columns', 'answer.why'], terminal)).stderr).toBe('')
      expect(
        (await cli(['responses', 'export', SURVEY, '--json', 'id,answer.nosuch'], terminal)).stderr,
      ).toContain('unanswered_columns')
    },
  )
  it.each([
    [['--limit', '150', '--page', '2'], 102, 103],
    [['--limit', '100', '--page', '2'], 100, 153],
    [['--all', '--limit', '10', '--page', '2'], 242, 243],
    [['--all', '--page', '3'], 52, 53],
  ])('--page counts in steps of --limit: %j', async (argv, count, first) => {
    for (let number = 0; number < 250; number += 1)
      service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: 'N' }] })
    const rows = (await cli(['responses', 'list', SURVEY, ...argv])).stdout.trimEnd().split('\n')
    expect([rows.length, Number(rows[0]?.split('\t')[0])]).toEqual([count, first])
  })
  it.each([
    // The header has the questions of all responses.
    [250, { header: 3, hundred: 3, next: 3, all: 3 }],
    // The header comes after the ten pages that it is from, the first hundred rows before any other page.
    [1050, { header: 10, hundred: 10, next: 11, all: 20 }],
  ])('CSV of %i responses has a header with every question', async (number, expected) => {
    for (let at = 0; at < number; at += 1)
      service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: 'N' }] })
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
  it('CSV without columns is that of an export', async () => {
    expect((await cli(['responses', 'list', SURVEY, '--format', 'csv'])).stdout).toBe(
      'id,status,started_at,submitted_at,duration_sec,email,score,max_score,Name,Stars,Why?\r\n' +
        '2,submitted,2026-11-21T11:30:00.000Z,2026-11-21T11:30:00.000Z,0,,,,,5,"Fast,\n""kind"""\r\n' +
        '1,submitted,2026-11-21T09:00:00.000Z,2026-11-21T09:00:00.000Z,0,bo@example.com,,,Bo,4,\r\n',
    )
  })
  it('--status must be known; --since takes weeks', async () => {
    expect((await cli(['responses', 'list', SURVEY, '--status', 'draft'])).stderr).toBe(
      'formwire: --status must be one of submitted, in_progress, got "draft"\n',
    )
    expect((await cli(['responses', 'list', SURVEY, '--since', '2w'])).stdout.split('\n')).toHaveLength(3)
  })
})

describe('formwire responses delete of several', () => {
  it('deletes each and reports those that do not exist: exit 3', async () => {
    expect(await cli(['responses', 'rm', SURVEY, '1', '9', '2', '1', '--yes'])).toEqual({
      code: 3,
      stdout: '',
      stderr: `deleted 2 responses of form ${SURVEY}\n${''}formwire: 1 of 3 responses of form ${SURVEY} not found: 9\n`,
    })
    expect((await cli(['responses', 'list', SURVEY])).stderr).toBe('no responses found\n')
  })
  it('prints an array with --json', async () => {
    expect((await cli(['responses', 'delete', SURVEY, '1', '2', '--yes', '--json'])).stdout).toBe(
      '[{"id":1,"deleted":true},{"id":2,"deleted":true}]\n',
    )
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
  it('--dry-run prints them and deletes nothing, without --yes', async () => {
    const { code, stdout, stderr } = await cli(['responses', 'delete', SURVEY, '1', '9', '--dry-run'])
    expect([code, stdout]).toEqual([3, '1\t2026-11-21T09:00:00.000Z\tsubmitted\tbo@example.com\t\tBo · 4\n'])
    expect(stderr).toBe(
      `dry run: 1 response of form ${SURVEY} would be deleted; nothing was deleted\n${''}formwire: 1 of 2 responses of form ${SURVEY} not found: 9\n`,
    )
    expect((await cli(['responses', 'get', SURVEY, '1'])).code).toBe(0)
  })
  it('--from-file reads the first column, also of a list or an export on stdin', async () => {
    const file = join(temporaryDirectory(), 'ids.csv')
    writeFileSync(file, 'id,status\r\n1,submitted\r\n')
    expect((await cli(['responses', 'delete', SURVEY, '--from-file', file, '--yes'])).stderr).toBe(
      `deleted 1 response of form ${SURVEY}\n`,
    )
    const list = (await cli(['responses', 'list', SURVEY])).stdout
    const { code, stderr } = await runCli(['responses', 'delete', SURVEY, '--from-file', '-', '--yes'], {
      env: service.env,
      stdin: list,
    })
    expect([code, stderr]).toEqual([0, `deleted 1 response of form ${SURVEY}\n`])
  })
  it('exits with 2 without an id, with a file that has something else, or cannot be read', async () => {
    const folder = temporaryDirectory()
    const bad = join(folder, 'bad.txt')
    writeFileSync(bad, '1\nx\n')
    for (const argv of [[], ['--from-file', join(folder, 'none')], ['--from-file', bad]]) {
      expect((await cli(['responses', 'delete', SURVEY, '--yes', ...argv])).code).toBe(2)
    }
    expect((await cli(['responses', 'get', SURVEY, '1'])).code).toBe(0)
  })
  it('deletes nothing for an empty list on stdin: exit 0', async () => {
    const argv = ['responses', 'delete', SURVEY, '--from-file', '-', '--yes']
    expect(await cli(argv)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no response ids in stdin: nothing was deleted\n',
    })
    expect((await cli([...argv, '--json'])).stdout).toBe('[]\n')
  })
  it('--from-file reads ids that are typed on a terminal', async () => {
    const argv = ['responses', 'delete', SURVEY, '--from-file', '-', '--dry-run']
    expect((await runCli(argv, { env: service.env, reply: '1\n' })).code).toBe(0)
  })
  it('stops at an unknown form: exit 3', async () => {
    const { code, stderr } = await cli(['responses', 'delete', 'nothere00000', '1', '2', '--yes'])
    expect([code, stderr.split('\n')[0]]).toEqual([3, 'formwire: form nothere00000 not found'])
  })
})

describe('formwire responses delete', () => {
  it('exits with 2 without a terminal or --yes, before any request', async () => {
    const before = service.server.app.requests.list().length
    expect(await cli(['responses', 'delete', SURVEY, '1'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'formwire: refusing to delete without confirmation: not on a terminal\n  pass --yes to delete without confirmation\n',
    })
    expect(service.server.app.requests.list()).toHaveLength(before)
  })
  it('[RESP-04] deletes with --yes', async () => {
    expect(await cli(['responses', 'delete', SURVEY, '1', '--yes', '--json'])).toEqual({
      code: 0,
      stdout: '{"id":1,"deleted":true}\n',
      stderr: '',
    })
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
    expect(no).toEqual({ code: 0, stdout: '', stderr: `${question}– nothing was deleted\n` })
    expect((await cli(['responses', 'get', SURVEY, '1'])).code).toBe(0)
    const yes = await ask('y\n')
    expect(yes).toEqual({
      code: 0,
      stdout: '',
      stderr: `${question}✓ deleted response 1 of form ${SURVEY}\n`,
    })
    expect((await cli(['responses', 'get', SURVEY, '1'])).code).toBe(3)
  })
})

describe('formwire responses export', () => {
  it('writes RFC 4180 CSV, oldest first, one column per question in the order of the form', async () => {
    expect(await cli(['responses', 'export', SURVEY])).toEqual({
      code: 0,
      stderr: '2 responses\n',
      stdout:
        'id,status,started_at,submitted_at,duration_sec,email,score,max_score,Name,Stars,Why?\r\n' +
        '1,submitted,2026-11-21T09:00:00.000Z,2026-11-21T09:00:00.000Z,0,bo@example.com,,,Bo,4,\r\n' +
        '2,submitted,2026-11-21T11:30:00.000Z,2026-11-21T11:30:00.000Z,0,,,,,5,"Fast,\n""kind"""\r\n',
    })
  })
  it('prefixes formulas in CSV with an apostrophe and keeps numbers', async () => {
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
  it('quotes an answer with a line feed', async () => {
    service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'why', value: 'One\ntwo' }] })
    expect((await cli(['responses', 'export', SURVEY, '--since', '1m'])).stdout).toMatch(/,"One\ntwo"\r\n$/)
  })
  it('writes NDJSON and JSON', async () => {
    const lines = (await cli(['responses', 'export', SURVEY, '--format', 'ndjson'])).stdout
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2])
    expect((await cli(['responses', 'export', SURVEY, '--json', 'id,answer.stars'])).stdout).toBe(
      '[{"id":1,"answer.stars":4},\n{"id":2,"answer.stars":5}]\n',
    )
    const json = await cli(['responses', 'export', SURVEY, '--json'])
    expect((JSON.parse(json.stdout) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2])
    expect(json.stderr).toBe('')
    expect((await cli(['responses', 'export', PARTY, '--json'])).stdout).toBe('[]\n')
  })
  it('exports drafts, and writes nothing for an unknown form', async () => {
    expect(
      (await cli(['responses', 'export', SURVEY, '--status', 'in_progress', '--format', 'ndjson'])).stdout,
    ).toContain('"Cy"')
    expect(await cli(['responses', 'export', 'nothere00000'])).toMatchObject({ code: 3, stdout: '' })
  })
  it('shows progress when stderr is a terminal', async () => {
    for (let number = 0; number < 150; number += 1) {
      service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'stars', value: 1 }] })
    }
    const { stderr } = await runCli(['responses', 'export', SURVEY], {
      env: { ...service.env, NO_COLOR: '1' },
      terminal: 80,
      errorTerminal: true,
    })
    expect(stderr).toContain(`\r\u001b[2K${'━'.repeat(13)}${'─'.repeat(7)} 100 of 152 responses (65%)`)
    expect(stderr.endsWith('\r\u001b[2K✓ 152 responses\n')).toBe(true)
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

  it('starts now, independent of clocks, and prints oldest first', async () => {
    const { stdout, code, stderr } = await tail([], 2, ['Di', 'Ed'])
    expect(stdout.split('\n').map((line) => line.split('\t').at(-1))).toEqual(['Di', 'Ed', ''])
    expect([code, stderr]).toEqual([0, 'waiting for responses (Ctrl-C to stop)\n'])
  })
  it('prints columns on a terminal, one line per response', async () => {
    add('A name that is far too long for what is left of this line of the terminal')
    const argv = ['responses', 'tail', SURVEY, '--since', '2026-11-21', '--count', '3']
    expect((await cli(argv, 80)).stdout).toBe(
      ` 1  2026-11-21T09:00:00Z  submitted  bo@example.com         Bo · 4
 2  2026-11-21T11:30:00Z  submitted                         5 · Fast, "kind"
 4  2026-11-21T12:00:00Z  submitted                         A name that is far…
`,
    )
    expect((await cli(argv)).stdout.split('\n')[1]).toBe(
      '2\t2026-11-21T11:30:00.000Z\tsubmitted\t\t\t5 · Fast, "kind"',
    )
  })
  it('--since starts earlier; --json prints NDJSON', async () => {
    const { stdout, stderr } = await tail(['--since', '2026-11-21', '--json'], 3, ['Di'])
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: number }).id),
    ).toEqual([1, 2, 4])
    expect(stderr).toBe('')
  })
  it('--json FIELDS prints only these fields of each', async () => {
    const argv = ['--since', '2026-11-21', '--count', '2', '--json', 'id,answer.stars']
    expect((await cli(['responses', 'tail', SURVEY, ...argv])).stdout).toBe(
      '{"id":1,"answer.stars":4}\n{"id":2,"answer.stars":5}\n',
    )
  })
  it('prints the first response of an empty form', async () => {
    service.server.app.responses.delete(SURVEY, 1)
    service.server.app.responses.delete(SURVEY, 2)
    expect((await tail([], 1, ['First'])).stdout).toContain('First')
  })
  it('exits with 3 for an unknown form', async () => {
    expect(await cli(['responses', 'tail', 'nothere00000'])).toMatchObject({ code: 3, stdout: '' })
  })
  it.each([
    ['responses', 'tail', SURVEY],
    ['listen', '--poll', '--form', SURVEY],
  ])('%s: a --checkpoint that is another file is refused and left alone', async (...argv) => {
    const file = join(temporaryDirectory(), 'notes.txt')
    writeFileSync(file, 'notes')
    const { code, stdout, stderr } = await runCli([...argv, '--checkpoint', file], { env: service.env })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(
      `formwire: ${file} is not a checkpoint\n  choose another file, or remove this one to start over\n`,
    )
    expect(readFileSync(file, 'utf8')).toBe('notes')
  })

  it.each(['file', 'directory'])(
    '[POLL-02] --checkpoint resumes from a %s where the last run stopped',
    async (kind) => {
      const parent = temporaryDirectory()
      const path = kind === 'file' ? join(parent, 'seen') : parent
      const names = ({ stdout }: { stdout: string }) =>
        stdout
          .trimEnd()
          .split('\n')
          .map((line) => line.split('\t').at(-1))
      expect(names(await tail(['--checkpoint', path], 2, ['Di', 'Ed']))).toEqual(['Di', 'Ed'])
      add('Fay')
      // The aborted poll removes its lock within a second, or later in the background.
      await expect.poll(() => readdirSync(parent).filter((name) => name.endsWith('.lock'))).toEqual([])
      expect(names(await tail(['--checkpoint', path], 2, ['Gus']))).toEqual(['Fay', 'Gus'])
    },
  )
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
    const cells = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(cells.map(([form, id]) => `${form} ${id}`).sort()).toEqual(
      [`${SURVEY} 1`, `${SURVEY} 2`, `${other} 4`].sort(),
    )
    expect(await cli(['responses', 'tail', SURVEY, 'nothere00000'])).toMatchObject({ code: 3, stdout: '' })
    expect(await cli(['responses', 'tail', SURVEY, SURVEY])).toMatchObject({ code: 2, stdout: '' })
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
  it('reports an outage once when it begins and once when it ends', async () => {
    service.server.app.faults.add({ path: '/api/v1/forms/*/responses', status: 503, times: 3 })
    const { code, stderr } = await quickTail(['--since', '1d', '--count', '2'])
    expect(code).toBe(0)
    expect(stderr.match(/^connection lost \(.*\); reconnecting$/gm)).toHaveLength(1)
    expect(stderr.match(/^connected again$/gm)).toHaveLength(1)
  })
  it('names the request of a lost connection only with --verbose', async () => {
    const run = async (...more: string[]) => {
      service.server.app.faults.add({ path: '/api/v1/forms/*/responses', reset: true, times: 3 })
      return await quickTail(['--since', '1d', '--count', '2', ...more])
    }
    const { code, stderr } = await run()
    expect(code).toBe(0)
    expect(stderr).toMatch(/^connection lost \([^/]*\); reconnecting$/m)
    expect(stderr).not.toContain('GET')
    expect((await run('--verbose')).stderr).toContain(`GET /forms/${SURVEY}/responses?since=`)
  })
})
