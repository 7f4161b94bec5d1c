import { readFileSync } from 'node:fs'
import * as expressAdapter from '@formwire/webhook-verify/express'
import * as fastifyAdapter from '@formwire/webhook-verify/fastify'
import * as fetchAdapter from '@formwire/webhook-verify/fetch'
import * as honoAdapter from '@formwire/webhook-verify/hono'
import * as koaAdapter from '@formwire/webhook-verify/koa'
import * as lambdaAdapter from '@formwire/webhook-verify/lambda'
import * as nextAdapter from '@formwire/webhook-verify/next'
import * as nodeAdapter from '@formwire/webhook-verify/node'
import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import { bodyParser } from '@koa/bodyparser'
import express, { type RequestHandler } from 'express'
import fastify from 'fastify'
import { type Context, Hono, type Next } from 'hono'
import Koa, { type Middleware } from 'koa'
import type { NextApiHandler } from 'next'
import { NextRequest } from 'next/server.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { toLambdaEvent } from '../../src/testing/requests.ts'
import { codeOf, refusalOf } from '../support.ts'
import { describeAdapter, type OpenAdapter, type Sent } from './adapter-suite.ts'
import { post, servePagesRoute } from './listen.ts'

const served = (url: string): OpenAdapter => ({ send: (sent) => post(url, sent) })
const called = (respond: (init: RequestInit) => Response | Promise<Response>): OpenAdapter => ({
  async send({ headers, body, method = 'POST' }) {
    const init = { method, headers: new Headers(headers as [string, string][]), body: body as BodyInit }
    const response = await respond(init)
    return { status: response.status, body: await response.text() }
  },
})

describeAdapter('node', {
  ...nodeAdapter,
  verifyRequest: (delivery, options) => nodeAdapter.verifyRequest(delivery.toIncomingMessage(), options),
  open: async (options) => served(await serve(nodeAdapter.createReceiver(options))),
})

describeAdapter('express', {
  createReceiver: expressAdapter.createReceiver,
  open: async (options) => served(await serve(express().post('/', expressAdapter.createReceiver(options)))),
  otherMethods: 404,
})

describeAdapter('koa', {
  ...koaAdapter,
  verifyRequest: (delivery, options) =>
    koaAdapter.verifyRequest({ req: delivery.toIncomingMessage(), request: {} } as never, options),
  open: async (options) => served(await serve(new Koa().use(koaAdapter.createReceiver(options)).callback())),
})

describeAdapter('fastify', {
  createReceiver: fastifyAdapter.createReceiver,
  verifyRequest: ({ headers, body }, options) => fastifyAdapter.verifyRequest({ headers, body }, options),
  async open(options) {
    const app = fastify()
    await app.register(fastifyAdapter.createReceiver(options), { prefix: '/webhooks' })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    return served(`${url}/webhooks`)
  },
  otherMethods: 404,
})

describeAdapter('fetch', {
  ...fetchAdapter,
  verifyRequest: (delivery, options) => fetchAdapter.verifyRequest(delivery.toRequest(), options),
  async open(options) {
    const receive = fetchAdapter.createReceiver(options)
    return called((init) => receive(new Request('https://receiver.example/webhooks', init)))
  },
})

describeAdapter('hono', {
  createReceiver: honoAdapter.createReceiver,
  verifyRequest: (delivery, options) =>
    honoAdapter.verifyRequest({ req: { raw: delivery.toRequest() } }, options),
  async open(options) {
    const app = new Hono().all('/webhooks', honoAdapter.createReceiver(options))
    return called((init) => app.request('/webhooks', init))
  },
})

describeAdapter('next, App Router', {
  createReceiver: nextAdapter.createReceiver,
  async open(options) {
    const POST = nextAdapter.createReceiver(options)
    return called((init) => POST(new NextRequest('https://receiver.example/webhooks', init as object)))
  },
})

describeAdapter('next, Pages Router', {
  createReceiver: nextAdapter.createPagesReceiver,
  async open(options) {
    const handler = nextAdapter.createPagesReceiver(options) as NextApiHandler
    return served(await servePagesRoute(handler, { api: { bodyParser: false } }))
  },
})

for (const version of ['1.0', '2.0'] as const)
  for (const base64 of [false, true])
    describeAdapter(`lambda, API Gateway ${version}, base64 ${base64}`, {
      ...lambdaAdapter,
      verifyRequest: (delivery, options) =>
        lambdaAdapter.verifyRequest(delivery.toLambdaEvent({ version, base64 }), options),
      async open(options) {
        const handler = lambdaAdapter.createReceiver(options)
        return {
          async send({ method: httpMethod = 'POST', ...sent }) {
            const { requestContext: _, ...event } = toLambdaEvent(sent, { version, base64 })
            const method =
              version === '1.0' ? { httpMethod } : { requestContext: { http: { method: httpMethod } } }
            const { statusCode, body } = await handler({ ...event, ...method })
            return { status: statusCode, body }
          },
        }
      },
    })

