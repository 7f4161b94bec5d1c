import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { createMockReceiver } from '@formwire/reference-server'
import { verifyWebhook } from '@formwire/webhook-verify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { Stopped } from '../../src/failure.ts'
import { startHandler as openHandler, SECRET, startPlain, type TestHandler } from '../support/listen.ts'
import { type CliOptions, NOON, runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, startService } from '../support/service.ts'
import { TLS_CERTIFICATE, TLS_KEY } from '../support/tls.ts'
import { until } from '../support/wait.ts'

let service: Service
let env: Record<string, string | undefined>
const closing: (() => unknown)[] = []
beforeEach(async () => {
  service = await startService({ limits: 'off' })
  env = { ...service.env, FORMWIRE_ADMIN_TOKEN: undefined, FORMWIRE_WEBHOOK_SECRET: SECRET }
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await service.server.close()
})

async function startHandler(...statuses: number[]): Promise<TestHandler> {
  const handler = await openHandler(...statuses)
  closing.push(handler.close)
  return handler
}

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
    { ...env, ...more },
    {
      onSleep: async (ms) => void waits.push(ms),
      ...options,
    },
  )
  return { ...running, waits }
}

const ready = ({ stderr }: ReturnType<typeof startPoll>) =>
  until('the announcement', () => /polling form|"listening"/.test(stderr()))

