import { beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, testService } from '../support/service.ts'

let service: Service
beforeEach(async () => {
  service = await testService()
})

const plain = { NO_COLOR: '1' }
const cli = (argv: string[], terminal?: number) =>
  runCli(argv, { env: { ...service.env, ...plain }, ...(terminal === undefined ? {} : { terminal }) })

describe('formwire whoami', () => {
  it('prints where the key comes from', async () => {
    expect(await cli(['whoami'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `user\tAda Byron <ada@example.com>
workspace\tAnalytical (1)
role\towner
key\tCI (svc_wwwwww…)
scope\twrite
key_source\tFORMWIRE_API_KEY
base_url\t${service.url}
`,
    })
  })
  it('[ME-01] prints the data of the API with --json', async () => {
    expect(JSON.parse((await cli(['whoami', '--json'])).stdout)).toEqual({
      user: { id: 1, name: 'Ada Byron', email: 'ada@example.com' },
      workspace: { id: 1, name: 'Analytical', role: 'owner' },
      key: { id: 1, name: 'CI', prefix: 'svc_wwwwww', scope: 'write' },
    })
  })
})

describe('formwire forms list', () => {
  it('[FORM-01] prints tab-separated lines with full timestamps on a pipe', async () => {
    expect(await cli(['forms', 'list'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `${SURVEY}\tCustomer survey\tpublished\t2\t2026-11-21T10:00:00.000Z
${PARTY}\tParty\tclosed\t0\t2026-11-21T07:00:00.000Z
`,
    })
  })
  it.each([
    ['forms list', '3 days ago'],
    [`forms get ${SURVEY}`, '3 days ago (2026-11-21T10:00:00.000Z)'],
    [`responses list ${SURVEY}`, '3 days ago'],
    [`webhooks list ${SURVEY}`, '3 days ago'],
  ])('%s has times relative to the clock of the server', async (command, expected) => {
    await service.server.clock.advance('3d')
    expect((await cli(command.split(' '), 80)).stdout).toContain(expected)
  })
  it('prints a table with relative times and a count on a terminal', async () => {
    expect(await cli(['forms', 'list'], 80)).toEqual({
      code: 0,
      stderr: '',
      stdout: `ID            TITLE            STATUS     RESPONSES  UPDATED
survey000001  Customer survey  published          2  2 hours ago
party0000001  Party            closed             0  5 hours ago

2 forms
`,
    })
  })
  it('notes on stderr that a piped list is truncated, unless --quiet', async () => {
    expect((await cli(['forms', 'list', '--limit', '1'])).stderr).toBe('1 of 2 forms; use --all to see all\n')
    expect((await cli(['forms', 'list', '--limit', '1', '--quiet'])).stderr).toBe('')
  })
  it('--page starts at a later page, --all lists everything', async () => {
    const second = await cli(['forms', 'list', '--limit', '1', '--page', '2'])
    expect([second.stdout.split('\t')[0], second.stderr]).toEqual([
      PARTY,
      'number 2 of 2 forms; use --all to see all\n',
    ])
    expect((await cli(['forms', 'list', '--all'])).stdout.split('\n')).toHaveLength(3)
  })
  it('prints a note on stderr for an empty result, [] with --json: exit 0', async () => {
    expect(await cli(['forms', 'list', '--status', 'archived'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no forms found\n',
    })
    expect(await cli(['forms', 'list', '--status', 'archived', '--json'])).toEqual({
      code: 0,
      stdout: '[]\n',
      stderr: '',
    })
  })
  it('[FORM-02] exits with 2 for an unknown status, without a request', async () => {
    const before = service.server.app.requests.list().length
    expect(await cli(['forms', 'list', '--status', 'open'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'formwire: --status must be one of draft, published, closed, archived, got "open"\n',
    })
    expect(service.server.app.requests.list()).toHaveLength(before)
  })
})

describe('--format', () => {
  it('prints CSV with every member', async () => {
    expect((await cli(['forms', 'list', '--format', 'csv', '--status', 'closed'])).stdout).toBe(
      'id,title,status,slug,url,published,response_count,response_limit,opens_at,closes_at,created_at,updated_at\r\n' +
        `${PARTY},Party,closed,party,${service.url}/f/party,true,0,,,,2026-11-21T07:00:00.000Z,2026-11-21T07:00:00.000Z\r\n`,
    )
  })
  it('prints a table on a pipe and tab-separated lines on a terminal', async () => {
    expect((await cli(['forms', 'list', '--format', 'table', '-L', '1'])).stdout).toBe(
      `ID            TITLE            STATUS     RESPONSES  UPDATED
${SURVEY}  Customer survey  published          2  2 hours ago
`,
    )
    expect(await cli(['forms', 'ls', '--format', 'tsv', '-L', '1'], 80)).toEqual({
      code: 0,
      stdout: `${SURVEY}\tCustomer survey\tpublished\t2\t2026-11-21T10:00:00.000Z\n`,
      stderr: '1 of 2 forms; use --all to see all\n',
    })
  })
  it('prints JSON and NDJSON', async () => {
    const ids = (text: string): string[] => (JSON.parse(text) as { id: string }[]).map(({ id }) => id)
    expect(ids((await cli(['forms', 'list', '--format', 'json'])).stdout)).toEqual([SURVEY, PARTY])
    const { stdout } = await cli(['forms', 'list', '--format', 'ndjson', '--json=id,status'])
    expect(stdout).toBe(`{"id":"${SURVEY}","status":"published"}\n{"id":"${PARTY}","status":"closed"}\n`)
  })
  it.each([
    ['webhooks list', ['webhooks', 'list', SURVEY], 'id,url,active,created_at\r\n'],
    ['deliveries list', ['deliveries', 'list', SURVEY, '1'], 'id,event,status,response_id,'],
    ['profiles list', ['profiles', 'list'], 'name,base_url,current\r\n'],
  ])('is an option of %s', async (_name, argv, header) => {
    const { code, stdout } = await cli([...argv, '--format', 'csv'])
    expect([code, stdout.startsWith(header)]).toEqual([0, true])
  })
  it('exits with 2 for an unknown format or together with --json, without a request', async () => {
    const before = service.server.app.requests.list().length
    expect((await cli(['forms', 'list', '--format', 'xml'])).stderr).toBe(
      'formwire: --format must be one of table, tsv, csv, json, ndjson, got "xml"\n',
    )
    expect((await cli(['forms', 'list', '--format', 'csv', '--json'])).code).toBe(2)
    expect(service.server.app.requests.list()).toHaveLength(before)
  })
})

describe('--json=FIELDS', () => {
  it('prints only these fields, in this order', async () => {
    for (const argv of [
      ['forms', 'list', '--json=title,id', '-L', '1'],
      ['--json=title,id', 'forms', 'list', '-L', '1'],
    ]) {
      expect((await cli(argv)).stdout).toBe(`[{"title":"Customer survey","id":"${SURVEY}"}]\n`)
    }
  })
  it('takes no other word for a field', async () => {
    expect(JSON.parse((await cli(['forms', 'get', '--json', PARTY])).stdout)).toMatchObject({ id: PARTY })
    expect((await cli(['forms', 'get', '--json=title', PARTY])).stdout).toBe('{"title":"Party"}\n')
  })
  it('exits with 2 for an unknown field before any request, and where the command has none', async () => {
    const before = service.server.app.requests.list().length
    const { code, stderr } = await cli(['forms', 'rename', PARTY, 'Other', '--json=titel'])
    expect(code).toBe(2)
    expect(JSON.parse(stderr).error.message).toBe('unknown field "titel" in --json')
    expect((await cli(['completion', 'bash', '--json=ok'])).code).toBe(2)
    expect(service.server.app.requests.list()).toHaveLength(before)
  })
})

describe('formwire forms get', () => {
  it('prints one field per line on a pipe', async () => {
    expect((await cli(['forms', 'get', PARTY])).stdout).toBe(`id\tparty0000001
title\tParty
status\tclosed
url\t${service.url}/f/party
slug\tparty
published\ttrue
response_count\t0
response_limit\t
opens_at\t
closes_at\t
created_at\t2026-11-21T07:00:00.000Z
updated_at\t2026-11-21T07:00:00.000Z
`)
  })
  it('marks the link of a form that was never published', async () => {
    const { id: draft, url: link } = service.server.app.forms.create({ title: 'Draft' })
    expect((await cli(['forms', 'get', draft], 100)).stdout).toContain(
      `\nPublic link  ${link} (not published)\n`,
    )
    expect((await cli(['forms', 'get', draft])).stdout).toContain(`\nurl\t${link}\n`)
  })
  it('exits with 3 for an unknown form', async () => {
    const { code, stdout, stderr } = await cli(['forms', 'get', 'nothere00000'])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toBe(
      'formwire: form nothere00000 not found\n  it does not exist, or this key has no access to its workspace: see formwire forms list\n',
    )
  })
  it('prints the request with an error with --verbose and --json', async () => {
    const { stderr } = await cli(['forms', 'get', 'nothere00000', '--verbose'])
    expect(stderr).toMatch(/^GET \/forms\/nothere00000 404 \(\d+ m?s\)\n/)
    expect(stderr).toContain('formwire: form nothere00000 not found\n')
    expect(stderr).toContain('  GET /forms/nothere00000 returned 404 not_found\n')
    expect(stderr).toMatch(
      /\n {2}about this error: https:\/\/\S+\/how-to\/troubleshooting\.html#not_found\n$/,
    )
    const json = await cli(['forms', 'get', 'nothere00000', '--json'])
    expect(JSON.parse(json.stderr).error).toMatchObject({
      code: 'not_found',
      message: 'form nothere00000 not found',
      request: 'GET /forms/nothere00000',
      status: 404,
      exit_code: 3,
    })
  })
})

describe('formwire forms close, reopen, rename', () => {
  it('[FORM-07] close closes the public link immediately; [FORM-08] reopen reopens it', async () => {
    const link = `${service.url}/f/survey`
    const status = async () => (await fetch(link, { headers: { accept: 'application/json' } })).status
    expect(await cli(['forms', 'close', SURVEY], 80)).toEqual({
      code: 0,
      stdout: '',
      stderr: `closed "Customer survey" (${SURVEY}); its public link no longer accepts responses\n`,
    })
    expect(await status()).toBe(403)
    const reopened = await cli(['forms', 'reopen', SURVEY, '--json'])
    expect(JSON.parse(reopened.stdout)).toMatchObject({ id: SURVEY, status: 'published' })
    expect(reopened.stderr).toBe('')
    expect(await status()).toBe(200)
  })
  it('[FORM-05] rename passes the title to the service unchanged', async () => {
    expect((await cli(['forms', 'rename', PARTY, 'Winter party'], 80)).stderr).toBe(
      `renamed ${PARTY} to "Winter party"\n`,
    )
    const long = await cli(['forms', 'rename', PARTY, 'x'.repeat(201)])
    expect(long.code).toBe(1)
    expect(long.stderr).toBe(
      `formwire: could not rename form ${PARTY}: title must be a string of 1 to 200 characters\n`,
    )
  })
  it('rename refuses an empty title without a request', async () => {
    const before = service.server.app.requests.list().length
    expect(await cli(['forms', 'rename', PARTY, ''])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'formwire: the title must not be empty\n  a title has 1 to 200 characters\n',
    })
    expect(service.server.app.requests.list()).toHaveLength(before)
  })
  it.each([
    ['close', PARTY, 'closed'],
    ['reopen', SURVEY, 'published'],
  ])('%s of a form that has the status already sends nothing', async (verb, form, status) => {
    const { updated_at } = service.server.app.forms.get(form)
    const before = service.server.app.requests.list().length
    const { code, stdout, stderr } = await cli(['forms', verb, form], 80)
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain(`(${form}) is already ${status}; nothing was changed\n`)
    const sent = service.server.app.requests.list().slice(0, -before || undefined)
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET /api/v1/forms/${form}`])
    expect(service.server.app.forms.get(form).updated_at).toBe(updated_at)
    expect(JSON.parse((await cli(['forms', verb, form, '--json'])).stdout)).toMatchObject({ status })
    const env = { ...service.env, ...plain }
    const onTerminal = await runCli(['forms', verb, form], { env, terminal: 120, errorTerminal: true })
    // Not the mark of what was done.
    expect(onTerminal.stderr).toMatch(/^– "/)
  })
  it('[AUTH-03] exits with 4 for a read-only key', async () => {
    const env = { ...service.env, FORMWIRE_API_KEY: `svc_${'r'.repeat(40)}` }
    const { code, stdout, stderr } = await runCli(['forms', 'close', SURVEY], { env })
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toBe(
      `formwire: could not close form ${SURVEY}: this key is read-only; use a key with write scope\n` +
        '  for the scope of the key, the role of its user and the plan, see formwire whoami\n',
    )
  })
})
