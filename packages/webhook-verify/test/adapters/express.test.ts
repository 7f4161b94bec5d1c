import { readFileSync } from 'node:fs'
import { createReceiver, verifyRequest } from '@formwire/webhook-verify/express'
import { createDelivery, examplePayload } from '@formwire/webhook-verify/testing'
import express, { type RequestHandler } from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { describeAdapter } from './adapter-suite.ts'
import { type Listening, listen, post } from './listen.ts'

describeAdapter('express', async (options) => {
  const app = express()
  app.post('/webhooks', createReceiver(options))
  const server = await listen(app)
  return { send: (sent) => post(`${server.url}/webhooks`, sent), close: server.close }
})

describe('express', () => {
  it('passes the whole URL to `secret`, not what a router leaves of it', async () => {
    const urls: string[] = []
    const router = express.Router().post(
      '/:endpoint',
      createReceiver({
        secret: ({ url }) => {
          urls.push(url)
          return 'whsec_test'
        },
        on: {},
      }),
    )
    server = await listen(express().use('/webhooks', router))
    expect((await post(`${server.url}/webhooks/one?a=1`, sent)).status).toBe(200)
    expect(urls).toEqual(['/webhooks/one?a=1'])
  })

  let server: Listening | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })
  const delivery = createDelivery()
  const sent = { headers: Object.entries(delivery.headers), body: delivery.body }

  async function behind(parser: RequestHandler, message = sent) {
    const errors: unknown[] = []
    const app = express()
    app.use(parser)
    app.post(
      '/webhooks',
      createReceiver({ secret: 'whsec_test', on: {}, onError: (error) => errors.push(error) }),
    )
    server = await listen(app)
    return { response: await post(`${server.url}/webhooks`, message), errors }
  }

  it('[DLV-06] reports body_already_parsed after express.json(), with a status that makes the service retry', async () => {
    const { response, errors } = await behind(express.json())
    expect(response).toEqual({ status: 500, body: 'body_already_parsed' })
    expect(errors).toMatchObject([
      { code: 'body_already_parsed', hint: expect.stringContaining('JSON body parser') },
    ])
  })

  it('reports body_already_parsed after express.urlencoded() has read the body', async () => {
    const headers = sent.headers.map(([name, value]) =>
      name === 'Content-Type'
        ? ([name, 'application/x-www-form-urlencoded'] as const)
        : ([name, value] as const),
    )
    const { response } = await behind(express.urlencoded(), {
      ...sent,
      headers: [...headers] as [string, string][],
    })
    expect(response).toEqual({ status: 500, body: 'body_already_parsed' })
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
    const app = express()
    app.post('/webhooks', async (request, response) => {
      const event = await verifyRequest(request, { secret: 'whsec_test' })
      response.json({ type: event.type })
    })
    server = await listen(app)
    expect(await post(`${server.url}/webhooks`, sent)).toEqual({
      status: 200,
      body: '{"type":"response.submitted"}',
    })
    expect((await post(`${server.url}/webhooks`, { ...sent, body: '{}' })).status).toBe(401)
  })
})
