import { createMockReceiver } from '@formwire/reference-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { startPlain } from '../support/listen.ts'
import { type CliOptions, outcome, rowsOf, runCli } from '../support/run-cli.ts'
import { eachService, SURVEY } from '../support/service.ts'
import { until } from '../support/wait.ts'

const service = eachService()
let receiver: Awaited<ReturnType<ReturnType<typeof createMockReceiver>['listen']>>
let webhook: number
beforeEach(async () => {
  receiver = await createMockReceiver({ script: ['500'] }).listen()
  webhook = (await service.server.app.webhooks.create(SURVEY, { url: receiver.url })).id
})
afterEach(async () => {
  await receiver.close()
})
const cli = (argv: string[], options: Partial<Parameters<typeof runCli>[1]> = {}) =>
  runCli(argv, { env: { ...service.env, NO_COLOR: '1' }, ...options })

/** Queues a test event whose first attempt fails. */
async function failedOnce(): Promise<string> {
  const { id } = service.server.app.webhooks.test(SURVEY, webhook)
  await service.server.clock.advance(0)
  return id
}

describe('formwire deliveries', () => {
  it('[DLV-07] list shows each delivery with the HTTP status of its receiver', async () => {
    const id = await failedOnce()
    expect(await cli(['deliveries', 'list', SURVEY, String(webhook)])).toEqual(
      outcome(
        0,
        `${id}\ttest.ping\t0\tpending\t500\t1\t2026-11-21T12:01:00.000Z\t2026-11-21T12:00:00.000Z\t\thttp_500\t${receiver.url}\n`,
      ),
    )
    expect((await cli(['deliveries', 'list', SURVEY, String(webhook)], { terminal: 140 })).stdout).toBe(
      `${'ID'.padEnd(id.length)}  EVENT      RESPONSE  STATUS   RESULT  ATTEMPTS  NEXT         CREATED   ENDPOINT
${id}  test.ping         0  pending     500         1  in 1 minute  just now  ${receiver.url}

1 delivery
`,
    )
  })
  it('[HOOK-07] list notes the health of the endpoint on a terminal, tail that of those that fail or are paused', async () => {
    const { webhooks, responses } = service.server.app
    const on = async (command: string) => {
      const argv = ['deliveries', ...command.split(' ')]
      return (await cli(argv, { terminal: 110 })).stderr
        .split('\n')
        .filter((line) => line.startsWith('endpoint'))
    }
    const list = () => on(`list ${SURVEY} ${webhook}`)
    const endpoint = `endpoint ${webhook} (${receiver.url})`
    expect(await list()).toEqual([`${endpoint}: never used`])
    await failedOnce()
    const failing = `${endpoint}: failing since 2026-11-21T12:00:00Z`
    expect(await list()).toEqual([failing])
    await failedOnce()
    expect(await list()).toEqual([`${endpoint}: healthy`])
    webhooks.pause(SURVEY, webhook)
    responses.create(SURVEY, { answers: [], status: 'submitted', deliver: true })
    expect(await list()).toEqual([`${endpoint}: paused since 2026-11-21T12:00:00Z (1 not sent)`])
    expect(await on('tail --view lines --since 1d --count 1')).toContain(
      `${endpoint}: paused since 2026-11-21T12:00:00Z (1 not sent)`,
    )
    expect(await on(`list ${SURVEY} ${webhook} --quiet`)).toEqual([])
  })
  it('[HOOK-07] show has the health of the endpoint on a terminal', async () => {
    const id = await failedOnce()
    const { stdout } = await cli(['deliveries', 'show', id], { terminal: 110 })
    expect(stdout.split('\n').find((line) => line.startsWith('Endpoint'))).toBe(
      `Endpoint       ${receiver.url} (failing since 2026-11-21T12:00:00Z)`,
    )
  })
  it('show prints every attempt', async () => {
    const id = await failedOnce()
    const { stdout } = await cli(['deliveries', 'show', id])
    expect(stdout).toContain(`id\t${id}\nevent\ttest.ping\nstatus\tpending\nresponse_id\t0\n`)
    expect(stdout).toMatch(/^attempt_1\t2026-11-21T12:00:00\.000Z · HTTP 500 · after \d+ m?s$/m)
  })
  it('--json=FIELDS prints only these fields', async () => {
    const id = await failedOnce()
    const fieldsOf = async (...argv: string[]) => JSON.parse((await cli(['deliveries', ...argv])).stdout)
    expect(await fieldsOf('show', id, '--json=id,status')).toEqual({ id, status: 'pending' })
    expect(await fieldsOf('test', SURVEY, String(webhook), '--json=event')).toEqual({ event: 'test.ping' })
    expect(await fieldsOf('tail', '--since', '1d', '--count', '1', '--json=id')).toEqual({ id })
    expect((await cli(['deliveries', 'show', id, '--json=id,nosuch'])).stderr).toMatch(
      /"message":"unknown field \\"nosuch\\" in --json"/,
    )
  })
  it('[DLV-08] replay queues a copy with a new id; [DLV-02] test queues a test event', async () => {
    const id = await failedOnce()
    const replayed = JSON.parse((await cli(['deliveries', 'replay', id, '--json'])).stdout)
    expect(replayed).toMatchObject({ event: 'test.ping', response_id: 0 })
    expect(replayed.id).not.toBe(id)
    const { code, stderr } = await cli(['deliveries', 'test', SURVEY, String(webhook)], { terminal: 80 })
    expect(code).toBe(0)
    expect(stderr).toMatch(new RegExp(`^queued test event dlv_\\w+ for endpoint ${webhook}\n$`))
  })
  it('list and show name the error of an endpoint that refuses connections', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    webhook = (await service.server.app.webhooks.create(SURVEY, { url })).id
    const id = await failedOnce()
    expect((await cli(['deliveries', 'list', SURVEY, String(webhook)], { terminal: 80 })).stdout).toBe(
      `${'ID'.padEnd(id.length)}  RESPONSE  STATUS    RESULT  ATTEMPTS  CREATED
${id}         0  pending  refused         1  just now

1 delivery
`,
    )
    expect((await cli(['deliveries', 'list', SURVEY, String(webhook)])).stdout).toMatch(
      new RegExp(`\tpending\t\t1\t.*\t\trefused\t${url}\n$`),
    )
    const shown = (await cli(['deliveries', 'show', id])).stdout.split('\n')
    expect(shown).toEqual(expect.arrayContaining(['error\trefused', `endpoint\t${url}`]))
    expect((await cli(['deliveries', 'list', SURVEY, String(webhook), '--json=error'])).stdout).toBe(
      '[{"error":"refused"}]\n',
    )
  })
  it('[HOOK-07] pause and resume an endpoint', async () => {
    const change = (...argv: string[]) => cli(['deliveries', ...argv, SURVEY, String(webhook)])
    const shown = { id: webhook, url: receiver.url, created_at: '2026-11-21T12:00:00.000Z' }
    expect(JSON.parse((await change('pause', '--json')).stdout)).toEqual({ ...shown, active: false })
    expect((await change('test')).stderr).toBe(
      `formwire: could not send a test event to webhook endpoint ${webhook} of form ${SURVEY}: the endpoint is paused: resume it first
  resume it: formwire deliveries resume ${SURVEY} ${webhook}
`,
    )
    expect(await change('resume')).toEqual(
      outcome(
        0,
        `id\t${webhook}\nurl\t${receiver.url}\nactive\ttrue\ncreated_at\t2026-11-21T12:00:00.000Z\n`,
        `resumed endpoint ${webhook} of form ${SURVEY}\n`,
      ),
    )
    expect((await change('test')).code).toBe(0)
  })
  it('exits with 4 without a valid token, with 1 for a server without a log, with 6 without a server', async () => {
    const list = (env: Record<string, string | undefined>, ...more: string[]) =>
      runCli(['deliveries', 'list', SURVEY, '1', ...more], { env: { ...service.env, ...env } })
    expect(await list({ FORMWIRE_ADMIN_TOKEN: undefined })).toEqual(
      outcome(
        4,
        '',
        'formwire: no admin token\n  set FORMWIRE_ADMIN_TOKEN to the admin token that the reference server printed at startup\n',
      ),
    )
    const inEnvironment = await list({ FORMWIRE_ADMIN_TOKEN: 'wrong-wrong' })
    expect(inEnvironment.code).toBe(4)
    expect(inEnvironment.stderr).toContain(
      '\n  FORMWIRE_ADMIN_TOKEN must be the admin token that this server',
    )
    const inOption = await list({}, '--admin-token', 'wrong-wrong')
    expect(inOption.code).toBe(4)
    expect(inOption.stderr).toContain('\n  --admin-token must be the admin token that this server printed')
    expect(
      (await list({ FORMWIRE_ADMIN_TOKEN: 'wrong' }, '--admin-token', 'admin-token-of-the-tests')).code,
    ).toBe(0)
    expect((await list({ FORMWIRE_BASE_URL: receiver.url })).code).toBe(1)
    expect((await list({ FORMWIRE_BASE_URL: 'http://127.0.0.1:9' })).code).toBe(6)
  })
})

