import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../../../examples/express-receiver/src/app.ts'
import { crmReceiver } from '../../../../examples/node-test/src/forward-to-crm.ts'
import { bundled } from '../../../../test/support/bundled.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { hasRedis, startRedis } from '../../../sdk/test/support/redis-server.ts'
import { Stopped } from '../../src/failure.ts'
import { type RunningListen, startListen, startPlain } from '../support/listen.ts'
import { type Service, startService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const OWN_SECRET = 'whsec_chosen_by_the_developer'
let service: Service
let form: string
const closing: (() => unknown)[] = []
beforeEach(async () => {
  service = await startService({ now: Date.now(), limits: 'off' })
  const questions = [{ id: 'email', type: 'email' as const, title: 'Your email' }]
  form = service.server.app.forms.create({ title: 'Newsletter', questions }).id
  service.server.app.forms.publish(form)
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await service.server.close()
})

/** A receiver of `examples/` whose secret arrives after it has started, and what it has saved. */
interface Example {
  start(secret: () => string): Promise<{ url: string; saved(): number[] }>
}

async function serve(server: Server, path: string): Promise<string> {
  if (!server.listening) await once(server, 'listening')
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
}

const EXAMPLES: Record<string, Example> = {
  'express-receiver': {
    async start(secret) {
      const ids: number[] = []
      const app = createApp({ secret, saveResponse: ({ id }) => ids.push(id), now: () => Date.now() })
      return { url: await serve(app.listen(0, '127.0.0.1'), '/webhooks/formwire'), saved: () => ids }
    },
  },
  'node-test': {
    async start(secret) {
      const ids: number[] = []
      // It takes its secret at the start.
      const config = {
        get secret() {
          return secret()
        },
      }
      const server = crmReceiver(config, async ({ responseId }) => void ids.push(responseId))
      return { url: await serve(server.listen(0, '127.0.0.1'), '/'), saved: () => ids }
    },
  },
}

function submit(): number {
  const answers = [{ question_id: 'email', value: 'di@example.com' }]
  return service.server.app.responses.create(form, { answers, deliver: true }).id
}

const ended = async ({ stop, result }: Pick<RunningListen, 'stop' | 'result'>): Promise<void> => {
  stop.abort(new Stopped('interrupted'))
  await result
}

/** The handlers verify with the clock of this machine. */
const realTime = () => ({
  now: Date.now(),
  onSleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref()),
})

describe.each(Object.keys(EXAMPLES))('listen in front of examples/%s', (name) => {
  const start = (secret: () => string) => (EXAMPLES[name] as Example).start(secret)

  it('the handler verifies with the secret printed at startup', async () => {
    let secret = ''
    const handler = await start(() => secret)
    const running = await startListen(
      ['--form', form, '--forward-to', handler.url],
      { ...service.env, FORMWIRE_ADMIN_TOKEN: undefined },
      realTime(),
    )
    await until('the secret', () => /whsec_/.test(running.stderr()))
    secret = /webhook secret: (whsec_\S+) \(valid until this command ends\)/.exec(running.stderr())?.[1] ?? ''
    expect(running.stderr().match(/whsec_/g)).toHaveLength(1)
    const ids = [submit(), submit()]
    await until('both deliveries', () => running.lines.length === 2)
    for (const line of running.lines) expect(line.split('\t')[5]).toMatch(/^20[04]$/)
    expect(handler.saved().sort()).toEqual(ids)
    await ended(running)
    expect(service.server.app.webhooks.list(form)).toEqual([])
  })

  it('the handler verifies with a secret of its own when FORMWIRE_WEBHOOK_SECRET is set', async () => {
    const handler = await start(() => OWN_SECRET)
    const running = await startListen(
      ['--form', form, '--forward-to', handler.url],
      { ...service.env, FORMWIRE_ADMIN_TOKEN: undefined, FORMWIRE_WEBHOOK_SECRET: OWN_SECRET },
      realTime(),
    )
    await until('the endpoint', () => service.server.app.webhooks.list(form).length === 1)
    await until('the announcement', () => running.stderr().includes('listening on'))
    submit()
    await until('the delivery', () => running.lines.length === 1)
    expect(running.lines[0]?.split('\t')[5]).toMatch(/^20[04]$/)
    await ended(running)
    expect(running.stderr() + running.lines.join('')).not.toContain('whsec_')
  })

  it('the handler verifies responses that --poll sends', async () => {
    let secret = ''
    const handler = await start(() => secret)
    const running = startPlain(
      [
        'listen',
        '--form',
        form,
        '--poll',
        '--since',
        '1d',
        '--interval',
        '50ms',
        '--forward-to',
        handler.url,
        '--json',
      ],
      { ...service.env, FORMWIRE_ADMIN_TOKEN: undefined },
      realTime(),
    )
    await until('the listening event', () => running.stderr().includes('"listening"'))
    secret = (JSON.parse(running.stderr().split('\n')[0] ?? '') as { secret: string }).secret
    const id = submit()
    await until('the response', () => running.lines.some((line) => /"answered":20[04]/.test(line)))
    expect(handler.saved()).toContain(id)
    await ended(running)
  })
})

describe('listen starts the receivers of examples/ with their secret', () => {
  const COMMANDS: [name: string, script: string, path: string][] = [
    ['express-receiver', 'express-receiver/src/main.ts', '/webhooks/formwire'],
    ...(hasRedis
      ? [['queue-receiver', 'queue-receiver/src/receiver-main.ts', '/'] as [string, string, string]]
      : []),
  ]

  it.each(COMMANDS)('%s', async (name, script, path) => {
    const redis = name === 'queue-receiver' ? await startRedis() : undefined
    if (redis) closing.push(() => redis.stop())
    const port = await freePort()
    const program = await bundled(new URL(`../../../../examples/${script}`, import.meta.url))
    const command = [process.execPath, program]
    const running = await startListen(
      ['--form', form, '--forward-to', `${port}${path}`, '--count', '1', '--json', '--', ...command],
      {
        ...service.env,
        PATH: process.env.PATH,
        PORT: String(port),
        REDIS_URL: redis?.url,
        RESPONSES: temporaryDirectory(),
        FORMWIRE_ADMIN_TOKEN: undefined,
      },
      realTime(),
    )
    await until('the endpoint', () => service.server.app.webhooks.list(form).length === 1)
    // Before the handler listens: the delivery waits for it.
    submit()
    const { code, stderr } = await running.result
    expect(running.lines.map((line) => (JSON.parse(line) as { answered: number }).answered)).toEqual([200])
    expect(code).toBe(0)
    expect(stderr).toContain('listening on http://127.0.0.1:')
    expect(stderr).not.toContain('whsec_')
  })
})
