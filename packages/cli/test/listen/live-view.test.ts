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
    line: '12:00:00Z  verified  → 200  test.ping  response 0  attempt 1  dlv_1',
    tone: 'good',
  })
  expect(rowOf(received).line).toBe('12:00:00Z  verified  → 200  test.ping  response 0  dlv_1')
})

it('shows why a delivery failed before what a narrow terminal cuts off', () => {
  const reason = 'cannot connect to the handler at http://localhost:3000: connection refused'
  const forwarded = { status: null, duration_ms: 2, reason }
  expect(rowOf({ ...received, answered: 502, forwarded, attempt: 1 })).toEqual({
    key: '#3',
    line: `12:00:00Z  verified  → 502  test.ping  response 0  ${reason}  attempt 1  dlv_1`,
    tone: 'pending',
  })
})
