import { describe, expect, it } from 'vitest'
import { rateLimitWaitMs, readRetryAfterMs } from '../../src/http/retry-after.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0)
const read = (value: string, date?: string) =>
  readRetryAfterMs(new Headers({ 'retry-after': value, ...(date ? { date } : {}) }), NOW)

describe('Retry-After', () => {
  it.each([
    ['60', undefined, 60_000],
    ['0', undefined, 0],
    [' 7 ', undefined, 7000],
    ['1.5', undefined, 1500],
    ['86400', undefined, 86_400_000],
    ['Sat, 21 Nov 2026 12:01:30 GMT', undefined, 90_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', undefined, 0],
    ['Sat, 21 Nov 2026 15:01:30 GMT', 'Sat, 21 Nov 2026 15:00:00 GMT', 90_000],
    ['Sat, 21 Nov 2026 12:01:30 GMT', 'yesterday', 90_000],
  ])('[ERR-05] reads %j, relative to the local clock or the Date %j of the response', (value, date, ms) => {
    expect(read(value, date)).toBe(ms)
  })

  it('ignores any other value', () => {
    for (const value of ['', 'soon', '-5', '1e3', '60s', '2026-11-21T12:01:30Z'])
      expect(read(value)).toBeUndefined()
  })

  it('[ERR-05] ignores a date that does not exist and waits the documented 60 s', () => {
    for (const value of ['Sat, 41 Nov 2026 12:01:30 GMT', 'Sat, 21 Foo 2026 12:01:30 GMT', 'Soon, perhaps']) {
      expect(read(value)).toBeUndefined()
      expect(rateLimitWaitMs(new Headers({ 'retry-after': value }), NOW)).toBe(60_000)
    }
  })

  it('[ERR-05] waits the documented 60 s after a 429 without Retry-After, and never less than a second', () => {
    expect(rateLimitWaitMs(new Headers(), NOW)).toBe(60_000)
    expect(rateLimitWaitMs(new Headers({ 'retry-after': 'soon' }), NOW)).toBe(60_000)
    expect(rateLimitWaitMs(new Headers({ 'retry-after': '0' }), NOW)).toBe(1000)
  })
})
