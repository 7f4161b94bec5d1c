import { expect, it } from 'vitest'
import { rowOf } from '../../src/commands/deliveries/live-tail.ts'
import type { Delivery } from '../../src/control/delivery.ts'

const delivery: Delivery = {
  id: 'dlv_1',
  event: 'test.ping',
  status: 'delivered',
  response_id: 0,
  payload: {},
  http_status: 200,
  error: null,
  earlier_errors: [],
  duration_ms: 999.6,
  receiver_answer: null,
  attempts: 1,
  next_attempt_at: null,
  note: null,
  created_at: '2026-11-21T12:00:00.000Z',
  form_id: 'survey000001',
  webhook_id: 1,
}

it.each([
  ['delivered', 'good'],
  ['pending', 'wait'],
  ['failed', 'bad'],
  ['quarantined', undefined],
])('[ENV-04] gives a delivery that is %s the tone %s', (status, tone) => {
  const row = rowOf({ ...delivery, status: status as Delivery['status'] }, () => 0, undefined)
  expect([row.cells[2], row.tone]).toEqual([status, tone])
})

it.each([
  ['2026-11-21T23:59:59.000Z', '12:00:00Z'],
  ['2026-11-22T00:00:00.000Z', '21 Nov'],
  ['2026-11-20T23:59:59.000Z', '21 Nov'],
])('shows at %s when a delivery was created: %s', (now, text) => {
  expect(rowOf(delivery, () => Date.parse(now), undefined).cells[0]).toBe(text)
})
