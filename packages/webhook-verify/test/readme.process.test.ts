import crypto from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { globalClock } from '@formwire/internal/clock'
import { ERROR_CODES } from '@formwire/webhook-verify'
import { createFileSecrets } from '@formwire/webhook-verify/secrets'
import {
  checkReceiver,
  createDelivery,
  examplePayload,
  RECEIVER_CHECKS,
  TAMPERINGS,
  type Tampering,
} from '@formwire/webhook-verify/testing'
import type { NextApiHandler } from 'next'
import { apiResolver } from 'next/dist/server/api-utils/node/api-resolver.js'
import { NextRequest } from 'next/server.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { hasRedis, startRedis } from '../../sdk/test/support/redis-server.ts'
import { SETTLE_MS } from '../src/testing/receiver-check/handled-count.ts'
import { type Listening, listen, listenWith, post } from './adapters/listen.ts'
import * as checkExample from './readme/check.ts'
import * as checkExpressExample from './readme/check-express.ts'
import * as denoBunExample from './readme/deno-bun.ts'
import * as expressExample from './readme/express.ts'
import * as fastifyExample from './readme/fastify.ts'
import * as fetchExample from './readme/fetch.ts'
import * as honoExample from './readme/hono.ts'
import * as koaExample from './readme/koa.ts'
import * as lambdaExample from './readme/lambda.ts'
import * as manyEndpointsExample from './readme/many-endpoints.ts'
import * as nextAppExample from './readme/next-app.ts'
import * as nextPagesExample from './readme/next-pages.ts'
import * as nodeExample from './readme/node.ts'
import * as redisExample from './readme/redis.ts'
import { saved } from './readme/responses.ts'
import * as testingExample from './readme/testing.ts'
import * as verifyExample from './readme/verify.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const exampleDir = new URL('./readme/', import.meta.url)
const exampleFiles = readdirSync(exampleDir).filter((name) => name !== 'responses.ts')

/** An example as the README shows it: without linter comments. */
function shown(file: string): string {
  const source = readFileSync(new URL(file, exampleDir), 'utf8')
  return source.replace(/^.*biome-ignore.*\n/gm, '').trimEnd()
}

describe('the README', () => {
  it.each(exampleFiles)('shows %s exactly as it is tested', (file) => {
    expect(readme).toContain(`\`\`\`ts\n${shown(file)}\n\`\`\``)
  })

  it('shows no TypeScript that is not tested', () => {
    const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code.trimEnd())
    expect(blocks.toSorted()).toEqual(exampleFiles.map(shown).toSorted())
  })

  it('has the table of error codes, word for word', () => {
    const rows = Object.entries(ERROR_CODES).map(
      ([code, { status, meaning, hint }]) => `| \`${code}\` | ${status} | ${meaning} | ${hint} |`,
    )
    const table = /^\| code \| HTTP status \| meaning \| hint \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/m.exec(readme)
    expect(table?.[1]?.trimEnd().split('\n')).toEqual(rows)
  })

  it('has the table of tamperings, word for word', () => {
    const rows = Object.entries(TAMPERINGS).map(
      ([name, { code, description }]) => `| \`${name}\` | ${description} | \`${code}\` |`,
    )
    const table = /^\| name \| difference \| refused with \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/m.exec(readme)
    expect(table?.[1]?.trimEnd().split('\n')).toEqual(rows)
  })

  it('has the table of checks, word for word', () => {
    const rows = Object.entries(RECEIVER_CHECKS).map(
      ([name, { description, expected, required }]) =>
        `| \`${name}\`${required ? '' : '*'} | ${description} | ${expected} |`,
    )
    const table = /^\| check \| what is sent \| expected \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/m.exec(readme)
    expect(table?.[1]?.trimEnd().split('\n')).toEqual(rows)
  })
})

const { sleep } = globalClock
const sleepWithoutPauses: typeof sleep = (ms, signal) => sleep(ms <= SETTLE_MS ? 0 : ms, signal)

