import { createReceiver, verifyRequest } from '@formwire/webhook-verify/koa'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { bodyParser } from '@koa/bodyparser'
import Koa, { type Middleware } from 'koa'
import { afterEach, describe, expect, it } from 'vitest'
import { describeAdapter } from './adapter-suite.ts'
import { exchange, type Listening, listen, post } from './listen.ts'

describeAdapter('koa', async (options) => {
  const app = new Koa()
  app.use(createReceiver(options))
  const server = await listen(app.callback())
  return { send: (sent) => post(server.url, sent), close: server.close }
})

describe('koa', () => {
  let server: Listening | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })
  const delivery = createDelivery()
  const sent = { headers: Object.entries(delivery.headers), body: delivery.body }
  const options = { secret: 'whsec_test', on: {}, onError: () => {} }

  async function through(...middleware: Middleware[]) {
    const app = new Koa()
    for (const each of middleware) app.use(each)
    app.silent = true
    server = await listen(app.callback())
    return post(server.url, sent)
  }

  it('verifies a delivery after @koa/bodyparser, which keeps the text', async () => {
    expect(await through(bodyParser(), createReceiver(options))).toMatchObject({ status: 200 })
  })

  it('[DLV-06] reports body_already_parsed after a parser that keeps nothing, with a status that makes the service retry', async () => {
    const forget: Middleware = (context, next) => {
      delete (context.request as { rawBody?: string }).rawBody
      return next()
    }
    expect(await through(bodyParser(), forget, createReceiver(options))).toEqual({
      status: 500,
      body: 'body_already_parsed',
    })
  })

  it('responds with 405 to any method but POST', async () => {
    const app = new Koa().use(createReceiver(options))
    server = await listen(app.callback())
    expect((await fetch(server.url)).status).toBe(405)
  })

  it('keeps the connection of a delivery open, and closes that of one which it did not read', async () => {
    server = await listen(new Koa().use(createReceiver(options)).callback())
    const open = await fetch(server.url, { method: 'POST', headers: delivery.headers, body: delivery.body })
    expect([open.status, open.headers.get('connection')]).toEqual([200, 'keep-alive'])
    const unread = 'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf'
    expect(await exchange(server.url, unread)).toMatch(/^HTTP\/1\.1 405 .*\r\nconnection: close\r\n/is)
  })

  it('returns the event from verifyRequest', async () => {
    const response = await through(async (context) => {
      context.body = (await verifyRequest(context, options)).type
    })
    expect(response).toEqual({ status: 200, body: 'response.submitted' })
  })
})
