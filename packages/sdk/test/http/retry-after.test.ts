import { describe, expect, it } from 'vitest'
import { rateLimitWaitMs, readRetryAfterMs } from '../../src/http/retry-after.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0)
const read = (value: string, date?: string) =>
  readRetryAfterMs(new Headers({ 'retry-after': value, ...(date ? { date } : {}) }), NOW)

describe('Retry-After', () => {
  it('[ERR-05] reads seconds', () => {
    expect(read('60')).toBe(60_000)
    expect(read('0')).toBe(0)
    expect(read(' 7 ')).toBe(7000)
    expect(read('1.5')).toBe(1500)
    expect(read('86400')).toBe(86_400_000)
  })

  it('[ERR-05] reads an HTTP-date relative to the local clock', () => {
    expect(read('Sat, 21 Nov 2026 12:01:30 GMT')).toBe(90_000)
    expect(read('Sat, 21 Nov 2026 11:00:00 GMT')).toBe(0)
  })

  it('[ERR-05] measures an HTTP-date from the Date of the response, whatever the local clock', () => {
    expect(read('Sat, 21 Nov 2026 15:01:30 GMT', 'Sat, 21 Nov 2026 15:00:00 GMT')).toBe(90_000)
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

  it('[ERR-05] measures a date from the local clock if the Date of the response is invalid', () => {
    expect(read('Sat, 21 Nov 2026 12:01:30 GMT', 'yesterday')).toBe(90_000)
  })

  it('[ERR-05] waits the documented 60 s after a 429 without Retry-After, and never less than a second', () => {
    expect(rateLimitWaitMs(new Headers(), NOW)).toBe(60_000)
    expect(rateLimitWaitMs(new Headers({ 'retry-after': 'soon' }), NOW)).toBe(60_000)
    expect(rateLimitWaitMs(new Headers({ 'retry-after': '0' }), NOW)).toBe(1000)
  })
})