const ended = async ({ stop, result }: ReturnType<typeof startPoll>) => {
  stop.abort(new Stopped('interrupted'))
  return await result
}

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
    closing.push(() => receiver.close())
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

  it.each(['--since', '--checkpoint'])('checks %s before the first request: exit 2', async (option) => {
    const wrong = join(temporaryDirectory(), 'wrong')
    writeFileSync(wrong, 'wrong')
    const { code, stderr } = await startPoll([option, wrong, '--no-wait'], {
      FORMWIRE_BASE_URL: 'http://127.0.0.1:9',
    }).result
    expect([code, stderr]).toEqual([2, expect.not.stringContaining('could not reach')])
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

  it('parks a response after ten attempts, goes on, and the parked one can be replayed', async () => {
    const checkpoint = join(temporaryDirectory(), 'position')
    const handler = await startHandler(...Array.from({ length: 10 }, () => 500))
    const running = startPoll([
      '--since',
      '4h',
      '--forward-to',
      handler.url,
      '--count',
      '2',
      '--checkpoint',
      checkpoint,
    ])
    const { code, stderr } = await running.result
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /formwire: 1 of 2 deliveries failed: the handler responded with 500\n {2}the handler failed: check its log\n$/,
    )
    expect(idsOf(handler)).toEqual([...Array.from({ length: 10 }, () => 1), 2])
    expect(running.waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    const [name = ''] = readdirSync(`${checkpoint}.parked`)
    const file = join(`${checkpoint}.parked`, name)
    const again = `formwire replay ${file} --forward-to ${handler.url}`
    expect(stderr).toContain(
      `response 1 of form ${SURVEY} was parked after 10 attempts (last: the handler responded with 500); continuing with the next one. To send it again, run: ${again}\n`,
    )
    const row = `2026-11-21T12:00:00.000Z\tresponse.submitted\tlocal_${SURVEY}_1\t1\tverified\t500`
    const failed = 'the handler failed: check its log'
    expect(running.lines.slice(8, 10)).toEqual([
      `${row}\t9\t${failed}; the delivery is retried later; next attempt 2026-11-21T12:01:00.000Z\n`,
      `${row}\t10\t${failed}; parked; to send it again, run: ${again}\n`,
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await runCli(['replay', file, '--forward-to', handler.url], { env })).code).toBe(0)
    expect(idsOf(handler).at(-1)).toBe(1)

    const resumed = startPoll(['--forward-to', handler.url, '--checkpoint', checkpoint, '--count', '1'])
    await ready(resumed)
    const next = submit('Fay')
    expect((await resumed.result).stderr).toContain(`1 response is parked in ${checkpoint}.parked`)
    expect(idsOf(handler).at(-1)).toBe(next)
  })

  it('names the command that sends a parked response again when there is no checkpoint', async () => {
    const { code, stdout, stderr } = await startPoll(['--since', '4h', '--forward-to', '9', '--count', '1'])
      .result
    const again = `formwire trigger response.submitted --form ${SURVEY} --response 1 --forward-to http://localhost:9/`
    const problem = 'cannot connect to the handler: connection refused'
    expect(code).toBe(1)
    expect(stderr).toContain(
      `(last: cannot connect to the handler: connection refused); continuing with the next one. To send it again, run: ${again}\n`,
    )
    expect(stderr).toMatch(
      /formwire: 1 of 1 deliveries failed: cannot connect to the handler: connection refused\n$/,
    )
    expect(stdout.split('\n')[9]).toBe(
      `2026-11-21T12:00:00.000Z\tresponse.submitted\tlocal_${SURVEY}_1\t1\tverified\t502\t10\t${problem}; parked; to send it again, run: ${again}`,
    )
  })

  it('prints what sends a parked response again with --json', async () => {
    const { stdout } = await startPoll(['--since', '4h', '--forward-to', '9', '--count', '1', '--json'])
      .result
    const [first, last] = [0, 9].map((at) => JSON.parse(stdout.split('\n')[at] ?? ''))
    expect([first.parked, last.parked]).toEqual([
      null,
      {
        file: null,
        command: `formwire trigger response.submitted --form ${SURVEY} --response 1 --forward-to http://localhost:9/`,
      },
    ])
  })

  it('says that a certificate is not trusted, and what to do', async () => {
    const handler = createServer({ key: TLS_KEY, cert: TLS_CERTIFICATE }).listen(0, '127.0.0.1')
    closing.push(() => handler.close())
    await new Promise((resolve) => handler.once('listening', resolve))
    const url = `https://localhost:${(handler.address() as AddressInfo).port}/`
    const { code, stderr } = await startPoll(['--since', '4h', '--forward-to', url, '--count', '1']).result
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /formwire: 1 of 1 deliveries failed: the certificate of the handler is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\); pass --insecure for a local handler\n$/,
      ),
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

  it.each(['an existing directory', 'a path that ends with /'])(
    '--checkpoint: %s has a file per form',
    async (kind) => {
      const parent = temporaryDirectory()
      const path = kind === 'an existing directory' ? parent : `${join(parent, 'positions')}/`
      const handler = await startHandler()
      const args = ['--since', '4h', '--forward-to', handler.url, '--checkpoint', path]
      expect((await startPoll([...args, '--count', '1']).result).code).toBe(0)
      expect(readdirSync(path)).toEqual([`${SURVEY}.json`])
      expect((await startPoll([...args, '--count', '1']).result).code).toBe(0)
      expect(idsOf(handler)).toEqual([1, 2])
    },
  )

  it('--checkpoint: one file has the positions of several forms, and is in use by one process', async () => {
    const path = join(temporaryDirectory(), 'position')
    const { id: other } = service.server.app.forms.create({
      title: 'Other',
      questions: [{ id: 'name', type: 'short_text', title: 'Name' }],
    })
    service.server.app.forms.publish(other)
    const third = submit('Gus', other)
    const handler = await startHandler()
    const args = ['--form', other, '--since', '4h', '--forward-to', handler.url, '--checkpoint', path]
    expect((await startPoll([...args, '--count', '3']).result).code).toBe(0)
    expect(idsOf(handler).toSorted()).toEqual([1, 2, third])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const saved = JSON.parse(readFileSync(path, 'utf8'))
    expect([saved.formwire_checkpoint, Object.keys(saved.forms).toSorted()]).toEqual([
      1,
      [SURVEY, other].toSorted(),
    ])
    const running = startPoll(args)
    await until('the lock', () => existsSync(`${path}.json.lock`))
    const second = await startPoll(args).result
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringContaining(`formwire: The checkpoint ${path} is in use by process ${process.pid} on `),
    ])
    await ended(running)
    expect(readdirSync(dirname(path))).toEqual(['position'])
    expect(handler.got).toHaveLength(3)
  })

  it.each(['while the handler has the response', 'between two attempts'] as const)(
    'a response whose handler has not accepted it comes first in the next run: stopped %s',
    async (when) => {
      const checkpoint = join(temporaryDirectory(), 'position')
      const handler = await startHandler(200, 500)
      const args = ['--since', '4h', '--forward-to', handler.url, '--checkpoint', checkpoint]
      const running = startPlain(['listen', '--form', SURVEY, '--poll', ...args], env)
      const interrupt = () => running.stop.abort(new Stopped('interrupted'))
      if (when === 'between two attempts')
        await until('the refusal', () => running.lines.length === 2).then(interrupt)
      else handler.server.on('request', () => handler.got.length === 1 && interrupt())
      expect((await running.result).code).toBe(130)
      const { code, stderr } = await startPoll([...args, '--count', '1']).result
      expect([code, stderr]).toEqual([0, expect.stringContaining('polling form')])
      expect(idsOf(handler)).toEqual([1, 2, 2])
    },
  )

  it('--checkpoint: a run that has handled nothing yet keeps its place for the next one', async () => {
    const { id: empty } = service.server.app.forms.create({
      title: 'Empty',
      questions: [{ id: 'name', type: 'short_text', title: 'Name' }],
    })
    service.server.app.forms.publish(empty)
    const checkpoint = join(temporaryDirectory(), 'position')
    const args = ['--form', empty, '--checkpoint', checkpoint]
    const following = ['listen', '--form', SURVEY, '--poll', '--interval', '20ms', ...args]
    // The second attempt never comes.
    const first = startPlain([...following, '--forward-to', '9'], env)
    await until('the position', () => existsSync(checkpoint))
    const refused = submit('Di')
    await until('an attempt', () => first.lines.length > 0)
    first.stop.abort(new Stopped('interrupted'))
    expect((await first.result).code).toBe(130)
    const between = submit('Ed', empty)
    const handler = await startHandler()
    const { code, stderr } = await startPoll([...args, '--forward-to', handler.url, '--count', '2']).result
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('may be missing')])
    expect(idsOf(handler).toSorted()).toEqual([refused, between])
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
      [
        'listen',
        '--poll',
        '--form',
        SURVEY,
        '--form',
        other,
        '--since',
        '4h',
        '--interval',
        '20ms',
        '--forward-to',
        `${SURVEY}=${bad.url}`,
        '--forward-to',
        `${other}=${good.url}`,
      ],
      env,
    )
    await until('the other form', () => good.got.length === 1)
    running.stop.abort(new Stopped('interrupted'))
    expect((await running.result).code).toBe(130)
  })

  it('reports an outage once when it begins and once when it ends', async () => {
    const handler = await startHandler()
    const running = startPoll(['--forward-to', handler.url], {}, { retriesAtOnce: true })
    await ready(running)
    service.server.app.faults.add({ path: '/api/v1/forms/*/responses', status: 503, times: 3 })
    await until('the recovery', () => running.stderr().includes('connected again'))
    submit('Hal')
    await until('the response', () => handler.got.length === 1)
    const { stderr } = await ended(running)
    expect(stderr.match(/connection lost \(.*\); reconnecting\n/g)).toHaveLength(1)
    expect(stderr.match(/connected again\n/g)).toHaveLength(1)
  })

  it('shows a generated secret once; exits with 3 for an unknown form', async () => {
    const running = startPoll([], { FORMWIRE_WEBHOOK_SECRET: undefined })
    await until('the secret', () => running.stderr().includes('webhook secret: whsec_'))
    expect((await ended(running)).stderr.match(/whsec_/g)).toHaveLength(1)
    const unknown = await runCli(['listen', '--poll', '--form', 'unknown00000'], { env })
    expect([unknown.code, unknown.stdout]).toEqual([3, ''])
  })
})
