import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareInstants, earlierBy, type Instant, parseInstant } from '../../src/polling/instant.ts'

const read = (text: string): Instant => {
  const instant = parseInstant(text)
  if (!instant) throw new Error(`unreadable: ${text}`)
  return instant
}
const order = (a: string, b: string): number => Math.sign(compareInstants(read(a), read(b)))

describe('instants', () => {
  it.each([
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z', 0],
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00+00:00', 0],
    ['2026-11-21T09:30:00Z', '2026-11-21T11:30:00+02:00', 0],
    ['2026-11-21T09:30:00Z', '2026-11-21T00:30:00.0-0900', 0],
    ['2026-11-21T09:30:00Z', '2026-11-21T14:30:00+05', 0],
    ['2026-11-21T09:30:00.1Z', '2026-11-21T09:30:00.100000000Z', 0],
    ['2026-11-21T09:30:00', '2026-11-21 09:30:00z', 0],
    ['2026-11-21', '2026-11-21T00:00:00Z', 0],
    ['2026-11-21T09:30', '2026-11-21T09:30:00Z', 0],
    // As text these come in the other order.
    ['2026-11-21T09:30:00.123456Z', '2026-11-21T09:30:00.123Z', 1],
    ['2026-11-21T09:30:00.9Z', '2026-11-21T09:30:00.10Z', 1],
    ['2026-11-21T09:30:00.05Z', '2026-11-21T09:30:00.1Z', -1],
    ['2026-11-21T23:00:00-02:00', '2026-11-22T00:30:00Z', 1],
    ['2026-11-21T09:30:00.000000001Z', '2026-11-21T09:30:00.000000002Z', -1],
    ['1969-12-31T23:59:59.9Z', '1970-01-01T00:00:00Z', -1],
  ])('[POLL-02] compares %s with %s: %d', (a, b, expected) => {
    expect(order(a, b)).toBe(expected)
    expect(order(b, a)).toBe(expected === 0 ? 0 : -expected)
  })

  it('[POLL-02] sort like their nanoseconds', () => {
    const instant = fc.record({
      seconds: fc.integer({ min: 0, max: 4e9 }),
      nanoseconds: fc.integer({ min: 0, max: 999_999_999 }),
    })
    const write = ({ seconds, nanoseconds }: { seconds: number; nanoseconds: number }): string =>
      `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(nanoseconds).padStart(9, '0')}Z`
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        const expected = Math.sign(a.seconds - b.seconds || a.nanoseconds - b.nanoseconds)
        expect(order(write(a), write(b))).toBe(expected)
      }),
    )
  })

  it('rejects other texts', () => {
    for (const text of [
      '',
      'now',
      '2026',
      '2026-11',
      '20261121',
      '1790000000',
      '2026-11-21T9:30Z',
      '2026-11-21T09:30:00 Z',
      '2026-13-01',
      '2026-11-21T25:00Z',
    ]) {
      expect(parseInstant(text), text).toBeUndefined()
    }
  })

  it('subtracts milliseconds down to 1970 at most', () => {
    const at = parseInstant('2026-11-21T09:30:00Z') as Instant
    expect(earlierBy(at, Number.POSITIVE_INFINITY)).toBe('1970-01-01T00:00:00.000Z')
    expect(earlierBy(at, 1e15)).toBe('1970-01-01T00:00:00.000Z')
  })

  it('subtracts milliseconds and rounds down', () => {
    expect(earlierBy(read('2026-11-21T09:30:00.123456Z'), 1000)).toBe('2026-11-21T09:29:59.123Z')
    expect(earlierBy(read('2026-11-21T00:00:00+01:00'), 1)).toBe('2026-11-20T22:59:59.999Z')
  })
})
