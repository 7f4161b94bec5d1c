import { createReceiver, type LambdaEventLike, verifyRequest } from '@formwire/webhook-verify/lambda'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../support.ts'

describe('lambda', () => {
  const delivery = createDelivery()
  const options = { secret: 'whsec_test', on: {}, onError: () => {} }
  const event = delivery.toLambdaEvent()

  it.each<[string, LambdaEventLike, string]>([
    ['a body that middleware parsed', { ...event, body: JSON.parse(delivery.body) }, 'body_already_parsed'],
    ['no body', { ...event, body: undefined }, 'no_match'],
    ['a null body', { ...event, body: null }, 'no_match'],
    ['no headers', { body: delivery.body }, 'missing_header'],
    [
      'base64 without isBase64Encoded',
      { ...delivery.toLambdaEvent({ base64: true }), isBase64Encoded: false },
      'no_match',
    ],
  ])('refuses %s', async (_what, broken, code) => {
    expect(await codeOf(() => verifyRequest(broken, options))).toBe(code)
  })

  it('[DLV-06] makes the service retry after JSON middleware, unless the middleware kept the raw body', async () => {
    const handler = createReceiver(options)
    const parsed = { ...event, body: JSON.parse(delivery.body) }
    expect(await handler(parsed)).toMatchObject({ statusCode: 500, body: 'body_already_parsed' })
    expect(await handler({ ...parsed, rawBody: delivery.body })).toMatchObject({ statusCode: 200 })
  })

  it.each<[string, LambdaEventLike, string]>([
    ['an HTTP API', { ...event, rawQueryString: 'a=1' }, '/webhooks?a=1'],
    ['an HTTP API without a query', { ...event, rawQueryString: '' }, '/webhooks'],
    ['a REST API', { ...delivery.toLambdaEvent({ version: '1.0' }), requestContext: {} }, '/webhooks'],
    ['nothing', { headers: event.headers, body: event.body, multiValueHeaders: {} }, ''],
    ['nothing, with null members', { headers: event.headers, body: event.body, multiValueHeaders: null }, ''],
  ])('passes the path and query of %s to `secret`', async (_what, received, expected) => {
    const urls: string[] = []
    const secret = ({ url }: { url: string }) => {
      urls.push(url)
      return 'whsec_test'
    }
    expect(await createReceiver({ ...options, secret })(received)).toMatchObject({ statusCode: 200 })
    expect(urls).toEqual([expected])
  })
})
