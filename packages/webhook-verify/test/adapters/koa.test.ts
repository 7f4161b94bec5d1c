import { createReceiver, verifyRequest } from '@formwire/webhook-verify/koa'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { bodyParser } from '@koa/bodyparser'
import Koa, { type Middleware } from 'koa'
import { afterEach, describe, expect, it } from 'vitest'
import { describeAdapter } from './adapter-suite.ts'
import { type Listening, listen, post } from './listen.ts'

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

  it('closes the connection of a request that was not read to its end', async () => {
    const respond = async (complete: boolean) => {
      const sentHeaders: Record<string, string> = {}
      const context = {
        req: Object.assign(delivery.toIncomingMessage(), { complete }),
        request: {},
        status: 0,
        body: undefined as unknown,
        set: (headers: Record<string, string>) => Object.assign(sentHeaders, headers),
      }
      await createReceiver(options)(context)
      return [context.status, context.body, sentHeaders]
    }
    const type = { 'content-type': 'text/plain; charset=utf-8' }
    const body = 'ignored: no handler for this event'
    expect(await respond(true)).toEqual([200, body, type])
    expect(await respond(false)).toEqual([200, body, { ...type, connection: 'close' }])
  })

  it('returns the event from verifyRequest', async () => {
    const response = await through(async (context) => {
      context.body = (await verifyRequest(context, options)).type
    })
    expect(response).toEqual({ status: 200, body: 'response.submitted' })
  })
})
