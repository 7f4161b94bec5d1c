import { describe, expect, it } from 'vitest'
import { dueText, parseSpan, relativeTime, spanText, tookText } from '../../src/output/time.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')

describe('time', () => {
  it.each([
    ['2026-11-21T12:00:00.000Z', 'just now'],
    ['2026-11-21T11:59:01Z', 'just now'],
    ['2026-11-21T11:59:00Z', '1 minute ago'],
    ['2026-11-21T11:59:00.900Z', '1 minute ago'],
    ['2026-11-21T12:01:00.900Z', 'in 1 minute'],
    ['2026-11-21T09:00:00.000000+00:00', '3 hours ago'],
    ['2026-11-19T12:00:00Z', '2 days ago'],
    ['2026-08-21T12:00:00Z', '3 months ago'],
    ['2024-11-20T12:00:00Z', '2 years ago'],
    ['2026-11-21T12:00:30Z', 'in 30 s'],
    ['2026-11-21T14:00:00Z', 'in 2 hours'],
    ['tomorrow', 'tomorrow'],
  ])('formats %s as %s', (timestamp, text) => {
    expect(relativeTime(timestamp, now)).toBe(text)
  })
  it.each([
    [0, '0 s'],
    [850, '850 ms'],
    [59_600, '1 min'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [90_000_000, '1 d 1 h'],
  ])('formats %i ms as %s', (ms, text) => {
    expect(spanText(ms)).toBe(text)
  })
  it.each([
    ['30s', 30_000],
    ['1.5m', 90_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['2026-11-21', undefined],
    ['h', undefined],
    ['-1h', undefined],
  ])('parses the span %s', (text, ms) => {
    expect(parseSpan(text)).toBe(ms)
  })
  it.each([
    ['2026-11-21T12:00:00.200Z', 'in 1 s'],
    ['2026-11-21T12:01:00.000Z', 'in 1 min'],
    ['2026-11-21T12:05:59.000Z', 'in 5 min'],
    ['2026-11-21T14:10:00.000Z', 'in 2 h'],
    ['2026-11-21T12:00:00.000Z', 'due'],
    ['2026-11-21T11:00:00.000Z', 'due'],
  ])('formats the time until %s as %s', (timestamp, text) => {
    expect(dueText(timestamp, now)).toBe(text)
  })
  it.each([
    [0, '0 ms'],
    [64.4, '64 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1240, '1.2 s'],
    [10_000, '10.0 s'],
    [99_949, '99.9 s'],
    [99_950, '100 s'],
    [120_000, '120 s'],
  ])('formats a duration of %s ms as %s', (ms, text) => {
    expect(tookText(ms)).toBe(text)
  })
})
