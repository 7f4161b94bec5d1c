import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.server.close())

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
  it('prints labelled lines on a terminal', async () => {
    expect((await cli(['whoami'], 80)).stdout).toBe(`User       Ada Byron <ada@example.com>
Workspace  Analytical (1)
Role       owner
Key        CI (svc_wwwwww…)
Scope      write
Key from   FORMWIRE_API_KEY
Server     ${service.url}
`)
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
  it('prints cards on a narrow terminal', async () => {
    expect((await cli(['forms', 'list', '--limit', '1'], 30)).stdout).toBe(`Id         survey000001
Title      Customer survey
Status     published
Responses  2
Updated    2 hours ago

1 of 2 forms · use --all to see all
`)
  })
  it('colours the status on a terminal', async () => {
    const { stdout } = await runCli(['forms', 'list', '--status', 'closed'], {
      env: service.env,
      terminal: 80,
    })
    expect(stdout.split('\n')[1]).toBe(
      'party0000001  Party  \u001b[31mclosed\u001b[39m          0  5 hours ago',
    )
  })
  it('notes on stderr that a piped list is truncated, unless --quiet', async () => {
    expect((await cli(['forms', 'list', '--limit', '1'])).stderr).toBe('1 of 2 forms; use --all to see all\n')
    expect((await cli(['forms', 'list', '--limit', '1', '--quiet'])).stderr).toBe('')
  })
  it('--page starts at a later page, --all lists everything', async () => {
    expect((await cli(['forms', 'list', '--limit', '1', '--page', '2'])).stdout).toContain(PARTY)
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
  it('[FORM-02] exits with 1 for a status that the service rejects with 422', async () => {
    const { code, stdout, stderr } = await cli(['forms', 'list', '--status', 'open', '--json'])
    expect([code, stdout]).toEqual([1, ''])
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'validation_failed',
      status: 422,
      exit_code: 1,
      details: { field: 'status' },
    })
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
  it('exits with 3 for an unknown form', async () => {
    const { code, stdout, stderr } = await cli(['forms', 'get', 'nothere00000'])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('returned 404 not_found')
    expect(stderr).toContain('see formwire forms list')
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
    expect((await cli(['forms', 'rename', PARTY, ''])).code).toBe(1)
  })
  it('[AUTH-03] exits with 4 for a read-only key', async () => {
    const env = { ...service.env, FORMWIRE_API_KEY: `svc_${'r'.repeat(40)}` }
    const { code, stdout, stderr } = await runCli(['forms', 'close', SURVEY], { env })
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain('403 forbidden')
  })
})
