import { describe, expect, it } from 'vitest'
import { attemptsBetween, attemptsText } from '../../src/views/advance-outcome.ts'
import { msAt, placeOf, stopBy } from '../../src/views/clock-axis.ts'
import { delivery } from '../delivery.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('the axis of the clock', () => {
  it.each([
    [0, 0],
    [30_000, 0.5],
    [MINUTE, 1],
    [3 * MINUTE, 1.5],
    [5 * MINUTE, 2],
    [30 * MINUTE, 3],
    [2 * HOUR, 4],
    [7 * HOUR, 4.5],
    [12 * HOUR, 5],
    [24 * HOUR, 6],
    [48 * HOUR, 6],
  ])('[DLV-06] has %i ms at %d of its six parts', (ms, parts) => {
    expect(placeOf(ms) * 6).toBeCloseTo(parts, 9)
    if (ms <= 24 * HOUR) expect(msAt(parts / 6)).toBe(ms)
  })

  it('ends now and in a day', () => {
    expect([msAt(-3), msAt(0), msAt(1), msAt(9)]).toEqual([0, 0, 24 * HOUR, 24 * HOUR])
  })

  it('has whole seconds up to five minutes, then whole minutes', () => {
    expect([msAt(0.01), msAt(0.41)]).toEqual([4_000, 17 * MINUTE])
  })

  it.each([
    ['ArrowRight', 0, 10],
    ['ArrowUp', 10, 25],
    ['ArrowRight', 30, 24 * HOUR],
    ['ArrowLeft', 25, 10],
    ['ArrowDown', 10, 0],
    ['ArrowLeft', 0, 0],
    ['Home', 25, 0],
    ['End', 25, 24 * HOUR],
    ['Tab', 25, undefined],
  ])('moves by %s from %i to %s', (key, from, to) => {
    expect(stopBy(key, from, [25, 10, 30])).toBe(to)
  })
})

describe('what an advance has done', () => {
  it('counts its attempts, by delivery', () => {
    const before = [delivery('a', { attempts: 1 }), delivery('b', { attempts: 2 }), delivery('c')]
    const after = [
      delivery('new', { attempts: 1, status: 'delivered' }),
      delivery('a', { attempts: 3, status: 'delivered' }),
      delivery('b', { attempts: 2, status: 'failed' }),
      delivery('c', { attempts: 1 }),
    ]
    expect(attemptsBetween(before, after)).toEqual({ attempts: 4, delivered: 2, ids: ['new', 'a', 'c'] })
  })

  it.each([
    [0, 0, 'no attempt was due'],
    [1, 1, '1 attempt, 1 delivered'],
    [3, 2, '3 attempts, 2 delivered, 1 failed'],
    [2, 0, '2 attempts, 2 failed'],
  ])('is said for %i attempts with %i delivered', (attempts, delivered, text) => {
    expect(attemptsText({ attempts, delivered, ids: [] })).toBe(text)
  })
})
