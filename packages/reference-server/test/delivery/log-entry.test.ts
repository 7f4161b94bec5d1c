import { describe, expect, it } from 'vitest'
import { type DeliveryEntry, writeDetail, writeEntry } from '../../src/delivery/index.ts'
import {
  type AttemptOutcome,
  blankDelivery,
  newDelivery,
  recordAttempt,
  stopDelivery,
} from '../../src/domain/delivery.ts'
import { START, START_SECONDS } from './world.ts'

const STYLE = { timestamps: 'milliseconds' } as const

const CREATED = newDelivery({
  sequence: 1,
  id: 'dlv_1',
  endpointId: 7,
  formId: 'form',
  event: 'test.ping',
  responseId: 0,
  createdAt: START,
  body: Buffer.from('{"a":"é"}'),
})

const ATTEMPT: AttemptOutcome = {
  startedAt: START,
  durationMs: 1.5,
  httpStatus: 503,
  error: 'http_503',
  signature: 'sha256=00',
  timestamp: START_SECONDS,
  receiverAnswer: 'later',
}
const FAILED = recordAttempt(CREATED, ATTEMPT, START)

const ENTRY: DeliveryEntry = {
  id: 'dlv_1',
  event: 'test.ping',
  status: 'pending',
  response_id: 0,
  payload: { a: 'é' },
  http_status: null,
  error: null,
  earlier_errors: [],
  duration_ms: null,
  receiver_answer: null,
  attempts: 0,
  next_attempt_at: '2026-11-21T09:30:00.000Z',
  note: null,
  created_at: '2026-11-21T09:30:00.000Z',
  form_id: 'form',
  webhook_id: 7,
}

const LAST = { http_status: 503, error: 'http_503', duration_ms: 1.5, receiver_answer: 'later' } as const

describe('a delivery in the log', () => {
  it('[DLV-07] has nothing of an attempt before the first one', () => {
    expect(writeEntry(CREATED, STYLE)).toEqual(ENTRY)
  })

  it('[DLV-07] has the outcome of its last attempt, and when the next one is due', () => {
    expect(writeEntry(FAILED, STYLE)).toEqual({
      ...ENTRY,
      ...LAST,
      attempts: 1,
      next_attempt_at: '2026-11-21T09:31:00.000Z',
    })
  })

  it('[DLV-07] says why the attempts before the last one failed', () => {
    const timedOut = recordAttempt(FAILED, { ...ATTEMPT, httpStatus: null, error: 'timeout' }, START)
    const recovered = recordAttempt(timedOut, { ...ATTEMPT, httpStatus: 200, error: null }, START)
    expect(writeEntry(FAILED, STYLE).earlier_errors).toEqual([])
    expect(writeEntry(recovered, STYLE)).toMatchObject({
      status: 'delivered',
      error: null,
      earlier_errors: ['http_503', 'timeout'],
    })
  })

  it('[DLV-06] has an empty payload without its body, and no next attempt after it failed', () => {
    const stopped = blankDelivery(stopDelivery(FAILED, 'Stopped.', false))
    expect(writeEntry(stopped, STYLE)).toEqual({
      ...ENTRY,
      ...LAST,
      attempts: 1,
      status: 'failed',
      payload: {},
      next_attempt_at: null,
      note: 'Stopped.',
    })
    expect(writeDetail(stopped, STYLE).raw_body).toBeNull()
  })

  it('[DLV-07] has in its details the body as sent and each attempt', () => {
    const { raw_body, attempts } = writeDetail(FAILED, STYLE)
    expect(raw_body).toBe('{"a":"é"}')
    expect(attempts).toEqual([
      {
        ...LAST,
        number: 1,
        started_at: '2026-11-21T09:30:00.000Z',
        signature: 'sha256=00',
        timestamp: START_SECONDS,
      },
    ])
  })
})
