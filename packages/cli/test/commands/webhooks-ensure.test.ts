import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createReceiver, signWebhook } from '@formwire/webhook-verify'
import { createFileSecrets, type StoredSecret } from '@formwire/webhook-verify/secrets'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { type CliOptions, NOON, runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'

const URL = 'http://127.0.0.1:9/all'

let service: Service
let file: string
beforeEach(async () => {
  service = await startService({ limits: 'off' })
  file = join(mkdtempSync(join(temporaryDirectory(), 'ensure-')), 'secrets.json')
})
afterEach(() => service.server.close())

const cli = (
  argv: string[],
  more: Pick<CliOptions, 'onSleep'> & { now?: number; env?: Record<string, string> } = {},
) =>
  runCli(['webhooks', 'ensure', ...argv], {
    onSleep: more.onSleep ?? ((ms) => setTimeout(ms / 10)),
    now: more.now ?? NOON,
    env: { ...service.env, NO_COLOR: '1', ...more.env },
  })
const ensure = (...more: string[]) => cli(['--all', '--url', URL, '--secrets', file, ...more])
const sent = () =>
  service.server.app.requests
    .list()
    .map(({ method, path }) => `${method} ${path}`)
    .reverse()
const endpoints = (form: string) => service.server.app.webhooks.list(form).map(({ id, url }) => ({ id, url }))

describe('formwire webhooks ensure', () => {
  it('[HOOK-02] creates an endpoint on each form whose deliveries verify with the stored secrets', async () => {
    const { code, stdout, stderr } = await ensure()
    expect(stdout).toBe(`${SURVEY}\t2\t${URL}\tcreated\tactive\t\n${PARTY}\t3\t${URL}\tcreated\tactive\t\n`)
    expect([code, stderr]).toEqual([0, '2 forms: 2 created, 0 replaced, 0 kept, 0 failed\n'])
    const { secret } = createFileSecrets(file)
    const [stored] = await createFileSecrets(file).list('1')
    expect(stored?.secret).toMatch(/^whsec_/)
    const receive = createReceiver({ secret, on: { 'response.submitted': () => undefined } })
    const payload = {
      form: { id: SURVEY, title: 'Customer survey' },
      response: { id: 1, submitted_at: '', answers: [], score: null, max_score: null, meta: {} },
    }
    const signed = signWebhook({ secret: stored?.secret as string, event: 'response.submitted', payload })
    expect(await receive(signed)).toMatchObject({ status: 200 })
  })

  it('keeps what exists when it runs again, and prints no secret', async () => {
    await ensure()
    const before = readFileSync(file, 'utf8')
    const again = await ensure('--json')
    expect(JSON.parse(again.stdout)).toEqual([
      { form_id: SURVEY, webhook_id: 2, url: URL, result: 'kept', active: true, error: null },
      { form_id: PARTY, webhook_id: 3, url: URL, result: 'kept', active: true, error: null },
    ])
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(endpoints(PARTY)).toEqual([{ id: 3, url: URL }])
  })

  it('sends one request per form that exists, beside those for the key and the list of forms', async () => {
    await ensure()
    const before = sent().length
    await ensure()
    expect(sent().slice(before)).toEqual([
      'GET /api/v1/me',
      'GET /api/v1/forms',
      `GET /api/v1/forms/${SURVEY}/webhooks`,
      `GET /api/v1/forms/${PARTY}/webhooks`,
    ])
  })

  it.each([
    ['', []],
    [' with --replace', ['--replace']],
  ])('leaves one endpoint and its secret when it runs twice at once%s', async (_with, more) => {
    // Both have seen that there is none.
    service.server.app.faults.add({ method: 'POST', delay_ms: 1000 })
    const runs = [1, 2].map(() => cli([PARTY, '--url', URL, '--secrets', file, '--json', 'result', ...more]))
    const ended = await Promise.all(runs)
    expect(ended.map(({ code, stdout }) => [code, stdout]).sort()).toEqual([
      [0, '[{"result":"created"}]\n'],
      [0, '[{"result":"kept"}]\n'],
    ])
    expect(endpoints(PARTY)).toEqual([{ id: 2, url: URL }])
    const stored = await createFileSecrets(file).list('1')
    expect(stored.filter((one) => one.removed_at === null).map((one) => one.webhook_id)).toEqual([2])
  })

  it('keeps the endpoint of another run whose secret is stored a moment later', async () => {
    const { app } = service.server
    app.faults.add({ method: 'POST', delay_ms: 1000 })
    let other: StoredSecret | undefined
    const onSleep = async (ms: number) => {
      expect(ms).toBe(1000)
      await createFileSecrets(file).save(other as StoredSecret)
    }
    const running = cli([PARTY, '--url', URL, '--secrets', file, '--json', 'result'], { onSleep })
    await expect.poll(() => sent().length, { timeout: WAIT_MS }).toBe(2)
    const { id: webhook_id, secret } = await app.webhooks.create(PARTY, { url: URL })
    other = { workspace_id: '1', form_id: PARTY, webhook_id, url: URL, secret, removed_at: null }
    expect((await running).stdout).toBe('[{"result":"kept"}]\n')
    expect(endpoints(PARTY)).toEqual([{ id: webhook_id, url: URL }])
  })

  it.each([
    ['', []],
    [' with --replace', ['--replace']],
  ])('keeps the endpoint that another run has created since it read the store%s', async (_with, more) => {
    const { app } = service.server
    app.faults.add({ path: `/api/v1/forms/${SURVEY}/webhooks`, method: 'GET', delay_ms: 2000 })
    const forms = [SURVEY, PARTY]
    const running = cli([...forms, '--url', URL, '--secrets', file, '--json', 'result', ...more])
    await expect.poll(() => sent().length, { timeout: WAIT_MS }).toBe(1)
    await cli([PARTY, '--url', URL, '--secrets', file])
    const { code, stdout } = await running
    expect([code, stdout]).toEqual([0, '[{"result":"created"},{"result":"kept"}]\n'])
    expect(endpoints(PARTY)).toHaveLength(1)
  })

  it('keeps its own endpoint when the secret of an older one is never stored', async () => {
    const { app } = service.server
    app.faults.add({ method: 'POST', delay_ms: 1000 })
    let sleeps = 0
    const onSleep = async () => {
      sleeps += 1
    }
    const running = cli([PARTY, '--url', URL, '--secrets', file, '--json', 'result'], { onSleep })
    await expect.poll(() => sent().length, { timeout: WAIT_MS }).toBe(2)
    const { id } = await app.webhooks.create(PARTY, { url: URL })
    expect((await running).stdout).toBe('[{"result":"created"}]\n')
    expect(sleeps).toBe(4)
    expect(endpoints(PARTY).map((one) => one.id)).toEqual([id, id + 1])
  })

  it('replaces {form} in the URL by the id of the form', async () => {
    await cli([PARTY, '--url', 'http://127.0.0.1:9/{form}/hook', '--secrets', file])
    expect(endpoints(PARTY)).toEqual([{ id: 2, url: `http://127.0.0.1:9/${PARTY}/hook` }])
  })

  it('lists forms that fail, does the others, and exits with the code of the first failure', async () => {
    const { code, stdout, stderr } = await cli(['unknown00000', PARTY, '--url', URL, '--secrets', file])
    expect(stdout).toBe(
      [
        ['unknown00000', '', URL, 'failed', '', 'form unknown00000 not found'].join('\t'),
        [PARTY, 2, URL, 'created', 'active', ''].join('\t'),
        '',
      ].join('\n'),
    )
    expect(code).toBe(3)
    expect(stderr).toBe(
      [
        '2 forms: 1 created, 0 replaced, 0 kept, 1 failed',
        'formwire: 1 of 2 forms failed',
        '  the others are done; run the command again once the cause is fixed',
        '',
      ].join('\n'),
    )
    const refused = await cli([PARTY, '--url', 'http://user:pw@127.0.0.1:9/x', '--secrets', file, '--json'])
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)[0].error.code).toBe('validation_failed')
  })

  it('replaces an endpoint with an unknown secret only with --replace, and creates its successor first', async () => {
    const { id } = await service.server.app.webhooks.create(PARTY, { url: URL })
    const refused = await cli([PARTY, '--url', URL, '--secrets', file, '--json'])
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toEqual([
      {
        form_id: PARTY,
        webhook_id: null,
        url: URL,
        result: 'failed',
        active: null,
        error: {
          code: 'secret_unknown',
          message: `the secret of webhook endpoint ${id} with this URL is not stored; pass --replace to replace it`,
        },
      },
    ])
    expect(existsSync(file)).toBe(false)
    const before = sent().length
    expect((await cli([PARTY, '--url', URL, '--secrets', file, '--replace'])).stdout).toContain('replaced')
    expect(sent().slice(before)).toEqual([
      'GET /api/v1/me',
      `GET /api/v1/forms/${PARTY}/webhooks`,
      `POST /api/v1/forms/${PARTY}/webhooks`,
      `GET /api/v1/forms/${PARTY}/webhooks`,
      `DELETE /api/v1/forms/${PARTY}/webhooks/${id}`,
    ])
    expect(endpoints(PARTY)).toEqual([{ id: id + 1, url: URL }])
  })

  it('accepts the secret of a deleted endpoint for ten more minutes', async () => {
    await ensure()
    service.server.app.webhooks.delete(PARTY, 3)
    await ensure()
    const secretsOf = async (): Promise<unknown> =>
      (await createFileSecrets(file).list('1'))
        .filter(({ form_id }) => form_id === PARTY)
        .map(({ webhook_id, removed_at }) => ({ webhook_id, removed_at }))
    expect(await secretsOf()).toEqual([
      { webhook_id: 3, removed_at: '2026-11-21T12:00:00.000Z' },
      { webhook_id: 4, removed_at: null },
    ])
    await cli(['--all', '--url', URL, '--secrets', file], { now: NOON + 600_001 })
    expect(await secretsOf()).toEqual([{ webhook_id: 4, removed_at: null }])
  })

  it('deletes an endpoint again whose secret cannot be stored, and names the file', async () => {
    const path = join(file, 'missing', 'secrets.json')
    const { code, stderr } = await cli([PARTY, '--url', URL, '--secrets', path])
    expect(code).toBe(2)
    expect(stderr).toBe(`formwire: cannot write ${path}: its directory does not exist\n`)
    expect(endpoints(PARTY)).toEqual([])
    writeFileSync(file, 'precious')
    expect((await ensure()).stderr).toBe(`formwire: ${file} is not a file of webhook secrets\n`)
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  it('[AUTH-03] requires a write key before anything is created', async () => {
    const env = { FORMWIRE_API_KEY: `svc_${'r'.repeat(40)}` }
    const { code, stderr } = await cli(['--all', '--url', URL, '--secrets', file], { env })
    expect(code).toBe(4)
    expect(stderr).toBe(
      'formwire: could not ensure the webhook endpoints of the forms: the key is read-only\n  use a write key of an owner or editor: see formwire whoami\n',
    )
  })

  it.each([
    [['--all', '--secrets', 'x'], 'missing required option --url'],
    [['--all', '--url', URL], 'missing required option --secrets'],
    [['--all', '--url', 'hook', '--secrets', 'x'], '--url must be an http or https URL, got "hook"'],
    [['--url', URL, '--secrets', 'x'], 'missing form id'],
    [['--all', PARTY, '--url', URL, '--secrets', 'x'], '--all cannot be combined with form ids'],
    [
      ['--all', '--url', URL, '--secrets', 'postgres://me:hunter22@db/app'],
      'a database password must not be on the command line',
    ],
  ])('refuses %j', async (argv, message) => {
    const { code, stderr } = await cli(argv)
    expect(code).toBe(2)
    expect(stderr.split('\n')[0]).toBe(`formwire: ${message}`)
  })
})
