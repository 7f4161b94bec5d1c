import { createReceiver, verifyRequest } from '@formwire/webhook-verify/hono'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { type Context, Hono, type Next } from 'hono'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../support.ts'
import { describeAdapter } from './adapter-suite.ts'

describeAdapter('hono', async (options) => {
  const app = new Hono()
  app.post('/webhooks', createReceiver(options))
  return {
    async send({ headers, body }) {
      const init = {
        method: 'POST',
        headers: new Headers(headers as [string, string][]),
        body: body as BodyInit,
      }
      const response = await app.request('/webhooks', init)
      return { status: response.status, body: await response.text() }
    },
  }
})

describe('hono', () => {
  const delivery = createDelivery()
  const options = { secret: 'whsec_test', on: {}, onError: () => {} }

  async function behind(middleware: (context: Context, next: Next) => Promise<void>) {
    const app = new Hono()
    app.use(middleware)
    app.post('/webhooks', createReceiver(options))
    return app.request('/webhooks', delivery.toRequest())
  }

  it('[DLV-06] reports body_already_parsed after middleware that bypasses Hono, with a status that makes the service retry', async () => {
    const response = await behind(async (context, next) => {
      await context.req.raw.json()
      await next()
    })
    expect([response.status, await response.text()]).toEqual([500, 'body_already_parsed'])
  })

  it('[DLV-06] reports body_already_parsed after c.req.blob(), whose bytes Hono does not cache', async () => {
    const response = await behind(async (context, next) => {
      await context.req.blob()
      await next()
    })
    expect([response.status, await response.text()]).toEqual([500, 'body_already_parsed'])
  })

  it.each(['json', 'text', 'arrayBuffer'] as const)(
    'verifies a delivery after c.req.%s(), whose bytes Hono caches',
    async (method) => {
      const response = await behind(async (context, next) => {
        await context.req[method]()
        await next()
      })
      expect(response.status).toBe(200)
    },
  )

  it('accepts a function from the context to the options', async () => {
    const app = new Hono<{ Bindings: { SECRET: string } }>()
    app.post(
      '/webhooks',
      createReceiver((context: Context<{ Bindings: { SECRET: string } }>) => ({
        ...options,
        secret: context.env.SECRET,
      })),
    )
    expect((await app.request('/webhooks', delivery.toRequest(), { SECRET: 'whsec_test' })).status).toBe(200)
    expect((await app.request('/webhooks', delivery.toRequest(), { SECRET: 'whsec_other' })).status).toBe(401)
    const missing = await app.request('/webhooks', delivery.toRequest(), { SECRET: '' })
    expect([missing.status, await missing.text()]).toEqual([500, 'invalid_secret'])
  })

  it('looks the secret up if the function returns one that does', async () => {
    const receive = createReceiver(() => ({ ...options, secret: async () => 'whsec_test' }))
    expect((await receive({ req: { raw: delivery.toRequest() } })).status).toBe(200)
  })

  it('reads the request that middleware put in the place of one that it had read', async () => {
    const req = { raw: delivery.toRequest(), bodyCache: { text: 'another body' } }
    expect(await verifyRequest({ req }, options)).toMatchObject({ type: 'response.submitted' })
  })

  it('refuses a request that was read, without a cache', async () => {
    const raw = delivery.toRequest()
    await raw.text()
    expect((await refusalOf(() => verifyRequest({ req: { raw } }, options))).code).toBe('body_already_parsed')
  })

  it('returns the event from verifyRequest', async () => {
    const app = new Hono()
    app.post('/webhooks', async (context) => context.json((await verifyRequest(context, options)).type))
    expect(await (await app.request('/webhooks', delivery.toRequest())).json()).toBe('response.submitted')
    const tampered = { req: { raw: delivery.tamper('changed-body').toRequest() } }
    expect((await refusalOf(() => verifyRequest(tampered, options))).code).toBe('no_match')
  })

  it('responds with 405 to other methods when mounted for all', async () => {
    const app = new Hono()
    app.all('/webhooks', createReceiver(options))
    expect((await app.request('/webhooks')).status).toBe(405)
  })
})
