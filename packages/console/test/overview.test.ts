import { describe, expect, it } from 'vitest'
import { axisMax, successRate, timeText } from '../src/views/overview/figures.ts'

describe('the figures of the overview', () => {
  it('count only finished deliveries in the success rate', () => {
    expect(successRate({ delivered: 3, pending: 100, failed: 1 })).toBe(0.75)
    expect(successRate({ delivered: 0, pending: 5, failed: 0 })).toBeNull()
  })

  it('show milliseconds, then seconds', () => {
    expect([null, 0.4, 84.4, 999, 1_240, 12_400].map(timeText)).toEqual([
      '–',
      '0 ms',
      '84 ms',
      '999 ms',
      '1.2 s',
      '12 s',
    ])
  })

  it.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [11, 20],
    [21, 50],
    [99, 100],
    [5_001, 10_000],
  ])('have an axis for %d deliveries that ends at %d', (largest, end) => {
    expect(axisMax(largest)).toBe(end)
  })
})
