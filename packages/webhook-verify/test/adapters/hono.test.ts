import { createReceiver, verifyRequest } from '@formwire/webhook-verify/hono'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { type Context, Hono, type Next } from 'hono'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../support.ts'
import { describeDoor } from './door-suite.ts'

describeDoor('hono', async (options) => {
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

  it('[DLV-06] behind middleware that read the request past Hono: a clear error, and a status that has the service try again', async () => {
    const response = await behind(async (context, next) => {
      await context.req.raw.json()
      await next()
    })
    expect([response.status, await response.text()]).toEqual([500, 'body_already_parsed'])
  })

  it('[DLV-06] behind c.req.blob(), of which Hono keeps no bytes: the same', async () => {
    const response = await behind(async (context, next) => {
      await context.req.blob()
      await next()
    })
    expect([response.status, await response.text()]).toEqual([500, 'body_already_parsed'])
  })

  it.each(['json', 'text', 'arrayBuffer'] as const)(
    'behind c.req.%s(): verified, since Hono keeps the bytes',
    async (method) => {
      const response = await behind(async (context, next) => {
        await context.req[method]()
        await next()
      })
      expect(response.status).toBe(200)
    },
  )

  it('takes its options from the context', async () => {
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
  })

  it('gives the event to a handler of one’s own', async () => {
    const app = new Hono()
    app.post('/webhooks', async (context) => context.json((await verifyRequest(context, options)).type))
    expect(await (await app.request('/webhooks', delivery.toRequest())).json()).toBe('response.submitted')
    const tampered = { req: { raw: delivery.tamper('changed-body').toRequest() } }
    expect((await refusalOf(() => verifyRequest(tampered, options))).code).toBe('no_match')
  })

  it('answers 405 when mounted for every method', async () => {
    const app = new Hono()
    app.all('/webhooks', createReceiver(options))
    expect((await app.request('/webhooks')).status).toBe(405)
  })
})
