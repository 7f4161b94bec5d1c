import { signatureHeader } from '@formwire/webhook-verify'
import { createDelivery, type Tampering } from '@formwire/webhook-verify/testing'
import { expect, it } from 'vitest'
import { BODY, HEADERS, SECRET, SIGNATURE, TIMESTAMP } from '../support.ts'

const delivery = createDelivery({ secret: SECRET, timestamp: TIMESTAMP, deliveryId: 'dlv_1' })
const GENUINE = { 'Content-Type': 'application/json', ...HEADERS }
const signed = (body: string, timestamp = TIMESTAMP, secret = SECRET) => ({
  'X-Service-Timestamp': String(timestamp),
  'X-Service-Signature': signatureHeader(secret, timestamp, body),
})

it.each<[Tampering, headers: Record<string, string>, body: string]>([
  ['changed-body', {}, BODY.replace('{', '{ ')],
  ['truncated-body', {}, BODY.slice(0, -1)],
  ['reserialised-body', {}, JSON.stringify(JSON.parse(BODY), null, 2)],
  ['changed-timestamp', { 'X-Service-Timestamp': '1795253401' }, BODY],
  ['changed-signature', { 'X-Service-Signature': `sha256=${SIGNATURE.slice(0, -1)}0` }, BODY],
  ['wrong-secret', signed(BODY, TIMESTAMP, 'whsec_of_another_endpoint'), BODY],
  ['uppercase-signature', { 'X-Service-Signature': `sha256=${SIGNATURE.toUpperCase()}` }, BODY],
  ['timestamp-in-milliseconds', signed(BODY, 1795253400000), BODY],
  ['fractional-timestamp', { 'X-Service-Timestamp': '1795253400.0' }, BODY],
  ['too-old', signed(BODY, 1795249800), BODY],
  ['in-future', signed(BODY, 1795257000), BODY],
  ['other-event-header', { 'X-Service-Event': 'form.deleted' }, BODY],
  ['not-json', signed('not json'), 'not json'],
  ['not-an-event', signed('[]'), '[]'],
])('%s differs from the genuine delivery in one thing', (name, headers, body) => {
  const tampered = delivery.tamper(name)
  expect(Object.fromEntries(tampered.headers)).toEqual({ ...GENUINE, ...headers })
  expect(tampered.body).toBe(body)
})

it.each([
  ['missing-signature', 'X-Service-Signature'],
  ['missing-timestamp', 'X-Service-Timestamp'],
] as const)('%s lacks one header', (name, header) => {
  const tampered = delivery.tamper(name)
  expect(tampered.headers).toEqual(Object.entries(GENUINE).filter(([other]) => other !== header))
  expect(tampered.body).toBe(BODY)
})

it('signature-given-twice repeats one header', () => {
  const tampered = delivery.tamper('signature-given-twice')
  expect(tampered.headers).toEqual([
    ...Object.entries(GENUINE),
    ['X-Service-Signature', `sha256=${SIGNATURE}`],
  ])
  expect(tampered.body).toBe(BODY)
})

it('changed-signature changes the last digit of any signature', () => {
  for (let id = 0; id < 40; id += 1) {
    const other = createDelivery({ secret: `whsec_${id}`, timestamp: TIMESTAMP })
    const before = other.headers['X-Service-Signature']
    const [, after = ''] =
      other.tamper('changed-signature').headers.find(([name]) => name === 'X-Service-Signature') ?? []
    expect([after.slice(0, -1), after === before]).toEqual([before.slice(0, -1), false])
  }
})
