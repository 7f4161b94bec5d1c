import { describe, expect, it } from 'vitest'
import { writeEntry } from '../../src/delivery/index.ts'
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

  it('[DLV-07] says in the log why the attempts before the last one failed', () => {
    const failed = recordAttempt(pending(), outcome('http_500'), NOW)
    const delivered = recordAttempt(recordAttempt(failed, outcome('timeout'), NOW), outcome(null), NOW)
    const logged = [failed, delivered].map((one) => writeEntry(one, { timestamps: 'milliseconds' }))
    expect(logged).toMatchObject([
      { error: 'http_500', earlier_errors: [] },
      { error: null, earlier_errors: ['http_500', 'timeout'] },
    ])
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
