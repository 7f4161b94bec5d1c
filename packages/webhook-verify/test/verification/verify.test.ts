import { runInNewContext } from 'node:vm'
import { tryVerifyWebhook, verificationOf, WebhookVerificationError } from '@formwire/webhook-verify'
import * as web from '@formwire/webhook-verify/web'
import { describe, expect, it } from 'vitest'
import {
  BODY,
  codeOf,
  GOOD,
  HEADERS,
  refusalOf,
  SECRET,
  SIGNATURE,
  SIGNED_AT,
  TIMESTAMP,
  verifiers,
} from '../support.ts'

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function filled(buffer: ArrayBufferLike): ArrayBuffer {
  new Uint8Array(buffer).set(bytes(BODY))
  return buffer as ArrayBuffer
}

describe.each(verifiers)('verifyWebhook ($name)', ({ verify, verifySignature }) => {
  it('[DLV-10] [DLV-03] returns the event of a delivery signed with openssl', async () => {
    const event = await verify(GOOD)
    expect(event).toStrictEqual({
      type: 'response.submitted',
      deliveryId: 'dlv_1',
      timestamp: SIGNED_AT,
      form: { id: 'Fm3xAmpLe0Id', title: 'Customer survey' },
      response: {
        id: 4711,
        submitted_at: '2026-11-21T09:30:00.000Z',
        answers: [{ question_id: 'q_1', title: 'How was it?', type: 'rating', value: 5, text: '5' }],
        score: null,
        max_score: null,
        meta: { device: 'desktop', utm: { source: 'newsletter' } },
      },
    })
    expect(event.timestamp).toBeInstanceOf(Date)
  })

  it.each([
    ['a string', BODY],
    ['a Buffer', Buffer.from(BODY)],
    ['a Uint8Array', new TextEncoder().encode(BODY)],
    ['an ArrayBuffer', new TextEncoder().encode(BODY).buffer],
    ['a view into a larger buffer', Buffer.from(`xx${BODY}yy`).subarray(2, -2)],
    ['a Uint8Array into a larger buffer', new TextEncoder().encode(`xx${BODY}yy`).subarray(2, -2)],
    ['a DataView into a larger buffer', new DataView(bytes(`xx${BODY}yy`).buffer, 2, BODY.length) as never],
    ['a SharedArrayBuffer', filled(new SharedArrayBuffer(BODY.length))],
    ['an ArrayBuffer of another realm', filled(runInNewContext(`new ArrayBuffer(${BODY.length})`))],
    ['a DataView', new DataView(new TextEncoder().encode(BODY).buffer) as unknown as Uint8Array],
  ])('[DLV-10] accepts the raw body as %s', async (_shape, body) => {
    expect((await verify({ ...GOOD, body })).type).toBe('response.submitted')
  })

  it.each([
    ['a parsed object', JSON.parse(BODY), 'body_already_parsed'],
    ['a number', 5, 'body_already_parsed'],
    ['undefined', undefined, 'missing_body'],
    ['null', null, 'missing_body'],
  ])('refuses %s as a body', async (_shape, body, code) => {
    expect(await codeOf(() => verify({ ...GOOD, body }))).toBe(code)
  })

  it('returns which of several secrets matched, outside the keys of the event', async () => {
    const event = await verify({ ...GOOD, secret: ['whsec_new', SECRET] })
    expect(verificationOf(event)).toEqual({ secretIndex: 1, signature: SIGNATURE })
    expect(JSON.stringify(event)).not.toContain(SIGNATURE)
    expect(verificationOf(await verify(GOOD))?.secretIndex).toBe(0)
    expect(verificationOf({ ...event })).toBeUndefined()
  })

  it('[DLV-04] verifies without an event or delivery header, which are not signed', async () => {
    const { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': signature } = HEADERS
    const headers = { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': signature }
    expect(await verify({ ...GOOD, headers })).toMatchObject({ type: 'response.submitted', deliveryId: null })
  })

  it('[DLV-04] reads the type from the signed body and refuses a contradicting header', async () => {
    const headers = { ...HEADERS, 'X-Service-Event': 'test.ping' }
    expect(await refusalOf(() => verify({ ...GOOD, headers }))).toMatchObject({
      code: 'event_mismatch',
      message: 'The event header is "test.ping", but the signed body has "response.submitted".',
    })
  })

  it('verifies only the signature with verifySignature', async () => {
    expect(await verifySignature(GOOD)).toEqual({ secretIndex: 0, timestamp: SIGNED_AT, deliveryId: 'dlv_1' })
    const headers = {
      'x-service-timestamp': String(TIMESTAMP),
      'x-service-signature': HEADERS['X-Service-Signature'],
    }
    expect((await verifySignature({ ...GOOD, headers })).deliveryId).toBeNull()
    expect(await codeOf(() => verifySignature({ ...GOOD, body: '{}' }))).toBe('no_match')
  })
})

describe.each([
  { name: 'node', tryVerify: async (options: typeof GOOD) => tryVerifyWebhook(options) },
  { name: 'web', tryVerify: web.tryVerifyWebhook },
])('tryVerifyWebhook ($name)', ({ tryVerify }) => {
  it('[DLV-10] returns the event of a genuine delivery, and the error of one that is refused', async () => {
    expect(await tryVerify(GOOD)).toMatchObject({ ok: true, event: { type: 'response.submitted' } })
    const result = await tryVerify({ ...GOOD, secret: 'whsec_other' })
    expect(result).toEqual({ ok: false, error: expect.any(WebhookVerificationError) })
    expect(result).toMatchObject({ error: { code: 'no_match' } })
  })

  it('throws an error that is not about the delivery', async () => {
    const now = () => {
      throw new TypeError('broken clock')
    }
    await expect(tryVerify({ ...GOOD, now })).rejects.toThrow(new TypeError('broken clock'))
  })
})
