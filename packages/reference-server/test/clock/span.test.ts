import { describe, expect, it } from 'vitest'
import { InvalidSpanError, instantAfter, parseSpan } from '../../src/clock/span.ts'

describe('parseSpan', () => {
  it.each([
    [0, 0],
    [1500, 1_500],
    ['12h', 43_200_000],
    ['1m', 60_000],
    ['90s', 90_000],
    ['250ms', 250],
    ['1h30m', 5_400_000],
    ['1h 30m', 5_400_000],
    ['2d', 172_800_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['1.5h', 5_400_000],
    ['0s', 0],
  ])('reads %j as %i ms', (span, milliseconds) => {
    expect(parseSpan(span)).toBe(milliseconds)
  })

  it.each([
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    0.5,
    1e17,
    '',
    ' ',
    '-12h',
    '12',
    '12 hours',
    'soon',
    '30m1h',
    '1h1h',
    '1h-30m',
    '0.0001ms',
    '9999999999999d',
    null,
    undefined,
    true,
    {},
    ['1h'],
  ])('refuses %j', (span) => {
    expect(() => parseSpan(span)).toThrow(InvalidSpanError)
  })

  it.each([
    ['soon', '"soon"'],
    [-5, '-5'],
    [undefined, 'a missing value'],
  ])('reports the invalid value %j', (span, shown) => {
    expect(() => parseSpan(span)).toThrow(`Cannot read ${shown} as a duration`)
  })
})

describe('instantAfter', () => {
  it('refuses instants after the year 9999', () => {
    expect(instantAfter(0, 253_402_300_799_999)).toBe(253_402_300_799_999)
    expect(() => instantAfter(1, 253_402_300_799_999)).toThrow(InvalidSpanError)
  })
})
