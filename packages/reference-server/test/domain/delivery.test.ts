import { describe, expect, it } from 'vitest'
import {
  type AttemptOutcome,
  newDelivery,
  recordAttempt,
  sequenceOfId,
  stopDelivery,
} from '../../src/domain/delivery.ts'

const NOW = 1_700_000_000_000
/** 9999-12-31T23:59:59.999Z */
const LAST = 253_402_300_799_999

const pending = (createdAt = NOW) =>
  newDelivery({
    sequence: 1,
    id: 'dlv_AAAAAAAAAAAAAAAAAAAA1',
    endpointId: 1,
    formId: 'formsurvey01',
    event: 'response.submitted',
    responseId: 1,
    body: Buffer.from('{}'),
    createdAt,
  })
const outcome = (error: AttemptOutcome['error']): AttemptOutcome => ({
  startedAt: NOW,
  durationMs: 1,
  httpStatus: error === null ? 200 : 500,
  error,
  signature: 'sha256=0',
  timestamp: NOW / 1000,
  receiverAnswer: '',
})

describe('a delivery', () => {
  it('[DLV-06] is due up to the last instant of the clock, and fails after it', () => {
    const minuteBefore = LAST - 60_000
    expect(recordAttempt(pending(), outcome('http_500'), minuteBefore)).toMatchObject({
      status: 'pending',
      nextAttemptAt: LAST,
      note: null,
    })
    expect(recordAttempt(pending(), outcome('http_500'), minuteBefore + 1)).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
      note: 'The next attempt would be after the year 9999, where the clock ends.',
    })
  })

  it('[DLV-06] retries after 1 min, 5 min, 30 min, 2 h and 12 h, then fails', () => {
    let delivery = pending()
    const delays: (number | null)[] = []
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      delivery = recordAttempt(delivery, outcome('timeout'), NOW)
      delays.push(delivery.nextAttemptAt === null ? null : delivery.nextAttemptAt - NOW)
    }
    expect(delays).toEqual([60_000, 300_000, 1_800_000, 7_200_000, 43_200_000, null])
    expect([delivery.status, delivery.note, delivery.attempts.map(({ number }) => number)]).toEqual([
      'failed',
      null,
      [1, 2, 3, 4, 5, 6],
    ])
    expect(() => recordAttempt(delivery, outcome(null), NOW)).toThrow(
      'is failed and cannot record an attempt',
    )
  })

  it('[HOOK-07] keeps the first note when it is stopped twice during an attempt', () => {
    const stopped = stopDelivery(stopDelivery(pending(), 'first', true), 'second', true)
    expect([stopped.status, stopped.nextAttemptAt]).toEqual(['pending', NOW])
    expect(recordAttempt(stopped, outcome('reset'), NOW)).toMatchObject({ status: 'failed', note: 'first' })
    expect(recordAttempt(stopped, outcome(null), NOW)).toMatchObject({ status: 'delivered', note: null })
    expect(stopDelivery(stopped, 'third', false)).toMatchObject({
      status: 'failed',
      note: 'first',
      stopNote: null,
      nextAttemptAt: null,
    })
  })

  it.each([
    ['dlv_AAAAAAAAAAAAAAAAAAAA1', 1],
    ['dlv_AAAAAAAAAAAAAAAAAAAAz0', 1260],
    ['dlv_AAAAAAAAAAAAAAAAAAAA1!', undefined],
    ['dlv_AAAAAAAAAAAAAAAAAAAA', undefined],
    ['dlv_AAAAAAAAAAAAAAAAAAAA12345678901', undefined],
    ['xdlv_AAAAAAAAAAAAAAAAAAAA1', undefined],
    ['dlv_AAAAAAAAAAAAAAAAAAAAZ', undefined],
  ])('reads the sequence of the id %s as %s', (id, sequence) => {
    expect(sequenceOfId(id)).toBe(sequence)
  })
})
