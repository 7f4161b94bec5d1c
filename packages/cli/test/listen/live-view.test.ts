import { expect, it } from 'vitest'
import { rowOf } from '../../src/listen/live-view.ts'
import type { ReceivedDelivery } from '../../src/listen/received-delivery.ts'

const received: ReceivedDelivery = {
  number: 3,
  received_at: '2026-11-21T12:00:00.000Z',
  delivery_id: 'dlv_1',
  event: 'test.ping',
  form_id: 'survey',
  response_id: 0,
  verified: true,
  problem: null,
  answered: 200,
  forwarded: null,
  advice: null,
  attempt: null,
  next_attempt_at: null,
  parked: null,
  recorded: null,
  payload: null,
}

it('shows the attempt of a delivery if the log of the sender contains it', () => {
  expect(rowOf({ ...received, attempt: 1 })).toEqual({
    key: '#3',
    line: '12:00:00  verified  → 200  attempt 1  test.ping  response 0  dlv_1',
    tone: 'good',
  })
  expect(rowOf(received).line).toBe('12:00:00  verified  → 200  test.ping  response 0  dlv_1')
})
