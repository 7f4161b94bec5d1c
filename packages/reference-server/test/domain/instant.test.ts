import { describe, expect, it } from 'vitest'
import { parseInstant } from '../../src/domain/instant.ts'

const NOON = Date.UTC(2026, 10, 21, 12)

describe('an instant', () => {
  it.each([
    ['2026-11-21', NOON - 12 * 3_600_000],
    ['2026-11-21T12:00', NOON],
    ['2026-11-21 12:00', NOON],
    ['2026-11-21T12:59:59Z', NOON + 3_599_000],
    ['2026-11-21T12:00:00.5Z', NOON + 500],
    ['2026-11-21T12:00:00.123000Z', NOON + 123],
    ['2026-11-21T14:30:00+02:30', NOON],
    ['2026-11-21T14:30:00+0230', NOON],
    ['2026-11-21T00:01:00-11:59', NOON],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['0001-01-01', -62_135_596_800_000],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ])('[RESP-02] reads %s', (text, expected) => {
    expect(parseInstant(text)).toBe(expected)
  })

  it.each([
    ['2026-11-21T12:00:00.1230001Z', NOON + 124],
    ['2026-11-21T12:00:00.0000000000000000001Z', NOON + 1],
  ])('[RESP-02] rounds %s up to a whole millisecond', (text, expected) => {
    expect(parseInstant(text)).toBe(expected)
  })

  it.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-01',
    '2026-11-00',
    '2026-11-31',
    '2026-01-99',
    '2026-12-32',
    '2026-11-21T24:00',
    '2026-11-21T12:60',
    '2026-11-21T12:00:60Z',
    '2026-11-21T12:00+24:00',
    '2026-11-21T12:00+02:60',
    '2026-11-21T12',
    '2026-11-21t12:00Z',
    ' 2026-11-21',
    '2026-11-21 ',
    '21.11.2026',
    '',
  ])('[RESP-02] refuses "%s"', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })
})
