import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { outcome, runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, testService } from '../support/service.ts'

let service: Service
beforeEach(async () => {
  service = await testService()
})

const cli = (argv: string[], terminal?: number) =>
  runCli(argv, { env: { ...service.env, NO_COLOR: '1' }, ...(terminal === undefined ? {} : { terminal }) })

describe('formwire responses list', () => {
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
  it('--since takes weeks', async () => {
    expect((await cli(['responses', 'list', SURVEY, '--since', '2w'])).stdout.split('\n')).toHaveLength(3)
  })
})

describe('formwire responses delete of several', () => {
  it('deletes each and reports those that do not exist: exit 3', async () => {
    expect(await cli(['responses', 'rm', SURVEY, '1', '9', '2', '1', '--yes'])).toEqual(
      outcome(
        3,
        '',
        `deleted 2 responses of form ${SURVEY}\n${''}formwire: 1 of 3 responses of form ${SURVEY} not found: 9\n`,
      ),
    )
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
  it('deletes nothing for an empty list on stdin: exit 0', async () => {
    const argv = ['responses', 'delete', SURVEY, '--from-file', '-', '--yes']
    expect(await cli(argv)).toEqual(outcome(0, '', 'no response ids in stdin: nothing was deleted\n'))
    expect((await cli([...argv, '--json'])).stdout).toBe('[]\n')
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