describe("the README's examples", () => {
  const open: Array<() => Promise<unknown>> = []
  beforeEach(() => {
    vi.stubEnv('FORMWIRE_WEBHOOK_SECRET', 'whsec_test')
    saved.length = 0
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    for (const close of open.splice(0)) await close()
  })

  /** Serves an example and posts a delivery to it. */
  async function drive(server: Listening, path = '/webhooks') {
    open.push(server.close)
    const delivery = createDelivery()
    const response = await post(server.url + path, { headers: delivery.headers, body: delivery.body })
    return {
      delivery,
      response,
      again: () => post(server.url + path, { headers: delivery.headers, body: delivery.body }),
    }
  }

  it('verify.ts', () => {
    const { headers, body } = createDelivery()
    const bytes = Buffer.from(body)
    expect(verifyExample.handle(headers, bytes)).toBe('response 4711 with 1 answers')
    expect(verifyExample.handle(headers, Buffer.from('{}'))).toMatch(/^401 no_match: Pass the raw bytes/)
    const ping = createDelivery({ event: 'test.ping' })
    expect(verifyExample.handle(ping.headers, Buffer.from(ping.body))).toBe('the endpoint works')
    const later = createDelivery({ event: 'form.closed' })
    expect(verifyExample.handle(later.headers, Buffer.from(later.body))).toMatch(/^form.closed: /)
  })

  it.each([
    ['express.ts', () => listen(expressExample.app)],
    ['node.ts', () => listenWith(nodeExample.server)],
    ['koa.ts', () => listen(koaExample.app.callback())],
    [
      'fastify.ts',
      async () => ({
        url: await fastifyExample.app.listen({ port: 0, host: '127.0.0.1' }),
        close: () => fastifyExample.app.close(),
      }),
    ],
  ])('%s saves a response once', async (_file, serve) => {
    const { response, again } = await drive(await serve())
    expect(response).toEqual({ status: 200, body: 'ok' })
    expect((await again()).body).toBe('duplicate: already handled')
    expect(saved.map(({ id }) => id)).toEqual([4711])
  })

  it('koa.ts does not handle other paths', async () => {
    expect((await drive(await listen(koaExample.app.callback()), '/other')).response.status).toBe(404)
  })

  it('hono.ts and fetch.ts save a response', async () => {
    const env = { FORMWIRE_WEBHOOK_SECRET: 'whsec_test' }
    expect((await honoExample.app.request('/webhooks', createDelivery().toRequest(), env)).status).toBe(200)
    expect((await fetchExample.worker.fetch(createDelivery().toRequest(), env)).status).toBe(200)
    expect(saved).toHaveLength(2)
  })

  it('deno-bun.ts saves a response once', async () => {
    const delivery = createDelivery()
    expect(await (await denoBunExample.receive(delivery.toRequest())).text()).toBe('ok')
    expect(await (await denoBunExample.receive(delivery.toRequest())).text()).toBe(
      'duplicate: already handled',
    )
    expect(saved).toHaveLength(1)
  })

  it('lambda.ts saves a response', async () => {
    expect(await lambdaExample.handler(createDelivery().toLambdaEvent({ base64: true }))).toMatchObject({
      statusCode: 200,
    })
    expect(saved).toHaveLength(1)
  })

  it('next-app.ts saves a response', async () => {
    const request = new NextRequest('https://receiver.example/webhooks', createDelivery().toRequest())
    expect((await nextAppExample.POST(request)).status).toBe(200)
    expect(saved).toHaveLength(1)
  })

  it('next-pages.ts saves a response', async () => {
    const { default: handler, config } = nextPagesExample
    const module = { default: handler as NextApiHandler, config }
    const context = { previewModeId: 'x', previewModeEncryptionKey: 'x', previewModeSigningKey: 'x' }
    const server = await listen((request, response) => {
      void apiResolver(request, response, {}, module, context as never, false, false, '/api/webhooks')
    })
    expect((await drive(server)).response).toEqual({ status: 200, body: 'ok' })
    expect(saved).toHaveLength(1)
  })

  it('many-endpoints.ts computes one HMAC a request, however many endpoints there are', async () => {
    const { server, secrets } = manyEndpointsExample
    for (let index = 0; index < 100; index += 1) secrets.set(`form${index}`, `whsec_of_${index}`)
    const { url, close } = await listenWith(server)
    open.push(close)
    const deliveries = [1, 2, 3].map((id) =>
      createDelivery({ secret: 'whsec_of_99', payload: examplePayload({ id }) }),
    )
    const hmac = vi.spyOn(crypto, 'createHmac')
    syncBuiltinESMExports()
    try {
      for (const delivery of deliveries) {
        expect((await post(`${url}/webhooks/form99`, delivery)).status).toBe(200)
      }
      expect(hmac).toHaveBeenCalledTimes(3)
    } finally {
      hmac.mockRestore()
      syncBuiltinESMExports()
      secrets.clear()
    }
  })

  it('many-endpoints.ts verifies with the secret of the endpoint in the URL', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { server, secrets } = manyEndpointsExample
    secrets.set('one', 'whsec_of_one').set('two', 'whsec_of_two')
    const { url, close } = await listenWith(server)
    open.push(close)
    const statusOf = async (endpoint: string, secret: string) =>
      (await post(`${url}/webhooks/${endpoint}?x=/two`, createDelivery({ secret }))).status
    expect(await statusOf('one', 'whsec_of_one')).toBe(200)
    expect(await statusOf('two', 'whsec_of_two')).toBe(200)
    expect(await statusOf('one', 'whsec_of_two')).toBe(401)
    expect(await statusOf('three', 'whsec_of_two')).toBe(401)
    vi.restoreAllMocks()
  })

  it('ensured.ts verifies with the stored secrets of the form in the delivery', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const path = join(temporaryDirectory(), 'secrets.json')
    vi.stubEnv('FORMWIRE_SECRETS_FILE', path)
    const { server } = await import('./readme/ensured.ts')
    const { url, close } = await listenWith(server)
    open.push(close)
    const { form } = examplePayload()
    const statusOf = async (secret: string) => (await post(url, createDelivery({ secret }))).status
    expect(await statusOf('whsec_stored')).toBe(503)
    const endpoint = { workspace_id: '1', form_id: form.id, webhook_id: 1, url, removed_at: null }
    await createFileSecrets(path).save({ ...endpoint, secret: 'whsec_stored' })
    expect(await statusOf('whsec_stored')).toBe(200)
    expect(await statusOf('whsec_other')).toBe(401)
    vi.restoreAllMocks()
  })

  it('check.ts finds nothing wrong with deno-bun.ts', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    // Its receiver counts before it responds, so the pauses before a count are not needed. Deadlines stay.
    const sleep = vi.spyOn(globalClock, 'sleep').mockImplementation(sleepWithoutPauses)
    try {
      expect(await checkExample.problemsOfMyReceiver()).toEqual([])
    } finally {
      sleep.mockRestore()
    }
  })

  it('check-express.ts shows how often a response was handled', async () => {
    const { url, close } = await listen(checkExpressExample.app)
    open.push(close)
    const report = await checkReceiver({
      url: `${url}/webhooks`,
      handled: `${url}/handled`,
      secret: 'whsec_test',
      only: ['genuine', 'test_ping', 'same_delivery_twice'],
      clock: { now: () => Date.now(), sleep: sleepWithoutPauses },
    })
    expect(report.checks.map(({ name, hint }) => [name, hint])).toEqual([
      ['genuine', null],
      ['test_ping', null],
      ['same_delivery_twice', null],
    ])
    vi.restoreAllMocks()
  })

  it('testing.ts accepts genuine deliveries and refuses every tampered one', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { genuine, retry, ...tampered } = await testingExample.probeMyReceiver()
    expect([genuine, retry]).toEqual([200, 200])
    expect(Object.keys(tampered)).toEqual(Object.keys(TAMPERINGS))
    for (const [name, status] of Object.entries(tampered)) {
      expect(status).toBe(ERROR_CODES[TAMPERINGS[name as Tampering].code].status)
    }
    vi.restoreAllMocks()
  })

  it.runIf(hasRedis)('redis.ts saves a response once with two receivers', async () => {
    const redis = await startRedis()
    open.push(redis.stop)
    const [one, other] = await Promise.all([
      redisExample.openReceiver(redis.url),
      redisExample.openReceiver(redis.url),
    ])
    const { response, delivery } = await drive(await listen(one.receive))
    expect(response.status).toBe(200)
    const server = await listen(other.receive)
    open.push(server.close)
    expect((await post(server.url, delivery)).body).toBe('duplicate: already handled')
    expect(saved).toHaveLength(1)
    one.close()
    other.close()
  })
})