describe('formwire deliveries tail', () => {
  /** Starts a tail and waits until it is connected. */
  const connected = async (args: string[] = [], options: CliOptions = {}) => {
    const running = startPlain(['deliveries', 'tail', ...args], service.env, options)
    await until('the tail to be connected', () => running.stderr().includes('waiting for deliveries'))
    return running
  }

  it('starts now and prints every change, oldest first', async () => {
    await failedOnce()
    const running = await connected(['--count', '2'])
    await failedOnce()
    const { stdout, stderr, code } = await running.result
    expect([code, stderr]).toEqual([0, 'waiting for deliveries (Ctrl-C to stop)\n'])
    const rows = rowsOf(stdout)
    expect(rows.map((row) => [row[3], row[4], row[5]])).toEqual([
      ['pending', '', '0'],
      ['delivered', '200', '1'],
    ])
    expect(rows[0]?.[0]).toBe(rows[1]?.[0])
  })
  it.each(['form', 'webhook'])(
    '--since starts with logged deliveries of a %s; --json prints NDJSON',
    async (of) => {
      const id = await failedOnce()
      const followed = of === 'form' ? [SURVEY] : ['--webhook', String(webhook)]
      const since = ['--since', '2026-11-21', '--json', '--count', '1']
      const { code, stdout, stderr } = await cli(['deliveries', 'tail', ...followed, ...since])
      expect([code, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toMatchObject({ id, status: 'pending', http_status: 500, attempts: 1 })
    },
  )
  it('--since prints deliveries of one instant oldest first', async () => {
    const ids = [await failedOnce(), await failedOnce(), await failedOnce()]
    const { stdout } = await cli(['deliveries', 'tail', '--since', '1d', '--count', '3'])
    expect(stdout.match(/^dlv_\w+/gm)).toEqual(ids)
  })
  it.each([
    ['interrupted', 130],
    ['output closed', 0],
  ] as const)('%s: exits with %i', async (why, code) => {
    const running = await connected()
    expect(await running.end(why)).toEqual(outcome(code, '', 'waiting for deliveries (Ctrl-C to stop)\n'))
  })
  it('reports a lost connection, reconnects, and exits with 6 after six attempts', async () => {
    const waits: number[] = []
    let closed: Promise<void> | undefined
    const running = await connected([], {
      async onSleep(ms) {
        waits.push(ms)
        await closed
      },
    })
    closed = service.server.close()
    const { code, stderr, stdout } = await running.result
    expect([code, stdout]).toEqual([6, ''])
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000])
    expect(stderr.match(/connection lost \(.*\); reconnecting\n/g)).toHaveLength(1)
  })
  it('prints a delivery that changes during the backlog once per change', async () => {
    await failedOnce()
    const { lines, end } = startPlain('deliveries tail --since 1d', service.env)
    await until('one line of backlog', () => lines.length === 1)
    await service.server.clock.advance('1m')
    await until('the retry', () => lines.length === 2)
    await end()
    expect(lines.map((line) => line.split('\t')[3])).toEqual(['pending', 'delivered'])
  })
})