const delivery = createDelivery()
const sent = { headers: Object.entries(delivery.headers), body: delivery.body }
const options = { secret: 'whsec_test', on: {}, onError: () => {} }
const PARSED = { status: 500, body: 'body_already_parsed' }

describe('express', () => {
  it('passes the whole URL to `secret`, not what a router leaves of it', async () => {
    const urls: string[] = []
    const secret = ({ url }: { url: string }) => {
      urls.push(url)
      return 'whsec_test'
    }
    const router = express.Router().post('/:endpoint', expressAdapter.createReceiver({ secret, on: {} }))
    const url = await serve(express().use('/webhooks', router))
    expect((await post(`${url}/webhooks/one?a=1`, sent)).status).toBe(200)
    expect(urls).toEqual(['/webhooks/one?a=1'])
  })

  async function behind(parser: RequestHandler, message: Sent = sent) {
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const receiver = expressAdapter.createReceiver({ ...options, onError })
    const url = await serve(express().use(parser).post('/', receiver))
    return { response: await post(url, message), errors }
  }

  it('[DLV-06] reports body_already_parsed after express.json(), with a status that makes the service retry', async () => {
    const { response, errors } = await behind(express.json())
    expect(response).toEqual(PARSED)
    expect(errors).toMatchObject([
      { code: 'body_already_parsed', hint: expect.stringContaining('JSON body parser') },
    ])
  })

  it('reports body_already_parsed after express.urlencoded() has read the body', async () => {
    const headers = { ...delivery.headers, 'Content-Type': 'application/x-www-form-urlencoded' }
    const message = { headers: Object.entries(headers), body: delivery.body }
    expect((await behind(express.urlencoded(), message)).response).toEqual(PARSED)
  })

  it.each([
    ['express.raw()', express.raw({ type: '*/*' })],
    ['express.text()', express.text({ type: '*/*' })],
    [
      'a JSON parser that keeps the bytes as rawBody',
      express.json({ verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }) }),
    ],
    ['a JSON parser for other content types', express.json({ type: 'application/other' })],
  ])('verifies a delivery after %s', async (_parser, parser) => {
    expect((await behind(parser)).response).toMatchObject({ status: 200 })
  })

  it('verifies a delivery of nearly 2.5 MiB after express.raw() with the options that the README names', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const [, type, limit] = /`express\.raw\(\{ type: '(.*?)', limit: '(.*?)' \}\)`/.exec(readme) ?? []
    // The adapter reads what no parser has read.
    expect(type).toBe('*/*')
    const payload = examplePayload()
    payload.response.meta = { ...payload.response.meta, filler: 'x'.repeat(2_600_000) }
    const large = createDelivery({ payload })
    const message = { headers: Object.entries(large.headers), body: large.body }
    const { response } = await behind(express.raw({ type: `${type}`, limit: `${limit}` }), message)
    expect(response).toMatchObject({ status: 200 })
  })

  it('returns the event from verifyRequest, and passes its error to Express', async () => {
    const app = express().post('/', async (request, response) => {
      const event = await expressAdapter.verifyRequest(request, { secret: 'whsec_test' })
      response.json({ type: event.type })
    })
    const url = await serve(app)
    const body = '{"type":"response.submitted"}'
    expect(await post(url, sent)).toEqual({ status: 200, body })
    expect((await post(url, { ...sent, body: '{}' })).status).toBe(401)
  })
})

describe('fastify', () => {
  const message = {
    method: 'POST',
    url: '/webhooks',
    headers: delivery.headers,
    payload: delivery.body,
  } as const

  it('does not change the JSON parser of other routes, and leaves their errors to Fastify', async () => {
    const app = fastify()
    app.post('/other', async (request) => request.body)
    await app.register(fastifyAdapter.createReceiver({ ...options, path: '/webhooks' }))
    expect((await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })).json()).toEqual({ a: 1 })
    expect((await app.inject(message)).statusCode).toBe(200)
    const headers = { ...delivery.headers, 'content-length': '3' }
    const response = await app.inject({ ...message, headers })
    expect([response.statusCode, response.json().code]).toEqual([400, 'FST_ERR_CTP_INVALID_CONTENT_LENGTH'])
  })

  it('accepts a delivery without a content type, and refuses one without a body', async () => {
    const app = fastify()
    await app.register(fastifyAdapter.createReceiver(options), { prefix: '/webhooks' })
    const { 'Content-Type': _, ...headers } = delivery.headers
    const untyped = await app.inject({ ...message, headers, payload: Buffer.from(delivery.body) })
    expect(untyped.statusCode).toBe(200)
    expect((await app.inject({ method: 'POST', url: '/webhooks', headers })).statusCode).toBe(401)
  })

  it("[DLV-06] reports body_already_parsed after Fastify's own JSON parser, and verifies after a raw one", async () => {
    const app = fastify()
    app.post('/webhooks', async (request) => fastifyAdapter.verifyRequest(request, options).type)
    const parsed = await app.inject(message)
    expect([parsed.statusCode, parsed.json().code]).toEqual([500, 'body_already_parsed'])
    const raw = fastify()
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    raw.post('/webhooks', async (request) => fastifyAdapter.verifyRequest(request, options).type)
    expect((await raw.inject(message)).payload).toBe('response.submitted')
  })

  it('has an option path, which others lack', async () => {
    const create = () => fastifyAdapter.createReceiver({ ...options, paht: '/x' } as never)
    expect((await refusalOf(create)).message).toBe('Unknown option "paht"; did you mean "path"?')
    const onNode = await refusalOf(() => nodeAdapter.createReceiver({ ...options, path: '/x' } as never))
    expect(onNode.message).toMatch(/^Unknown option "path"; known options: secret, /)
  })
})

