import { signatureHeader } from '@formwire/webhook-verify'
import { expect, it } from 'vitest'
import { CHECKS } from '../../../src/testing/receiver-check/checks.ts'
import { deliverySource, type Probe } from '../../../src/testing/receiver-check/probe.ts'
import { SECRET, TIMESTAMP } from '../../support.ts'

const next = deliverySource(SECRET, () => TIMESTAMP * 1000 + 999)
const delivery = next()
const { body, payload } = delivery

// What each of the others sends is seen in which receivers with a defect it fails (check-receiver.test.ts).
it('large_body has 900 kB, in the value and the text of the last answer', async () => {
  const sent: Probe[] = []
  const send = async (probe: Probe) => ({ status: sent.push(probe) })
  await CHECKS.large_body.run({ next: () => delivery, send })
  const [{ headers, body: large }] = sent as [Probe]
  expect([sent.length, large.length]).toEqual([1, 900_000])
  expect(Object.fromEntries(headers)['X-Service-Signature']).toBe(signatureHeader(SECRET, TIMESTAMP, large))
  expect(large.replaceAll(/"y+"/g, '"Fast"')).toBe(body)
})

it('is required, apart from uppercase digits and other methods', () => {
  const optional = Object.entries(CHECKS).filter(([, { required }]) => !required)
  expect(optional.map(([name]) => name)).toEqual(['uppercase_signature', 'not_post'])
})

it('a genuine delivery is signed as the service does, in whole seconds', () => {
  expect(delivery.headers).toEqual([
    ['Accept', '*/*'],
    ['Accept-Encoding', 'identity'],
    ['User-Agent', 'Formwire-Webhooks/1'],
    ['Content-Type', 'application/json'],
    ['X-Service-Event', 'response.submitted'],
    ['X-Service-Delivery', expect.any(String)],
    ['X-Service-Timestamp', '1795253400'],
    ['X-Service-Signature', signatureHeader(SECRET, TIMESTAMP, body)],
  ])
  expect(JSON.parse(body)).toEqual(payload)
  expect([delivery.timestampSeconds, payload.response.submitted_at]).toEqual([
    TIMESTAMP,
    '2026-11-21T09:30:00.999Z',
  ])
  expect(payload.response.id).toBeGreaterThanOrEqual(1_000_000_000)
  expect(payload.response.id).toBeLessThan(2_000_000_000)
  expect(payload.response.answers).toHaveLength(2)
})

it('each delivery is of a new response', () => {
  const { payload: other, timestampSeconds } = next(7)
  expect([other.response.id, timestampSeconds]).toEqual([payload.response.id + 1, TIMESTAMP - 7])
})
