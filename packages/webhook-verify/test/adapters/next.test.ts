import { once } from 'node:events'
import { createPagesReceiver, createReceiver } from '@formwire/webhook-verify/next'
import { createDelivery } from '@formwire/webhook-verify/testing'
import type { NextApiHandler, PageConfig } from 'next'
import { apiResolver } from 'next/dist/server/api-utils/node/api-resolver.js'
import { NextRequest } from 'next/server.js'
import { afterEach, describe, expect, it } from 'vitest'
import { describeAdapter } from './adapter-suite.ts'
import { type Listening, listen, post } from './listen.ts'

describeAdapter('next, App Router', async (options) => {
  const POST = createReceiver(options)
  return {
    async send({ headers, body }) {
      const init = {
        method: 'POST',
        headers: new Headers(headers as [string, string][]),
        body: body as BodyInit,
      }
      const response = await POST(new NextRequest('https://receiver.example/webhooks', init))
      return { status: response.status, body: await response.text() }
    },
  }
})

/** Runs an API route as Next does, with its body parser unless `config` disables it. */
function servePagesRoute(handler: NextApiHandler, config: PageConfig): Promise<Listening> {
  const context = { previewModeId: 'x', previewModeEncryptionKey: 'x', previewModeSigningKey: 'x' }
  return listen(async (request, response) => {
    const resolverModule = { default: handler, config }
    await apiResolver(request, response, {}, resolverModule, context as never, false, false, '/api/webhooks')
    if (!response.writableEnded) await once(response, 'finish')
  })
}

describeAdapter('next, Pages Router', async (options) => {
  const server = await servePagesRoute(createPagesReceiver(options) as NextApiHandler, {
    api: { bodyParser: false },
  })
  return { send: (sent) => post(server.url, sent), close: server.close }
})

describe('next', () => {
  let server: Listening | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })
  const delivery = createDelivery()
  const options = { secret: 'whsec_test', on: {}, onError: () => {} }

  it("[DLV-06] reports body_already_parsed after Next's own JSON parser, with a status that makes the service retry", async () => {
    server = await servePagesRoute(createPagesReceiver(options) as NextApiHandler, {})
    const response = await post(server.url, {
      headers: Object.entries(delivery.headers),
      body: delivery.body,
    })
    expect(response).toEqual({ status: 500, body: 'body_already_parsed' })
  })

  it('[DLV-06] responds with 500 after request.json() in a route, so that the service retries', async () => {
    const request = new NextRequest('https://receiver.example/webhooks', delivery.toRequest())
    await request.json()
    expect((await createReceiver(options)(request)).status).toBe(500)
  })

  it('responds with 405 to any method but POST', async () => {
    server = await servePagesRoute(createPagesReceiver(options) as NextApiHandler, {
      api: { bodyParser: false },
    })
    expect((await fetch(server.url)).status).toBe(405)
  })
})
