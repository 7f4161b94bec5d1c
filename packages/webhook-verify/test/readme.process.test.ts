import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { globalClock } from '@formwire/internal/clock'
import { ERROR_CODES } from '@formwire/webhook-verify'
import {
  createDelivery,
  TAMPERINGS,
  type Tampering,
  type TestDelivery,
} from '@formwire/webhook-verify/testing'
import { NextRequest } from 'next/server.js'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../../../test/support/serve.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { SETTLE_MS } from '../src/testing/receiver-check/handled-count.ts'
import { post, servePagesRoute } from './adapters/listen.ts'
import { saved } from './readme/responses.ts'

const readme = ['../README.md', '../../../docs/reference/webhook-verify.md']
  .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
  .join('\n')
const packageDir = fileURLToPath(new URL('../', import.meta.url))

/** The examples in the order of the pages. */
const EXAMPLES = [
  'express',
  'node',
  'fastify',
  'koa',
  'hono',
  'fetch',
  'deno-bun',
  'next-app',
  'next-pages',
  'lambda',
  'verify',
  'many-endpoints',
  'check',
  'testing',
] as const
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

/** Saves the examples as a reader does, beside the packages that they import. */
function saveExamples(): string {
  const directory = temporaryDirectory()
  const modules = join(packageDir, 'node_modules')
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  const packages = names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => join(name, own)) : name,
  )
  const links = packages.map((name): [string, string] => [name, join(modules, name)])
  for (const [name, target] of [...links, ['@formwire/webhook-verify', packageDir] as const]) {
    const link = join(directory, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link)
  }
  for (const [index, name] of EXAMPLES.entries())
    writeFileSync(join(directory, `${name}.ts`), blocks[index] ?? '')
  writeFileSync(
    join(directory, 'responses.ts'),
    `export { saved, saveResponse } from ${JSON.stringify(join(packageDir, 'test/readme/responses.ts'))}\n`,
  )
  return directory
}

const directory = saveExamples()
const examples = Object.fromEntries(
  await Promise.all(
    EXAMPLES.map(async (name) => [name, await import(/* @vite-ignore */ join(directory, `${name}.ts`))]),
  ),
  // biome-ignore lint/suspicious/noExplicitAny: test/docs compiles the examples with their types
) as Record<(typeof EXAMPLES)[number], any>

it('has an example for each name above', () => {
  expect(blocks).toHaveLength(EXAMPLES.length)
})

const { sleep } = globalClock
const sleepWithoutPauses: typeof sleep = (ms, signal) => sleep(ms <= SETTLE_MS ? 0 : ms, signal)

describe("the pages' examples", () => {
  beforeEach(() => {
    vi.stubEnv('FORMWIRE_WEBHOOK_SECRET', 'whsec_test')
    saved.length = 0
  })
  afterEach(() => void vi.unstubAllEnvs())

  it('verify.ts', () => {
    const handle = ({ headers }: TestDelivery, body: string) =>
      examples.verify.handle(headers, Buffer.from(body))
    const delivery = createDelivery()
    expect(handle(delivery, delivery.body)).toBe('response 4711 with 1 answers')
    expect(handle(delivery, '{}')).toMatch(/^401 no_match: Pass the raw bytes/)
    const ping = createDelivery({ event: 'test.ping' })
    expect(handle(ping, ping.body)).toBe('the endpoint works')
    const later = createDelivery({ event: 'form.closed' })
    expect(handle(later, later.body)).toMatch(/^form.closed: /)
  })

  it.each<[string, () => Promise<string>]>([
    ['express.ts', () => serve(examples.express.app)],
    ['node.ts', () => serve(examples.node.server)],
    ['koa.ts', () => serve(examples.koa.app.callback())],
    [
      'fastify.ts',
      () => {
        onTestFinished(() => examples.fastify.app.close())
        return examples.fastify.app.listen({ port: 0, host: '127.0.0.1' })
      },
    ],
  ])('%s saves a response once', async (_file, start) => {
    const url = await start()
    const delivery = createDelivery()
    expect(await post(`${url}/webhooks`, delivery)).toEqual({ status: 200, body: 'ok' })
    expect((await post(`${url}/webhooks`, delivery)).body).toBe('duplicate: already handled')
    expect(saved.map(({ id }) => id)).toEqual([4711])
  })

  const env = { FORMWIRE_WEBHOOK_SECRET: 'whsec_test' }
  it.each<[string, (delivery: TestDelivery) => Promise<{ status?: number; statusCode?: number }>]>([
    ['hono.ts', (delivery) => examples.hono.app.request('/webhooks', delivery.toRequest(), env)],
    ['fetch.ts', (delivery) => examples.fetch.worker.fetch(delivery.toRequest(), env)],
    ['deno-bun.ts', (delivery) => examples['deno-bun'].receive(delivery.toRequest())],
    ['lambda.ts', (delivery) => examples.lambda.handler(delivery.toLambdaEvent({ base64: true }))],
    [
      'next-app.ts',
      (delivery) =>
        examples['next-app'].POST(new NextRequest('https://receiver.example/', delivery.toRequest())),
    ],
    [
      'next-pages.ts',
      async (delivery) => {
        const { default: handler, config } = examples['next-pages']
        return post(await servePagesRoute(handler, config), delivery)
      },
    ],
  ])('%s saves a response', async (_file, respond) => {
    const { status, statusCode = status } = await respond(createDelivery())
    expect([statusCode, saved.length]).toEqual([200, 1])
  })

  it('many-endpoints.ts verifies with the secret of the endpoint in the URL', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { server, secrets } = examples['many-endpoints']
    secrets.set('one', 'whsec_of_one').set('two', 'whsec_of_two')
    const url = await serve(server)
    const statusOf = async (endpoint: string, secret: string) =>
      (await post(`${url}/webhooks/${endpoint}?x=/two`, createDelivery({ secret }))).status
    expect(await statusOf('one', 'whsec_of_one')).toBe(200)
    expect(await statusOf('two', 'whsec_of_two')).toBe(200)
    expect(await statusOf('one', 'whsec_of_two')).toBe(401)
    expect(await statusOf('three', 'whsec_of_two')).toBe(401)
    vi.restoreAllMocks()
  })

  it('check.ts finds nothing wrong with deno-bun.ts', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    // Its receiver counts before it responds, so the pauses before a count are not needed. Deadlines stay.
    const sleep = vi.spyOn(globalClock, 'sleep').mockImplementation(sleepWithoutPauses)
    try {
      expect(await examples.check.problemsOfMyReceiver()).toEqual([])
    } finally {
      sleep.mockRestore()
    }
  })

  it('testing.ts accepts genuine deliveries and refuses every tampered one', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { genuine, retry, ...tampered } = await examples.testing.probeMyReceiver()
    expect([genuine, retry]).toEqual([200, 200])
    expect(Object.keys(tampered)).toEqual(Object.keys(TAMPERINGS))
    for (const [name, status] of Object.entries(tampered)) {
      expect(status).toBe(ERROR_CODES[TAMPERINGS[name as Tampering].code].status)
    }
    vi.restoreAllMocks()
  })
})
