import { createReceiver, verifyRequest } from '@formwire/webhook-verify/fastify'
import { createDelivery } from '@formwire/webhook-verify/testing'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { describeAdapter } from './adapter-suite.ts'

describeAdapter('fastify', async (options) => {
  const app = fastify()
  await app.register(createReceiver(options), { prefix: '/webhooks' })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { post } = await import('./listen.ts')
  return { send: (sent) => post(`${url}/webhooks`, sent), close: () => app.close() }
})

describe('fastify', () => {
  const delivery = createDelivery()
  const options = { secret: 'whsec_test', on: {}, onError: () => {} }
  const message = {
    method: 'POST',
    url: '/webhooks',
    headers: delivery.headers,
    payload: delivery.body,
  } as const

  it('does not change the JSON parser of other routes', async () => {
    const app = fastify()
    app.post('/other', async (request) => request.body)
    await app.register(createReceiver({ ...options, path: '/webhooks' }))
    expect((await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })).json()).toEqual({ a: 1 })
    expect((await app.inject(message)).statusCode).toBe(200)
  })

  it('accepts a delivery without a content type, and refuses one without a body', async () => {
    const app = fastify()
    await app.register(createReceiver(options), { prefix: '/webhooks' })
    const { 'Content-Type': _, ...headers } = delivery.headers
    expect((await app.inject({ ...message, headers, payload: Buffer.from(delivery.body) })).statusCode).toBe(
      200,
    )
    expect((await app.inject({ method: 'POST', url: '/webhooks', headers })).statusCode).toBe(401)
  })

  it("[DLV-06] reports body_already_parsed after Fastify's own JSON parser", async () => {
    const app = fastify()
    app.post('/webhooks', async (request) => verifyRequest(request, options).type)
    const response = await app.inject(message)
    expect(response.statusCode).toBe(500)
    expect(response.json().code).toBe('body_already_parsed')
  })

  it('returns the event from verifyRequest after a raw parser', async () => {
    const app = fastify()
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.post('/webhooks', async (request) => verifyRequest(request, options).type)
    expect((await app.inject(message)).payload).toBe('response.submitted')
  })

  it('leaves a request that Fastify cannot read to Fastify', async () => {
    const app = fastify()
    await app.register(createReceiver(options), { prefix: '/webhooks' })
    const headers = { ...delivery.headers, 'content-length': '3' }
    const response = await app.inject({ ...message, headers })
    expect([response.statusCode, response.json().code]).toEqual([400, 'FST_ERR_CTP_INVALID_CONTENT_LENGTH'])
  })

  it('leaves other errors of its scope to Fastify', async () => {
    const app = fastify()
    await app.register(createReceiver({ ...options, path: '/webhooks' }))
    expect((await app.inject({ method: 'GET', url: '/webhooks' })).statusCode).toBe(404)
  })
})
