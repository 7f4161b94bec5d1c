import { describe, expect, it } from 'vitest'
import { outcome, runCli } from '../support/run-cli.ts'
import { eachService, PARTY, SURVEY } from '../support/service.ts'

const service = eachService()

const plain = { NO_COLOR: '1' }
const cli = (argv: string[], terminal?: number) =>
  runCli(argv, { env: { ...service.env, ...plain }, ...(terminal === undefined ? {} : { terminal }) })

describe('formwire forms get', () => {
  it.each([
    ['forms list', '3 days ago'],
    [`forms get ${SURVEY}`, '3 days ago (2026-11-21T10:00:00.000Z)'],
    [`responses list ${SURVEY}`, '3 days ago'],
    [`webhooks list ${SURVEY}`, '3 days ago'],
  ])('%s has times relative to the clock of the server', async (command, expected) => {
    await service.server.clock.advance('3d')
    expect((await cli(command.split(' '), 80)).stdout).toContain(expected)
  })
  it('--json takes no other word for a field', async () => {
    expect(JSON.parse((await cli(['forms', 'get', '--json', PARTY])).stdout)).toMatchObject({ id: PARTY })
  })
  it('marks the link of a form that was never published', async () => {
    const { id: draft, url: link } = service.server.app.forms.create({ title: 'Draft' })
    expect((await cli(['forms', 'get', draft], 100)).stdout).toContain(
      `\nPublic link  ${link} (not published)\n`,
    )
    expect((await cli(['forms', 'get', draft])).stdout).toContain(`\nurl\t${link}\n`)
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
    expect(await cli(['forms', 'close', SURVEY], 80)).toEqual(
      outcome(0, '', `closed "Customer survey" (${SURVEY}); its public link no longer accepts responses\n`),
    )
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