describe('hono', () => {
  async function behind(middleware: (context: Context) => Promise<unknown>) {
    const app = new Hono()
    app.use(async (context: Context, next: Next) => {
      await middleware(context)
      await next()
    })
    app.post('/webhooks', honoAdapter.createReceiver(options))
    const response = await app.request('/webhooks', delivery.toRequest())
    return { status: response.status, body: await response.text() }
  }

  it('[DLV-06] reports body_already_parsed after what Hono does not cache, with a status that makes the service retry', async () => {
    expect(await behind((context) => context.req.raw.json())).toEqual(PARSED)
    expect(await behind((context) => context.req.blob())).toEqual(PARSED)
  })

  it.each(['json', 'text', 'arrayBuffer'] as const)(
    'verifies a delivery after c.req.%s(), whose bytes Hono caches',
    async (method) => {
      expect((await behind((context) => context.req[method]())).status).toBe(200)
    },
  )

  it('accepts a function from the context to the options, and checks what it returns', async () => {
    const app = new Hono<{ Bindings: { SECRET: string } }>()
    const receive = honoAdapter.createReceiver((context: Context<{ Bindings: { SECRET: string } }>) => ({
      ...options,
      secret: context.env.SECRET,
    }))
    app.post('/webhooks', receive)
    const respond = async (SECRET: string) => {
      const response = await app.request('/webhooks', delivery.toRequest(), { SECRET })
      return [response.status, (await response.text()).slice(0, 14)]
    }
    expect(await respond('whsec_test')).toEqual([200, 'ignored: no ha'])
    expect(await respond('whsec_other')).toEqual([401, 'no_match: The '])
    expect(await respond('')).toEqual([500, 'invalid_secret'])
    const context = () => ({ req: { raw: delivery.toRequest() } })
    const finding = honoAdapter.createReceiver(() => ({ ...options, secret: async () => 'whsec_test' }))
    expect((await finding(context())).status).toBe(200)
    const misspelt = honoAdapter.createReceiver(() => ({ ...options, tolerance: 5 }))
    expect((await refusalOf(() => misspelt(context()))).message).toBe(
      'Unknown option "tolerance"; did you mean "toleranceSeconds"?',
    )
  })

  it('reads the request that middleware put in the place of one that it had read', async () => {
    const req = { raw: delivery.toRequest(), bodyCache: { text: 'another body' } }
    expect(await honoAdapter.verifyRequest({ req }, options)).toMatchObject({ type: 'response.submitted' })
    const uncached = { req: { raw: req.raw } }
    expect(await codeOf(() => honoAdapter.verifyRequest(uncached, options))).toBe(PARSED.body)
  })
})

describe('koa', () => {
  const receiver = koaAdapter.createReceiver(options)

  async function through(...middleware: Middleware[]) {
    const app = new Koa()
    for (const each of middleware) app.use(each)
    return post(await serve(app.callback()), sent)
  }

  it('verifies a delivery after @koa/bodyparser, which keeps the text', async () => {
    expect(await through(bodyParser(), receiver)).toMatchObject({ status: 200 })
  })

  it('[DLV-06] reports body_already_parsed after a parser that keeps nothing, with a status that makes the service retry', async () => {
    const forget: Middleware = (context, next) => {
      delete (context.request as { rawBody?: string }).rawBody
      return next()
    }
    expect(await through(bodyParser(), forget, receiver)).toEqual(PARSED)
  })

  it('closes the connection of a request that was not read to its end', async () => {
    const respond = async (complete: boolean) => {
      const headers: Record<string, string> = {}
      const context = {
        req: Object.assign(delivery.toIncomingMessage(), { complete }),
        request: {},
        status: 0,
        body: undefined as unknown,
        set: (given: Record<string, string>) => Object.assign(headers, given),
      }
      await receiver(context)
      return [context.status, headers]
    }
    const type = { 'content-type': 'text/plain; charset=utf-8' }
    expect(await respond(true)).toEqual([200, type])
    expect(await respond(false)).toEqual([200, { ...type, connection: 'close' }])
  })
})

describe('next', () => {
  it("[DLV-06] reports body_already_parsed after Next's own JSON parser, with a status that makes the service retry", async () => {
    const url = await servePagesRoute(nextAdapter.createPagesReceiver(options) as NextApiHandler, {})
    expect(await post(url, sent)).toEqual(PARSED)
  })
})
