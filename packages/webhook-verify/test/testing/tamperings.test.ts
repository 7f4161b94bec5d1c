import { signatureHeader } from '@formwire/webhook-verify'
import { createDelivery, type Tampering } from '@formwire/webhook-verify/testing'
import { expect, it } from 'vitest'
import { BODY, SECRET, SIGNATURE, TIMESTAMP } from '../support.ts'

const delivery = createDelivery({ secret: SECRET, timestamp: TIMESTAMP, deliveryId: 'dlv_1' })
// The adapters refuse each tampering with its code. These have one code together, which does not show that they differ.
it.each<[Tampering, headers: Record<string, string>, body: string]>([
  ['changed-body', {}, BODY.replace('{', '{ ')],
  ['truncated-body', {}, BODY.slice(0, -1)],
  ['reserialised-body', {}, JSON.stringify(JSON.parse(BODY), null, 2)],
  ['changed-timestamp', { 'X-Service-Timestamp': '1795253401' }, BODY],
  ['changed-signature', { 'X-Service-Signature': `sha256=${SIGNATURE.slice(0, -1)}0` }, BODY],
  [
    'wrong-secret',
    { 'X-Service-Signature': signatureHeader('whsec_of_another_endpoint', TIMESTAMP, BODY) },
    BODY,
  ],
])('%s differs from the genuine delivery in one thing', (name, headers, body) => {
  const tampered = delivery.tamper(name)
  expect(Object.fromEntries(tampered.headers)).toEqual({ ...delivery.headers, ...headers })
  expect(tampered.body).toBe(body)
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
