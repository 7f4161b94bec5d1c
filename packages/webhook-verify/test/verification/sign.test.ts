import {
  signatureHeader,
  signWebhook,
  verifyWebhook,
  WebhookVerificationError,
} from '@formwire/webhook-verify'
import * as web from '@formwire/webhook-verify/web'
import { describe, expect, it } from 'vitest'
import { BODY, refusalOf, SECRET, SIGNATURE, SIGNED_AT, TIMESTAMP } from '../support.ts'

const { event: _event, ...PAYLOAD } = JSON.parse(BODY)
const EXPECTED = {
  headers: {
    'Content-Type': 'application/json',
    'X-Service-Event': 'response.submitted',
    'X-Service-Delivery': 'dlv_1',
    'X-Service-Timestamp': '1795253400',
    'X-Service-Signature': `sha256=${SIGNATURE}`,
  },
  body: BODY,
}

describe.each([
  { name: 'node', sign: async (options: Parameters<typeof signWebhook>[0]) => signWebhook(options) },
  { name: 'web', sign: web.signWebhook },
])('signWebhook ($name)', ({ sign }) => {
  const options = { secret: SECRET, event: 'response.submitted', payload: PAYLOAD, deliveryId: 'dlv_1' }

  it.each([
    ['a Date', SIGNED_AT],
    ['a Date between two seconds', new Date('2026-11-21T09:30:00.999Z')],
    ['seconds', TIMESTAMP],
    ['seconds with a fraction', TIMESTAMP + 0.5],
  ])('[DLV-03] [DLV-04] signs like openssl, with the timestamp as %s', async (_shape, timestamp) => {
    expect(await sign({ ...options, timestamp })).toEqual(EXPECTED)
  })

  it('puts the event first, even if the payload has one', async () => {
    const signed = await sign({
      ...options,
      payload: { ...PAYLOAD, event: 'test.ping' },
      timestamp: TIMESTAMP,
    })
    expect(signed).toEqual(EXPECTED)
  })

  it('signs at the first second of 1970', async () => {
    expect((await sign({ ...options, timestamp: 0 })).headers['X-Service-Timestamp']).toBe('0')
  })

  it('signs with the current time and a new id by default', async () => {
    const [first, second] = [
      await sign({ ...options, deliveryId: undefined }),
      await sign({ ...options, deliveryId: undefined }),
    ]
    expect(first.headers['X-Service-Delivery']).not.toBe(second.headers['X-Service-Delivery'])
    expect(verifyWebhook({ secret: SECRET, ...first }).deliveryId).toBe(first.headers['X-Service-Delivery'])
  })

  it.each([
    ['an empty secret', { secret: '' }, 'invalid_secret'],
    ['a blank secret', { secret: '  ' }, 'invalid_secret'],
    ['no event', { event: '' }, 'invalid_option'],
    ['an event that the verifier would refuse', { event: 'a b' }, 'invalid_option'],
    ['a delivery id that the verifier would refuse', { deliveryId: 'a b' }, 'invalid_option'],
    ['a delivery id that is not a string', { deliveryId: 12 as never }, 'invalid_option'],
    ['an event that is not a string', { event: 5 as never }, 'invalid_option'],
    ['a null payload', { payload: null as never }, 'invalid_option'],
    ['an infinite timestamp', { timestamp: Infinity }, 'invalid_option'],
    ['a payload that is not an object', { payload: [] as never }, 'invalid_option'],
    ['a payload that is a text', { payload: 'text' as never }, 'invalid_option'],
    ['an invalid Date', { timestamp: new Date(Number.NaN) }, 'invalid_option'],
    ['a negative timestamp', { timestamp: -1 }, 'invalid_option'],
  ])('refuses %s', async (_what, change, code) => {
    const error = await refusalOf(() => sign({ ...options, ...change }))
    expect(error).toBeInstanceOf(WebhookVerificationError)
    expect(error.code).toBe(code)
  })
})

it('[DLV-04] signs existing bytes as openssl does, and the UTF-8 bytes of a text', () => {
  expect(signatureHeader('k', 0, '{}')).toBe(
    'sha256=c847cd2c51e393092098d6126ed5aeb9ddbe946df3a0b7cb9e9a8a34fadb2cc7',
  )
  expect(signatureHeader('b'.repeat(64), TIMESTAMP, Buffer.from([255, 0]))).toBe(
    'sha256=8a4de0a664e37fd492568a4438d9264ca5c142c4d5a8890bb5311312d71fc8bd',
  )
  expect(signatureHeader(SECRET, TIMESTAMP, Buffer.from(BODY))).toBe(`sha256=${SIGNATURE}`)
  expect(signatureHeader(SECRET, TIMESTAMP, BODY)).toBe(`sha256=${SIGNATURE}`)
  expect(signatureHeader(SECRET, TIMESTAMP, 'Zoë €')).toBe(
    signatureHeader(SECRET, TIMESTAMP, Buffer.from('Zoë €')),
  )
})
