import { describe, expect, it } from 'vitest'
import {
  byteSize,
  count,
  duration,
  exactTime,
  percentText,
  relativeTime,
  shortTime,
  shownText,
  span,
  spanMs,
} from '../src/format.ts'

const NOW = Date.parse('2026-11-21T12:00:03Z')

describe('times and spans in the console', () => {
  it.each([
    [0, '0 ms'],
    [840, '840 ms'],
    [60_000, '1 min'],
    [252_000, '4 min 12 s'],
    [7_200_000, '2 h'],
    [43_200_000, '12 h'],
    [1_000 * 60 * 60 * 27, '1 d 3 h'],
    [59_999, '1 min'],
  ])('a span of %i ms is %s', (ms, text) => expect(span(ms)).toBe(text))

  it.each([
    ['2026-11-21T12:05:00Z', '12:05:00'],
    ['2026-11-22T00:05:00Z', '22 Nov 00:05'],
    ['2026-09-02T12:00:00Z', '2 Sep 12:00'],
    ['2025-12-31T23:59:59Z', '31 Dec 2025'],
  ])('%s is %s', (instant, text) => expect(shortTime(Date.parse(instant), NOW)).toBe(text))

  it.each([
    ['2026-11-21T12:00:03Z', 'now'],
    ['2026-11-21T11:59:04Z', '59 s ago'],
    ['2026-11-21T11:59:02Z', '1 min ago'],
    ['2026-11-21T11:54:00Z', '6 min ago'],
    ['2026-11-21T14:05:00Z', 'in 2 h'],
    ['2026-10-22T12:00:03Z', '30 d ago'],
    ['2026-10-21T12:00:03Z', '21 Oct 2026'],
  ])('%s is %s in a list', (instant, text) => expect(relativeTime(Date.parse(instant), NOW)).toBe(text))

  it('names an instant exactly', () =>
    expect(exactTime(NOW)).toMatch(/^21 Nov 2026, 12:00:03 UTC( \(.* local time\))?$/))

  it('formats durations and counts', () => {
    expect(duration(null)).toBe('–')
    expect(duration(9_840)).toBe('9.8 s')
    expect(duration(12_400)).toBe('12 s')
    expect(duration(12)).toBe('12 ms')
    expect(duration(0.4)).toBe('<1 ms')
    expect(count(1, 'entry', 'entries')).toBe('1 entry')
    expect(count(10_000, 'response')).toBe('10,000 responses')
    expect(shownText(8_700, 50_000, 'response')).toBe('8,700 of 50,000')
  })

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [12_340, '12.3 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1.0 MB'],
    [2_100_000, '2.1 MB'],
  ])('%i bytes are %s', (bytes, text) => expect(byteSize(bytes)).toBe(text))

  it.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    [1_000, 1_000],
    ['potato', undefined],
    ['', undefined],
  ])('reads the span %j', (text, ms) => expect(spanMs(text)).toBe(ms))
})

describe('shares in the console', () => {
  it('round to one decimal, with 100% only for all and 0% only for none', () => {
    expect([1, 0.99999, 0.714, 94 / 260, 0.0125, 0.5, 0.0001, 0].map(percentText)).toEqual([
      '100%',
      '99.9%',
      '71.4%',
      '36.2%',
      '1.3%',
      '50%',
      '0.1%',
      '0%',
    ])
  })
})
