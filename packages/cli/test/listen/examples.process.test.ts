import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../../../examples/express-receiver/src/app.ts'
import { crmReceiver } from '../../../../examples/node-test/src/forward-to-crm.ts'
import { bundled } from '../../../../test/support/bundled.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { Stopped } from '../../src/failure.ts'
import { type RunningListen, startListen } from '../support/listen.ts'
import { type Service, testService } from '../support/service.ts'
import { until } from '../support/wait.ts'

let service: Service
let form: string
const closing: (() => unknown)[] = []
beforeEach(async () => {
  service = await testService({ now: Date.now(), limits: 'off' })
  const questions = [{ id: 'email', type: 'email' as const, title: 'Your email' }]
  form = service.server.app.forms.create({ title: 'Newsletter', questions }).id
  service.server.app.forms.publish(form)
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
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
})

it('listen starts examples/express-receiver with its secret', async () => {
  const port = await freePort()
  const program = await bundled(new URL('../../../../examples/express-receiver/src/main.ts', import.meta.url))
  const running = await startListen(
    [
      '--form',
      form,
      '--forward-to',
      `${port}/webhooks/formwire`,
      '--count',
      '1',
      '--json',
      '--',
      process.execPath,
      program,
    ],
    {
      ...service.env,
      PATH: process.env.PATH,
      PORT: String(port),
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
