import type { Delivery } from '@formwire/contract/control'

/** A pending delivery without attempts. */
export const delivery = (id: string, changes: Partial<Delivery> = {}): Delivery => ({
  id,
  event: 'response.submitted',
  status: 'pending',
  response_id: 1,
  payload: {},
  http_status: null,
  error: null,
  earlier_errors: [],
  duration_ms: null,
  receiver_answer: null,
  attempts: 0,
  next_attempt_at: null,
  note: null,
  created_at: '2026-11-21T12:00:00.000Z',
  form_id: 'guestvoice01',
  webhook_id: 1,
  ...changes,
})
