import { createMockReceiver } from '@formwire/reference-server'
import { verifyWebhook } from '@formwire/webhook-verify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { SECRET, startHandler, startPlain, type TestHandler } from '../support/listen.ts'
import { type CliOptions, NOON, runCli } from '../support/run-cli.ts'
import { eachService, SURVEY } from '../support/service.ts'
import { until } from '../support/wait.ts'

const service = eachService({ limits: 'off' })
const env = () => ({ ...service.env, FORMWIRE_ADMIN_TOKEN: undefined, FORMWIRE_WEBHOOK_SECRET: SECRET })

function submit(name: string, formId = SURVEY): number {
  const answers = [{ question_id: 'name', value: name }]
  return service.server.app.responses.create(formId, { answers }).id
}

const eventsOf = ({ got }: TestHandler) =>
  got.map(({ headers, body }) => verifyWebhook({ secret: SECRET, headers, body, now: NOON }))
const idsOf = (handler: TestHandler) =>
  eventsOf(handler).map(({ response }) => (response as { id: number }).id)

/** Starts `listen --poll`. Retries do not wait; their lengths are recorded. */
function startPoll(args: string[], more: Record<string, string | undefined> = {}, options: CliOptions = {}) {
  const waits: number[] = []
  const running = startPlain(
    ['listen', '--form', SURVEY, '--poll', '--interval', '20ms', ...args],
    { ...env(), ...more },
    {
      onSleep: async (ms) => void waits.push(ms),
      ...options,
    },
  )
  return { ...running, waits }
}

const ready = ({ stderr }: ReturnType<typeof startPoll>) =>
  until('the announcement', () => /polling form|"listening"/.test(stderr()))

describe('[POLL-01] listen --poll', () => {
  it('sends new responses as signed deliveries, without an endpoint', async () => {
    const handler = await startHandler()
    const running = startPoll(['--forward-to', handler.url, '--count', '2'])
    await ready(running)
    const first = submit('Di')
    await until('the first', () => handler.got.length === 1)
    const second = submit('Ed')
    const { code, stderr } = await running.result
    expect(code).toBe(0)
    expect(stderr).toContain(`polling form ${SURVEY} every 20 ms; delivery ids are local\n`)
    expect(idsOf(handler)).toEqual([first, second])
    expect(running.lines[0]).toBe(
      `2026-11-21T12:00:00.000Z\tresponse.submitted\tlocal_${SURVEY}_${first}\t${first}\tverified\t200\t1\t\n`,
    )
    expect(service.server.app.webhooks.list(SURVEY)).toHaveLength(1)
  })

  it('the body is that of a delivery of the same response', async () => {
    const handler = await startHandler()
    const receiver = await createMockReceiver().listen()
    onTestFinished(() => receiver.close())
    await service.server.app.webhooks.create(SURVEY, { url: receiver.url })
    const running = startPoll(['--forward-to', handler.url, '--count', '1'])
    await ready(running)
    const answers = [
      { question_id: 'name', value: 'Zoë "Z" 日本' },
      { question_id: 'stars', value: 3 },
    ]
    service.server.app.responses.create(SURVEY, { answers, email: 'z@example.com', deliver: true })
    await running.result
    await receiver.waitFor(1, PATIENT)
    expect(handler.got[0]?.body.toString()).toBe(receiver.deliveries[0]?.rawBody.toString())
  })

  it('--since replays history, oldest first, and leaves drafts out', async () => {
    const handler = await startHandler()
    expect(
      (await startPoll(['--since', '4h', '--forward-to', handler.url, '--count', '2']).result).code,
    ).toBe(0)
    expect(idsOf(handler)).toEqual([1, 2])
  })

  it('sends a refused response again, with backoff and the same delivery id, before the next one', async () => {
    const handler = await startHandler(500, 503, 200, 200)
    const running = startPoll(['--since', '4h', '--forward-to', handler.url, '--count', '2', '--json'])
    expect((await running.result).code).toBe(0)
    expect(idsOf(handler)).toEqual([1, 1, 1, 2])
    expect(running.waits).toEqual([1000, 2000])
    const lines = running.lines.map((line) => JSON.parse(line))
    expect(
      lines.map(({ attempt, answered, next_attempt_at }) => [attempt, answered, next_attempt_at]),
    ).toEqual([
      [1, 500, '2026-11-21T12:00:01.000Z'],
      [2, 503, '2026-11-21T12:00:02.000Z'],
      [3, 200, null],
      [1, 200, null],
    ])
    expect(new Set(eventsOf(handler).map(({ deliveryId }) => deliveryId))).toEqual(
      new Set([`local_${SURVEY}_1`, `local_${SURVEY}_2`]),
    )
  })

  it('announces the first refusal with --view quiet, and no other', async () => {
    const handler = await startHandler(500, 500, 503)
    const argv = ['--forward-to', handler.url, '--since', '7d', '--count', '2', '--view', 'quiet']
    const { stdout, stderr } = await startPoll(argv).result
    expect(stdout).toBe('')
    expect(stderr).toContain('\nthe status for response 1 was 500; ')
    expect(stderr).toContain('next attempt ')
    expect(stderr.match(/the status for/g)).toHaveLength(1)
  })

  it('gives a response up after ten attempts, names the command that sends it again, and goes on', async () => {
    const handler = await startHandler(...Array.from({ length: 10 }, () => 500))
    const running = startPoll(['--since', '4h', '--forward-to', handler.url, '--count', '2'])
    const { code, stderr } = await running.result
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /formwire: 1 of 2 deliveries failed: the handler responded with 500\n {2}the handler failed: check its log\n$/,
    )
    expect(idsOf(handler)).toEqual([...Array.from({ length: 10 }, () => 1), 2])
    expect(running.waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    const again = `formwire trigger response.submitted --form ${SURVEY} --response 1 --forward-to ${handler.url}`
    expect(stderr).toContain(
      `response 1 of form ${SURVEY} was not delivered in 10 attempts (last: the handler responded with 500); continuing with the next one. To send it again, with the handler's secret in FORMWIRE_WEBHOOK_SECRET, run: ${again}\n`,
    )
    const row = `2026-11-21T12:00:00.000Z\tresponse.submitted\tlocal_${SURVEY}_1\t1\tverified\t500`
    const failed = 'the handler failed: check its log'
    expect(running.lines.slice(8, 10)).toEqual([
      `${row}\t9\t${failed}; the delivery is retried later; next attempt 2026-11-21T12:01:00.000Z\n`,
      `${row}\t10\t${failed}; given up; to send it again, run: ${again}\n`,
    ])
    expect((await runCli(again.split(' ').slice(1), { env: env() })).code).toBe(0)
    expect(idsOf(handler).at(-1)).toBe(1)
  })

  it('prints what sends a response again with --json', async () => {
    const argv = ['--since', '4h', '--forward-to', '9', '--insecure', '--count', '1', '--json']
    const { code, stdout } = await startPoll(argv).result
    const rows = stdout.trim().split('\n')
    expect([code, rows.length]).toEqual([1, 10])
    expect([rows[0], rows[9]].map((row = '') => JSON.parse(row).send_again)).toEqual([
      null,
      `formwire trigger response.submitted --form ${SURVEY} --response 1 --forward-to http://localhost:9/ --insecure`,
    ])
  })

  it('says that no handler is set for the form', async () => {
    const { id: other } = service.server.app.forms.create({ title: 'Other' })
    const args = ['--form', other, '--since', '4h', '--forward-to', `${other}=9`, '--count', '1']
    const { code, stdout, stderr } = await startPoll(args).result
    expect(code).toBe(0)
    expect(stdout).toBe(
      `2026-11-21T12:00:00.000Z\tresponse.submitted\tlocal_${SURVEY}_1\t1\tverified\t200\t1\tno handler is set for form ${SURVEY}: add --forward-to ${SURVEY}=URL, or one for all forms\n`,
    )
    expect(stderr).toContain(
      `forwarding to ${other} → http://localhost:9/; deliveries of other forms are only shown (`,
    )
  })

  it('a refused response of one form does not hold up another form', async () => {
    const { id: other } = service.server.app.forms.create({
      title: 'Other',
      questions: [{ id: 'name', type: 'short_text', title: 'Name' }],
    })
    service.server.app.forms.publish(other)
    submit('Gus', other)
    const bad = await startHandler()
    bad.server.removeAllListeners('request')
    bad.server.on('request', (_request, response) => response.writeHead(500).end())
    const good = await startHandler()
    const running = startPlain(
      `listen --poll --form ${SURVEY} --form ${other} --since 4h --interval 20ms --forward-to ${SURVEY}=${bad.url} --forward-to ${other}=${good.url}`,
      env(),
    )
    await until('the other form', () => good.got.length === 1)
    expect((await running.end()).code).toBe(130)
  })

  it('reports an outage once when it begins and once when it ends', async () => {
    const handler = await startHandler()
    const running = startPoll(['--forward-to', handler.url], {}, { retriesAtOnce: true })
    await ready(running)
    service.server.app.faults.add({ path: '/api/v1/forms/*/responses', status: 503, times: 3 })
    await until('the recovery', () => running.stderr().includes('connected again'))
    submit('Hal')
    await until('the response', () => handler.got.length === 1)
    const { stderr } = await running.end()
    expect(stderr.match(/connection lost \(.*\); reconnecting\n/g)).toHaveLength(1)
    expect(stderr.match(/connected again\n/g)).toHaveLength(1)
  })

  it('shows a generated secret once; exits with 3 for an unknown form', async () => {
    const running = startPoll([], { FORMWIRE_WEBHOOK_SECRET: undefined })
    await until('the secret', () => running.stderr().includes('webhook secret: whsec_'))
    expect((await running.end()).stderr.match(/whsec_/g)).toHaveLength(1)
    const unknown = await runCli(['listen', '--poll', '--form', 'unknown00000'], { env: env() })
    expect([unknown.code, unknown.stdout]).toEqual([3, ''])
  })
})
